import { describe, expect, it } from "vitest";
import { openBrowser } from "../../support/console-page.ts";
import { openEvents } from "../../support/event-reader.ts";
import { needs } from "../../support/parts.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { withClientTools } from "../../support/test-executor.ts";
import { ADMIN, openTestServer, type TestServer } from "../../support/test-server.ts";
import { SEED_CLIENT } from "./seed-client.ts";

/** A call for each answer: the person says yes to what is called `yes.txt`. */
async function bothAnswers(server: TestServer): Promise<readonly unknown[]> {
  const write = (path: string) => server.execute("write_file", { path, content: "x" });
  const yes = await write("yes.txt");
  const no = await write("no.txt");
  return [yes.status, yes.body.kind, no.status, no.body.refusal?.message];
}

const EXPECTED = [200, "completed", 403, "user:apa said no: User declined"];

/** Calls of a tool that the client runs: it completes, fails, and exits badly. */
async function clientCalls(server: TestServer): Promise<readonly unknown[]> {
  const call = async (path: string) => (await server.execute("format", { path })).body;
  const [good, bad, worse] = [await call("good.ts"), await call("throws"), await call("exits")];
  const states = server.scratch.rows().flatMap(({ tool, state }) => (tool === "format" ? [state] : []));
  return [good.kind, good.content, bad.kind, bad.error?.message, worse.kind, worse.exitCode, states];
}

const RUN = [
  ...["completed", [{ type: "text", text: "ran format on good.ts" }], "failed", "Command not found: npm"],
  ...["completed", 2, ["completed", "failed", "completed"]],
];

/** People are asked about files, and not about what the client runs; `apa` answers and executes. */
const parts = () =>
  withClientTools({ rules: [...ASK_ALL, { id: "run", effect: "allow", touch: { tool: ["*"] } }], config: FORMAT });
const FORMAT = {
  tools: {
    client: {
      format: {
        description: "Formats a file",
        inputSchema: { type: "object", properties: { path: { type: "string" } } },
      },
    },
  },
};

/** What the seed leaves to the page: what it does with a tool. */
const EXECUTE = `async (tool, params) => {
  if (params.path === 'throws') throw new Error('Command not found: npm');
  const exit = params.path === 'exits' ? 2 : 0;
  return { success: exit === 0, stdout: 'ran ' + tool + ' on ' + params.path, stderr: null, exit_code: exit };
}`;

describe("the seed's client in Node", () => {
  it("answers what it is asked and runs what it is told to, over fetch in place of EventSource", async () => {
    await using server = await openTestServer(parts());
    const path = "/my/projects/default/chat/stream";
    await using events = await openEvents(server.url, { path, token: "apa" });
    await events.until("ready");
    // The seed's code itself; what Node lacks and what needs a token is what it is given.
    const listeners = new Map<string, (event: { data: string }) => void>();
    const EventSource = class {
      addEventListener(name: string, listener: (event: { data: string }) => void) {
        listeners.set(name, listener);
      }
    };
    const hearing = (async () => {
      for (let event = await events.next(); event !== null; event = await events.next())
        listeners.get(event.name)?.({ data: JSON.stringify(event.data) });
    })();
    const authorized = (where: string, init: RequestInit) =>
      fetch(`${server.url}${where}`, { ...init, headers: { ...init.headers, Authorization: "Bearer apa" } });
    let asked = 0;
    const given = ["EventSource", "fetch", "projectId", "showApprovalDialog", "executeToolLocally"];
    const client = new Function(...given, SEED_CLIENT);
    client(EventSource, authorized, "default", () => asked++ === 0, new Function(`return ${EXECUTE}`)());
    expect(await bothAnswers(server)).toEqual(EXPECTED);
    expect(await clientCalls(server)).toEqual(RUN);
    expect(asked).toBe(2);
    await events.close();
    await hearing;
  });
});

needs("chromium")("the seed's client in a browser", () => {
  it("answers and runs, with a cookie for its EventSource and a token for its fetch", async () => {
    await using server = await openTestServer(parts());
    const browser = await openBrowser();
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
          fetch: (where: string, init: RequestInit) =>
            bare(where, { ...init, headers: { ...init.headers, ...headers } }),
          showApprovalDialog: (tool: string, risk: string, seconds: number) => {
            shown.push(`${tool} ${risk} ${seconds}`);
            return shown.length === 1;
          },
        });
      }, "apa");
      await page.evaluate(`globalThis.executeToolLocally = ${EXECUTE}`);
      await page.evaluate(SEED_CLIENT);
      expect(await bothAnswers(server)).toEqual(EXPECTED);
      expect(await clientCalls(server)).toEqual(RUN);
      expect(await page.evaluate("shown")).toEqual(["write_file MEDIUM 300", "write_file MEDIUM 300"]);
    } finally {
      await browser.close();
    }
  });

  it("of another site reaches nothing", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    await using other = await openTestServer();
    const browser = await openBrowser();
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
