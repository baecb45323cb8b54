import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, openConsolePage } from "../support/console-page.ts";
import { needs } from "../support/parts.ts";
import { ASK_ALL } from "../support/scratch-gate.ts";
import { openTestServer, type TestServer, user } from "../support/test-server.ts";

const PARTS = { rules: ASK_ALL, config: { server: { users: [user("ann", "approver")] } } };
const MB = 1024 * 1024;
/** All that a question of any kind may be drawn as: the characters of the whole page. */
const PAGE_CHARS_MAX = 12 * MB;

const ask = async (server: TestServer, tool: string, params: unknown): Promise<string> => {
  const { body } = await server.execute(tool, params, { wait: false });
  return body.approval.id;
};
const drawn = async (page: Page) => (await page.evaluate("document.body.textContent.length")) as number;
const statusOf = async (server: TestServer, id: string) => (await server.get(`approvals/${id}`)).body.approval.status;
const toTheEnd = (page: Page) => page.evaluate('document.querySelector(".scroll").scrollTo(0, 1e9)');

/** A patch of many files with names as long as names may be. */
const longPaths = (files: number, seed: number) => {
  const folder = `${seed}-${"p".repeat(240)}`;
  const path = (at: number) => [folder, ...Array.from({ length: 6 }, () => "q".repeat(250)), `${at}.md`].join("/");
  const added = Array.from({ length: files }, (_, at) => `*** Add File: ${path(at)}\n+x`);
  return ["*** Begin Patch", ...added, "*** End Patch"].join("\n");
};

needs("chromium")("one question", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.each([
    ["control characters", "\u007f".repeat(15 * MB)],
    ["control characters on many lines", "\u007f\n".repeat(4 * MB)],
    ["invisible characters of two units each", "\u{e0041}".repeat(3 * MB)],
    ["one very long line", "x".repeat(15 * MB)],
  ])("of millions of %s holds up no console, and is approved only once it was downloaded", async (_, content) => {
    await using server = await openTestServer(PARTS);
    const id = await ask(server, "write_file", { path: "a.txt", content });
    await using opened = await openConsolePage(browser, server, { token: "ann", tab: "own" });
    const { page } = opened;
    // It is the first question, and so the one that every console opens.
    await page.getByText("This question is too long to be shown whole").waitFor();
    expect(await drawn(page)).toBeLessThan(MB);
    await toTheEnd(page);
    await page.locator("button.no[aria-disabled=false]").waitFor();
    await page.keyboard.press("a");
    await page.getByText("download it and read it, then it can be approved").waitFor();
    expect(await statusOf(server, id)).toBe("pending");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Download the whole question/ }).click();
    const { default: fs } = await import("node:fs");
    const file = JSON.parse(fs.readFileSync(await (await saved).path(), "utf8"));
    expect(file.plan.input.content.length).toBe(content.length);
    await page.locator("button.yes[aria-disabled=false]").waitFor();
    await page.keyboard.press("a");
    await page.getByText("you approved it").first().waitFor();
    expect(await statusOf(server, id)).toBe("approved");
    expect(await opened.complaints()).toEqual([]);
  });

  it("and 50 of long paths keep the list small and each of them readable", async () => {
    await using server = await openTestServer(PARTS);
    for (let seed = 0; seed < 50; seed++) await ask(server, "apply_patch", { patch: longPaths(100, seed) });
    const list = await fetch(`${server.url}/my/projects/default/approvals?limit=100`, {
      headers: { Authorization: "Bearer ann" },
    });
    const text = await list.text();
    expect(JSON.parse(text).approvals).toHaveLength(50);
    expect(text.length).toBeLessThan(50 * 8 * 1024);
    await using opened = await openConsolePage(browser, server, { token: "ann", tab: "own" });
    await opened.page.getByText("Questions (50)").waitFor();
    await opened.page.locator(".answer-bar").waitFor();
    expect(await drawn(opened.page)).toBeLessThan(PAGE_CHARS_MAX);
    expect(await opened.page.locator(".row").count()).toBe(50);
    await opened.page.keyboard.press("j");
    await opened.page.locator(".row[aria-current=true]").waitFor();
    expect(await opened.complaints()).toEqual([]);
  });

  it("with very many touches is drawn in part, the most hazardous first", async () => {
    await using server = await openTestServer(PARTS);
    const added = Array.from({ length: 499 }, (_, at) => `*** Add File: page-${at}.md\n+x`);
    const patch = ["*** Begin Patch", ...added, "*** Add File: Makefile\n+x", "*** End Patch"].join("\n");
    const id = await ask(server, "apply_patch", { patch });
    await using opened = await openConsolePage(browser, server, { token: "ann", at: `#/questions/${id}` });
    await opened.page.getByText("This question is too long to be shown whole").waitFor();
    expect(await opened.page.locator(".touches li").count()).toBe(101);
    expect(await opened.page.locator(".touches li").first().textContent()).toContain("Makefile");
    await opened.page.getByText("and 400 more, which are in the download").waitFor();
  });

  it("that is long to its fields is bounded as a whole", async () => {
    await using server = await openTestServer(PARTS);
    const edits = Array.from({ length: 200 }, (_, at) => ({
      type: "replace",
      oldText: `<${at}>`,
      newText: "\u007f".repeat(40_000),
    }));
    server.scratch.put("a.txt", edits.map(({ oldText }) => oldText).join("\n"));
    const id = await ask(server, "edit_file", { path: "a.txt", edits });
    await using opened = await openConsolePage(browser, server, { token: "ann", at: `#/questions/${id}` });
    await opened.page.locator(".answer-bar").waitFor();
    expect(await drawn(opened.page)).toBeLessThan(PAGE_CHARS_MAX);
  });
});

needs("chromium")("a call and an entry", () => {
  it("of very long input and output are drawn in part, with the rest as a download", async () => {
    const browser = await openBrowser();
    try {
      await using server = await openTestServer({
        rules: [{ id: "all", effect: "allow", touch: { write: ["./**"], read: ["./**"] } }],
      });
      server.scratch.put("a.txt", "\u007f".repeat(0.7 * MB));
      const { body } = await server.execute("read_file", { path: "a.txt" });
      await using opened = await openConsolePage(browser, server, { at: `#/calls/${body.callId}` });
      const { page } = opened;
      await page.getByText("more characters are not shown").first().waitFor();
      expect(await drawn(page)).toBeLessThan(2 * MB);
      const saved = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download all of it" }).first().click();
      await saved;
    } finally {
      await browser.close();
    }
  });
});
