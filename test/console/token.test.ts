import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loginCode, openBrowser, openConsolePage } from "../support/console-page.ts";
import { needs } from "../support/parts.ts";
import { ASK_ALL } from "../support/scratch-gate.ts";
import { ADMIN, openTestServer, type TestServer, user } from "../support/test-server.ts";

needs("chromium")("the console's token", () => {
  let browser: Browser;
  let server: TestServer;
  beforeAll(async () => {
    browser = await openBrowser();
    server = await openTestServer({ rules: ASK_ALL, config: { server: { users: [user("ann", "approver")] } } });
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  /** All that the browser keeps of this site in a tab: the history's addresses, and every storage that scripts reach. */
  const kept = async (page: Page) =>
    (await page.evaluate(
      "JSON.stringify([location.href, history.length, Object.entries(sessionStorage), Object.entries(localStorage), document.cookie])",
    )) as string;

  it("is exchanged for a login of this tab, and leaves no trace in addresses or storage", async () => {
    await using opened = await openConsolePage(browser, server, { tab: "own" });
    const { page, requested } = opened;
    await page.getByText("live", { exact: true }).waitFor();
    expect(page.url()).toBe(`${server.url}/#/questions`);
    expect(await kept(page)).not.toContain(ADMIN);
    await page.reload();
    await page.getByText("live", { exact: true }).waitFor();
    // The link itself is no step of the history.
    await page.goBack();
    expect(page.url()).not.toContain("code=");
    expect(requested.filter((url) => /token|code=/.test(url))).toEqual([]);
    expect(server.logged.join("\n")).not.toContain(ADMIN);
    expect(await opened.complaints()).toEqual([]);
  });

  it("opens nothing by a link that was used: in the same tab, in another one, and after signing out", async () => {
    const { body } = await server.post("/login/code");
    const link = `${server.url}/#code=${body.code}`;
    await using opened = await openConsolePage(browser, server, { token: null, tab: "own" });
    const { page } = opened;
    await page.goto(link);
    await page.getByText("live", { exact: true }).waitFor();
    await using other = await openConsolePage(browser, server, { token: null, tab: "own" });
    await other.page.goto(link);
    await other.page.getByText("This link was used before").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("Signed out.").waitFor();
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByText("This link was used before").waitFor();
    expect(await kept(page)).not.toContain(body.code);
  });

  it("is not kept after signing out: what was in the storage before signs in no more", async () => {
    await using opened = await openConsolePage(browser, server, { tab: "own" });
    const { page } = opened;
    await page.getByText("live", { exact: true }).waitFor();
    // As a restored session would bring it back from the disk.
    const stored = (await page.evaluate("JSON.stringify({ ...sessionStorage })")) as string;
    const out = page.waitForResponse((response) => response.url().endsWith("/logout"));
    await page.getByRole("button", { name: "Sign out" }).click();
    expect((await out).status()).toBe(200);
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await page.evaluate(`Object.assign(sessionStorage, ${stored})`);
    await page.reload();
    await page.getByText("The server does not know this token").waitFor();
    for (const value of Object.values(JSON.parse(stored) as Record<string, string>))
      expect((await server.get("approvals", value)).status).toBe(401);
  });

  it("of an older server's link signs nobody in, and leaves the address bar", async () => {
    await using opened = await openConsolePage(browser, server, { token: null, tab: "own" });
    const { page } = opened;
    await page.goto(`${server.url}/?#token=${ADMIN}`);
    await page.getByText("This link was used before, or is too old").waitFor();
    expect(await kept(page)).not.toContain(ADMIN);
  });

  it("is asked for where there is none, and again where it is not good", async () => {
    await using opened = await openConsolePage(browser, server, { token: null, tab: "own" });
    const { page, requested } = opened;
    await page.getByLabel("Token").fill("nobody");
    await page.keyboard.press("Enter");
    await page.getByText("The server does not accept this token").waitFor();
    await page.getByLabel("Token").fill("ann");
    await page.getByRole("button", { name: "Open the console" }).click();
    await page.getByText("live", { exact: true }).waitFor();
    expect(requested.every((url) => !url.includes("nobody") && !url.includes("ann"))).toBe(true);
    expect(await page.evaluate("Object.values(sessionStorage)")).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(await opened.complaints()).toEqual([]);
  });

  it("is given by a link that is opened in the same tab", async () => {
    await using opened = await openConsolePage(browser, server, { token: "nobody", tab: "own" });
    const { page } = opened;
    await page.getByText("The server does not accept this token").waitFor();
    await page.goto(`${server.url}/#code=${await loginCode(server.url, "ann")}`);
    await page.getByText("live", { exact: true }).waitFor();
    expect(page.url()).toBe(`${server.url}/#/questions`);
  });

  it("of an agent opens no console", async () => {
    const { body } = await server.post("sessions", { lease: { tools: ["read_file"], read: ["./**"] } });
    await using opened = await openConsolePage(browser, server, { token: body.token, at: "#/ledger", tab: "own" });
    await opened.page.getByText("this is not for agents").waitFor();
    expect(await opened.complaints()).toEqual([]);
  });
});
