import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Tool } from "../../src/domain/call.ts";
import type { Content } from "../../src/domain/outcome.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import { actingTool } from "../support/acting-tool.ts";
import { openBrowser, openConsolePage } from "../support/console-page.ts";
import { needs } from "../support/parts.ts";
import { openTestServer, user } from "../support/test-server.ts";

/** One pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SVG = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>globalThis.hit = 1</script></svg>`);
const LONG = `${"x".repeat(1_100_000)}<script>globalThis.hit = 1</script>`;

const drawing = (content: readonly Content[]): Tool =>
  defineTool({
    name: "draw",
    description: "draws",
    inputSchema: { type: "object", properties: {} },
    touches: () => [{ kind: "read", path: "/drawn" }],
    execute: () => ({ content }),
  });

const RULES = [{ id: "all", effect: "allow" }] as const;

needs("chromium")("the outcome of a call in the console", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("shows a picture to who asks for it, and nothing that only says it is one", async () => {
    const content: Content[] = [
      { type: "image", mediaType: "image/png", data: PNG },
      { type: "image", mediaType: "image/svg+xml", data: SVG.toString("base64") },
      { type: "image", mediaType: "image/png", data: "bm8gcGljdHVyZQ==" },
    ];
    await using server = await openTestServer({ rules: RULES, tools: [drawing(content)] });
    const { callId } = (await server.execute("draw")).body;
    await using opened = await openConsolePage(browser, server, { at: `#/calls/${callId}` });
    const { page } = opened;
    const show = page.getByRole("button", { name: "Show the picture" });
    await page.getByText("image/svg+xml").waitFor();
    expect([await show.count(), await page.locator("img").count()]).toEqual([2, 0]);
    await show.first().click();
    await expect.poll(() => page.evaluate("document.querySelector('img')?.naturalWidth")).toBe(1);
    await show.click();
    await page.getByText("It can't be drawn.").waitFor();
    expect(await page.locator("img").count()).toBe(1);
    expect(await page.evaluate("globalThis.hit")).toBeUndefined();
    expect(await opened.complaints()).toEqual([]);
  });

  it("has what was too long for it as a file, for whom it is shown", async () => {
    const users = [user("cal", "caller"), user("eve")];
    await using server = await openTestServer({
      rules: RULES,
      tools: ({ workspace }) => [actingTool(workspace, { act: () => LONG }).tool],
      config: { server: { users } },
    });
    const { callId } = (await server.post("tools/execute", { tool_name: "act" }, "cal")).body;
    await using opened = await openConsolePage(browser, server, { token: "cal", at: `#/calls/${callId}` });
    const { page } = opened;
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: `Download all of it (${LONG.length} bytes)` }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^[0-9a-f]{64}\.bin$/);
    expect((await readFile(await file.path(), "utf8")) === LONG).toBe(true);
    expect(page.url()).toBe(`${server.url}/#/calls/${callId}`);
    expect(await page.evaluate("globalThis.hit")).toBeUndefined();
    expect(await opened.complaints()).toEqual([]);
    await using other = await openConsolePage(browser, server, { token: "eve", at: `#/calls/${callId}` });
    await other.page.getByText("not kept, or not for this token").first().waitFor();
    expect(await other.page.getByRole("button", { name: /^Download/ }).count()).toBe(0);
  });

  it("is preceded by input and output while the call runs, and nobody is said to have approved it", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    await using server = await openTestServer({
      rules: RULES,
      tools: ({ workspace }) => [actingTool(workspace, { act: () => promise }).tool],
    });
    const call = server.execute("act", { n: 7 });
    const running = async () => (await server.get("executions")).body.executions[0];
    await expect.poll(async () => (await running())?.status).toBe("EXECUTING");
    const { id } = await running();
    await using opened = await openConsolePage(browser, server, { at: `#/calls/${id}` });
    const { page } = opened;
    await page
      .getByText('"n": 7')
      .or(page.getByText("7", { exact: true }))
      .first()
      .waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    await expect
      .poll(async () => {
        server.gate.events.progress(id, { message: "printed \u001b[31m<b>so far</b>\n" });
        return await page.getByText("Output so far").count();
      })
      .toBe(1);
    await page.getByText("printed \\u{1b}[31m<b>so far</b>").first().waitFor();
    resolve("done");
    await call;
    await page.getByText("Output so far").waitFor({ state: "detached" });
    await page.getByText("allowed by a rule").waitFor();
    expect(await page.getByText("approved").count()).toBe(0);
    expect(await opened.complaints()).toEqual([]);
  });

  it("and the ledger fit on a phone", async () => {
    await using server = await openTestServer({ rules: RULES, tools: () => [drawing([])] });
    for (let calls = 0; calls < 3; calls++) await server.execute("draw");
    await using opened = await openConsolePage(browser, server, {
      at: "#/ledger",
      viewport: { width: 360, height: 700 },
    });
    const { page } = opened;
    await page.locator(".entry").nth(5).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    // No text is squeezed into a column of single letters, and none lies over another.
    const overlaps = await page.evaluate(`[...document.querySelectorAll(".entry")].filter((entry) => {
      const boxes = [...entry.children].map((one) => one.getBoundingClientRect());
      return boxes.some((a, at) => a.height > 60 || boxes.some((b, other) => other > at &&
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
    }).length`);
    expect(overlaps).toBe(0);
  });
});
