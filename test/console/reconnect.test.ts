import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loginFiles } from "../../src/config/login-files.ts";
import { consoleDoor } from "../../src/doors/console/console-door.ts";
import { restDoor } from "../../src/doors/rest/rest-door.ts";
import { openServer } from "../../src/doors/serve/open-server.ts";
import { loginCode, openBrowser, openConsolePage } from "../support/console-page.ts";
import { needs } from "../support/parts.ts";
import { ASK_ALL, openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";
import { ADMIN, openTestServer } from "../support/test-server.ts";

/** The server on this port, or on any. */
async function serverOn(scratch: ScratchGate, port: number) {
  const gate = scratch.again();
  await gate.begin();
  return await openServer({
    gate,
    adminToken: ADMIN,
    doors: [restDoor, consoleDoor],
    log: () => {},
    port,
    logins: loginFiles(scratch.stateDir),
  });
}

/** A question that nobody waits at. */
async function ask(url: string, path: string): Promise<void> {
  await fetch(`${url}/my/projects/default/tools/execute`, {
    method: "POST",
    headers: { Authorization: `Bearer ${ADMIN}` },
    body: JSON.stringify({ tool_name: "write_file", tool_params: { path, content: "x" }, wait: false }),
  });
}

needs("chromium")("the console", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("says that the server is gone, comes back by itself, and goes on behind the last event", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const first = await serverOn(scratch, 0);
    await using opened = await openConsolePage(browser, first, { tab: "own" });
    const { page } = opened;
    const resumed: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/events")) resumed.push(request.headers()["last-event-id"]);
    });
    await page.getByText("live", { exact: true }).waitFor();
    await ask(first.url, "before.txt");
    await page.getByText("Questions (1)").waitFor();
    await first.close(0);
    await page.getByText("Connection lost: this is how it was.").waitFor();
    // What it knew is still there to be read.
    await page.getByText("Questions (1)").waitFor();
    const again = await serverOn(scratch, Number(new URL(first.url).port));
    try {
      await page.getByText("live", { exact: true }).waitFor();
      expect(resumed.at(-1)).toMatch(/^\d+$/);
      await ask(again.url, "after.txt");
      await page.getByText("Questions (2)").waitFor();
      await page.getByRole("button", { name: "Approve once" }).click();
      await page.getByText("you approved it").first().waitFor();
      await expect.poll(() => scratch.rows().map(({ state }) => state)).toContain("completed");
      expect(scratch.text("before.txt")).toBe("x");
      expect((await opened.complaints()).filter((one) => !one.includes("net::"))).toEqual([]);
    } finally {
      await again.close(0);
    }
  });

  it("says of a list that could not be read anew that it is old, and reads it again by itself", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    await using opened = await openConsolePage(browser, server);
    const { page } = opened;
    await page.getByText("Nothing waits for an answer.", { exact: true }).waitFor();
    await page.route("**/approvals?*", (route) => route.fulfill({ status: 503, body: "busy" }));
    await ask(server.url, "a.txt");
    await page.getByText("This list is how it was").waitFor();
    await page.unroute("**/approvals?*");
    await page.getByText("Questions (1)").waitFor();
    expect(await page.getByText("This list is how it was").isVisible()).toBe(false);
  });

  it("is not live where another answers in the place of the server", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    await using opened = await openConsolePage(browser, server, { token: null, tab: "own" });
    const { page } = opened;
    await page.addInitScript(`
      globalThis.signs = [];
      new MutationObserver(() => signs.push(document.querySelector(".connection")?.dataset.state))
        .observe(document, { childList: true, subtree: true, attributes: true });
    `);
    await page.route("**/events", (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<p>bad" }));
    await page.goto(`${server.url}/?#code=${await loginCode(server.url, ADMIN)}`);
    await page.getByText("Connection lost").waitFor();
    expect(await page.evaluate("signs.includes('open')")).toBe(false);
  });

  it("tells of a question that was answered while nobody could hear of it", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    await ask(server.url, "a.txt");
    await using opened = await openConsolePage(browser, server, { token: null });
    const { page } = opened;
    // As for who was away for too long: the stream begins anew, and tells of nothing that was before.
    const anew = { contentType: "text/event-stream", body: "event: ready\ndata: {}\n\n" };
    await page.route("**/events", (route) => route.fulfill(anew));
    await page.goto(`${server.url}/?#code=${await loginCode(server.url, ADMIN)}`);
    await page.getByRole("button", { name: "Approve once" }).waitFor();
    const { body } = await server.get("approvals");
    await server.post(`approvals/${body.approvals[0].approval_id}/reject`, { reason: "no" });
    await page.getByText("Answered elsewhere").waitFor();
  });

  it("listens in browsers that can't loop over a stream, too", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const before = "delete ReadableStream.prototype[Symbol.asyncIterator]; delete ReadableStream.prototype.values";
    await using opened = await openConsolePage(browser, server, { before });
    await opened.page.getByText("live", { exact: true }).waitFor();
    await ask(server.url, "a.txt");
    await opened.page.getByText("Questions (1)").waitFor();
    expect(await opened.complaints()).toEqual([]);
  });

  it("tries at once when it is told to, and asks for a token that the server does not know any more", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const first = await serverOn(scratch, 0);
    // Its time stands: nothing is tried again by itself.
    await using opened = await openConsolePage(browser, first, { clock: "by hand" });
    const { page } = opened;
    await page.getByText("live", { exact: true }).waitFor();
    await page.clock.pauseAt(Date.now() + 2000);
    await first.close(0);
    await page.getByText("Connection lost").waitFor();
    const gate = scratch.again();
    await gate.begin();
    const port = Number(new URL(first.url).port);
    const again = await openServer({ gate, adminToken: "another", doors: [restDoor], log: () => {}, port });
    try {
      await page.getByRole("button", { name: "try now" }).click();
      await page.getByText("The server does not know this token").waitFor();
      expect(await page.evaluate("sessionStorage.length")).toBe(0);
    } finally {
      await again.close(0);
    }
  });
});
