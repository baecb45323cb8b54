import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, openConsolePage } from "../support/console-page.ts";
import { needs } from "../support/parts.ts";
import { openTestServer, type TestServer, user } from "../support/test-server.ts";

const RULES = [
  { id: "look", effect: "allow", touch: { read: ["./**"] }, because: "Reading is harmless." },
  { id: "change", effect: "ask", touch: { write: ["./**"] }, because: "People decide." },
] as const;

/** In the page: what would have to be scrolled sideways. */
const TOO_WIDE = `[document.documentElement, ...document.querySelectorAll("main, .scroll")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ className, scrollWidth }) => className + " " + scrollWidth)`;

/** In the page: what can be pressed or filled in, and says nothing of itself. */
const NAMELESS = `[...document.querySelectorAll("button, a, input, select, textarea")]
  .filter((one) => one.textContent + [...(one.labels ?? [])].map((label) => label.textContent).join("") === "")
  .map((one) => one.outerHTML)`;

needs("chromium")("the console's pages", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const open = (server: TestServer, at: string) => openConsolePage(browser, server, { at });

  it("list calls as they come, by state, tool and session", async () => {
    await using server = await openTestServer({ rules: RULES });
    server.scratch.put("a.txt", "what is in it");
    await using opened = await open(server, "#/calls");
    const { page } = opened;
    await page.getByText("No calls.").waitFor();
    await server.execute("read_file", { path: "a.txt" }, { session_id: "one" });
    const rows = page.locator("tbody tr");
    await rows.getByText("read_file").waitFor();
    await server.execute("write_file", { path: "b.txt", content: "x" }, { wait: false, session_id: "two" });
    await rows.getByText("waits for an answer").waitFor();
    // Who is at a row by the keyboard stays at it when others come.
    const focused = "document.activeElement.getAttribute('href')";
    await rows.first().locator("a").focus();
    const at = await page.evaluate(focused);
    await server.execute("no_such_tool");
    await rows.getByText("no_such_tool").waitFor();
    expect(await page.evaluate(focused)).toBe(at);
    await page.getByLabel("State").selectOption("COMPLETED");
    await page.waitForURL("**/#/calls?status=COMPLETED");
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByText("read_file").waitFor();
    await page.getByLabel("State").selectOption("");
    await page.getByLabel("Session").fill("two");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL("**/#/calls?session=two");
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining("write_file")]);
    await page.goto(`${server.url}/#/calls?tool=read_file`);
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining("read_file")]);
    expect(await opened.complaints()).toEqual([]);
  });

  it("page through calls by cursor, and keep what was looked up when new ones come", async () => {
    await using server = await openTestServer({ rules: RULES });
    for (let at = 0; at < 60; at++) await server.execute("list_directory", { path: "." });
    await using opened = await open(server, "#/calls");
    const { page } = opened;
    const rows = page.locator("tbody tr");
    await rows.nth(49).waitFor();
    await page.getByRole("button", { name: "Older calls" }).click();
    await rows.nth(59).waitFor();
    server.scratch.put("a.txt");
    await server.execute("read_file", { path: "a.txt" });
    await rows.nth(60).waitFor();
    expect(await rows.first().textContent()).toContain("read_file");
    const links = await rows.locator("a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(new Set(links).size).toBe(61);
  });

  it("show a call with its outcome and its ledger entries, and take it back", async () => {
    await using server = await openTestServer({ rules: RULES });
    server.scratch.put("a.txt", "what is in it");
    const { body } = await server.execute("read_file", { path: "a.txt" });
    await using opened = await open(server, `#/calls/${body.callId}`);
    const { page } = opened;
    await page.getByText("what is in it").first().waitFor();
    await page.locator(".entry", { hasText: "tool.executed" }).waitFor();
    expect(await page.getByRole("button", { name: "Cancel the call" }).count()).toBe(0);
    const waiting = (await server.execute("write_file", { path: "b.txt", content: "x" }, { wait: false })).body;
    await page.goto(`${server.url}/#/calls/${waiting.callId}`);
    await page.getByRole("button", { name: "Cancel the call" }).click();
    await page.getByRole("button", { name: "Really cancel it?" }).click();
    await page.locator(".chip", { hasText: "cancelled" }).waitFor();
    expect((await server.get(`executions/${waiting.callId}`)).body.status).toBe("CANCELLED");
    expect(await opened.complaints()).toEqual([]);
  });

  it("show the ledger from its end, an entry whole, its proof, and whether all is as it was written", async () => {
    await using server = await openTestServer({ rules: RULES });
    for (let at = 0; at < 30; at++) await server.execute("list_directory", { path: "." });
    await using opened = await open(server, "#/ledger");
    const { page } = opened;
    const { body } = await server.get("ledger?limit=1");
    const first = page.locator(".entry a").first();
    await page.locator(".entry").first().waitFor();
    expect(await first.textContent()).toBe(String(body.size));
    await page.getByRole("link", { name: "older" }).click();
    await page.getByRole("link", { name: "newest" }).waitFor();
    expect(await first.textContent()).toBe(String(body.size - 50));
    await page.getByRole("button", { name: "Verify the ledger" }).click();
    await page.getByText(/intact \d+ entries, \d+ signed checkpoints/).waitFor();
    await page.goto(`${server.url}/#/ledger/2`);
    await page.getByText("tool.requested").first().waitFor();
    await expect
      .poll(async () => {
        await page.getByRole("button", { name: "Show its proof" }).click();
        return await page.getByText('"checkpoint"').count();
      })
      .toBe(1);
    await page.goto(`${server.url}/#/ledger/0`);
    await page.getByText("There is no such entry.").waitFor();
    expect(await opened.complaints()).toEqual([]);
  });

  it("say what verifying found, or that it is not for this token", async () => {
    await using server = await openTestServer({
      rules: RULES,
      config: { server: { users: [user("ann", "approver")] } },
    });
    await using anns = await openConsolePage(browser, server, { token: "ann", at: "#/ledger" });
    await anns.page.getByRole("button", { name: "Verify the ledger" }).click();
    await anns.page.getByText("this token may not do that: this needs the role admin").waitFor();
    await using opened = await open(server, "#/ledger");
    const { page } = opened;
    const findings = [
      { kind: "altered", seq: 2, what: "hash" },
      { kind: "truncated", expected: 9, found: 3 },
    ];
    const report = { ok: false, entries: 1, checkpoints: 1, anchoredTo: 1, firstFinding: findings[0], findings };
    await page.route("**/ledger/verify", (route) => route.fulfill({ json: report }));
    await page.getByRole("button", { name: "Verify the ledger" }).click();
    await page.getByText("not what was written:").waitFor();
    await page.getByText("entry 2 was altered").waitFor();
    await page.getByText("the end was cut off: 9 entries were signed for, 3 are there").waitFor();
  });

  it("show the rules, and what they say of a call that nobody makes", async () => {
    await using server = await openTestServer({ rules: RULES });
    await using opened = await open(server, "#/tools");
    const { page } = opened;
    await page.locator("summary", { hasText: "write_file" }).click();
    await page.getByRole("link", { name: "what would happen" }).filter({ visible: true }).click();
    await page.getByText("Reading is harmless.").waitFor();
    expect(await page.getByLabel("Tool", { exact: true }).inputValue()).toBe("write_file");
    const size = (await server.get("ledger")).body.size;
    await page.getByLabel("Input, as JSON").fill("{");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByText("The input has to be JSON.").waitFor();
    await page.getByLabel("Input, as JSON").fill('{"path":"a.txt"}');
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByText("INVALID_ARGUMENTS").waitFor();
    await page.getByLabel("Input, as JSON").fill('{"path":"a.txt","content":"x"}');
    await page.getByRole("button", { name: "Explain" }).click();
    await page.locator(".explained").getByText("write a.txt").waitFor();
    await page.locator(".explained").getByText("People decide.").waitFor();
    expect((await server.get("ledger")).body.size).toBe(size);
    expect(await opened.complaints()).toEqual([]);
  });

  it("list sessions and end one", async () => {
    await using server = await openTestServer({ rules: RULES });
    const { body } = await server.post("sessions", { lease: { tools: ["read_file"] }, label: "reviewer" });
    await using opened = await open(server, "#/sessions");
    const { page } = opened;
    await page.locator("summary", { hasText: "reviewer" }).click();
    await page.getByRole("button", { name: "Close the session" }).click();
    await page.getByRole("button", { name: "Really?" }).click();
    await page.locator("summary", { hasText: "reviewer" }).getByText("ended").waitFor();
    expect(JSON.stringify((await server.get("sessions")).body)).not.toContain(body.session_id);
    expect((await server.get("tools/available", body.token)).status).toBe(403);
    expect(await opened.complaints()).toEqual([]);
  });

  it.each(["light", "dark"] as const)(
    "are %s where the reader's machine is, and fit on a phone",
    async (colorScheme) => {
      await using server = await openTestServer({ rules: RULES });
      const long = `${"very-long-name-".repeat(12)}.txt`;
      await server.execute(
        "write_file",
        { path: long, content: "y".repeat(4000) },
        { wait: false, session_id: "s".repeat(90) },
      );
      const viewport = { width: 360, height: 700 };
      await using opened = await openConsolePage(browser, server, { colorScheme, viewport });
      const { page } = opened;
      await page.getByText("Questions (1)").waitFor();
      const shade = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      expect(shade).toBe(colorScheme === "dark" ? "rgb(15, 18, 22)" : "rgb(246, 247, 249)");
      await page.locator(".row").click();
      await page.locator(".answer-bar").waitFor();
      const { body } = await server.get("approvals");
      const { approval_id: id, tool_id: callId } = body.approvals[0];
      await server.post("sessions", { lease: { tools: ["read_file"] }, label: "l".repeat(60) });
      for (const [place, whenShown] of [
        [`questions/${id}`, ".answer-bar"],
        ["calls", "tbody tr"],
        [`calls/${callId}`, ".entry"],
        ["ledger", ".entry"],
        ["ledger/2", ".facts"],
        ["rules", ".rules li"],
        ["tools", ".rules li"],
        ["sessions", ".rules li"],
      ] as const) {
        await page.goto(`${server.url}/#/${place}`);
        await page.reload();
        await page.locator(whenShown).first().waitFor();
        const tooWide = await page.evaluate(TOO_WIDE);
        expect([place, tooWide]).toEqual([place, []]);
      }
      expect(await opened.complaints()).toEqual([]);
    },
  );

  it("have names for all that can be pressed or filled in", async () => {
    await using server = await openTestServer({ rules: RULES });
    await server.execute("write_file", { path: "a.txt", content: "x" }, { wait: false });
    await using opened = await open(server, "#/questions");
    const { page } = opened;
    await page.locator(".answer-bar").waitFor();
    for (const place of ["questions", "calls", "ledger", "rules", "tools", "sessions"]) {
      await page.goto(`${server.url}/#/${place}`);
      const nameless = await page.evaluate(NAMELESS);
      expect([place, nameless]).toEqual([place, []]);
      expect(await page.locator("main h1").count()).toBe(1);
    }
  });
});
