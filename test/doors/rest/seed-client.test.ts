import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openEvents } from "../../support/event-reader.ts";
import { needs } from "../../support/parts.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { ADMIN, openTestServer, type TestServer } from "../../support/test-server.ts";
import { SEED_CLIENT } from "./seed-client.ts";

const CHROMIUM = "/usr/bin/chromium";

/** A call for each answer: the person says yes to what is called `yes.txt`. */
async function bothAnswers(server: TestServer): Promise<readonly unknown[]> {
  const write = (path: string) => server.execute("write_file", { path, content: "x" });
  const yes = await write("yes.txt");
  const no = await write("no.txt");
  return [yes.status, yes.body.kind, no.status, no.body.refusal?.message];
}

const EXPECTED = [200, "completed", 403, "admin said no: User declined"];

describe("the seed's client in Node", () => {
  it("answers what it is asked, over fetch in place of EventSource", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const path = "/my/projects/default/chat/stream";
    await using events = await openEvents(server.url, { path });
    // The seed's code itself; what Node lacks and what needs a token is what it is given.
    const EventSource = class {
      addEventListener(name: string, listener: (event: { data: string }) => void) {
        void (async () => {
          for (let event = await events.next(); event !== null; event = await events.next()) {
            if (event.name === name) listener({ data: JSON.stringify(event.data) });
          }
        })();
      }
    };
    const authorized = (where: string, init: RequestInit) =>
      fetch(`${server.url}${where}`, { ...init, headers: { Authorization: `Bearer ${ADMIN}` } });
    let asked = 0;
    const client = new Function("EventSource", "fetch", "projectId", "showApprovalDialog", SEED_CLIENT);
    client(EventSource, authorized, "default", () => asked++ === 0);
    expect(await bothAnswers(server)).toEqual(EXPECTED);
    expect(asked).toBe(2);
  });
});

needs("chromium")("the seed's client in a browser", () => {
  it("answers what it is asked, with a cookie for its EventSource and a token for its fetch", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      await page.goto(`${server.url}/page`);
      // What the seed leaves to the page, and the token.
      await page.evaluate(async (token) => {
        const bare = globalThis.fetch;
        const headers = { Authorization: `Bearer ${token}` };
        await bare("/login", { method: "POST", headers });
        const shown: string[] = [];
        Object.assign(globalThis, {
          projectId: "default",
          shown,
          fetch: (where: string, init: RequestInit) => bare(where, { ...init, headers }),
          showApprovalDialog: (tool: string, risk: string, seconds: number) => {
            shown.push(`${tool} ${risk} ${seconds}`);
            return shown.length === 1;
          },
        });
      }, ADMIN);
      await page.evaluate(SEED_CLIENT);
      expect(await bothAnswers(server)).toEqual(EXPECTED);
      expect(await page.evaluate("shown")).toEqual(["write_file MEDIUM 300", "write_file MEDIUM 300"]);
    } finally {
      await browser.close();
    }
  });

  it("of another site reaches nothing", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    await using other = await openTestServer();
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      await page.goto(`${other.url}/page`);
      const tried = await page.evaluate(
        async ({ url, token }) => {
          const said = async (init: RequestInit, path: string) =>
            await fetch(`${url}${path}`, init).then(
              (response) => `${response.type} ${response.status}`,
              () => "refused",
            );
          return [
            await said({ headers: { Authorization: `Bearer ${token}` } }, "/my/projects/default/approvals"),
            await said({ method: "POST", body: "{}" }, "/my/projects/default/approvals/approval_0/approve"),
            await said({}, "/healthz"),
          ];
        },
        { url: server.url, token: ADMIN },
      );
      expect(tried).toEqual(["refused", "refused", "refused"]);
    } finally {
      await browser.close();
    }
  });
});
