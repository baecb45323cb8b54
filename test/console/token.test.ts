import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, openConsolePage } from "../support/console-page.ts";
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

  it("comes out of the link, leaves the address bar at once, and stays in the tab", async () => {
    await using opened = await openConsolePage(browser, server, { tab: "own" });
    const { page, requested } = opened;
    await page.getByText("live", { exact: true }).waitFor();
    expect(page.url()).toBe(`${server.url}/#/questions`);
    expect(await page.evaluate("JSON.stringify([localStorage.length, document.cookie])")).toBe('[0,""]');
    await page.reload();
    await page.getByText("live", { exact: true }).waitFor();
    // The link itself is no step of the history.
    await page.goBack();
    expect(page.url()).not.toContain(ADMIN);
    expect(requested.filter((url) => url.includes(ADMIN.slice(0, 16)) || url.includes("token"))).toEqual([]);
    expect(server.logged.join("\n")).not.toContain(ADMIN);
    expect(await opened.complaints()).toEqual([]);
  });

  it("is asked for where there is none, and again where it is not good", async () => {
    await using opened = await openConsolePage(browser, server, { token: null, tab: "own" });
    const { page, requested } = opened;
    await page.getByLabel("Token").fill("nobody");
    await page.keyboard.press("Enter");
    await page.getByText("The server does not know this token").waitFor();
    await page.getByLabel("Token").fill("ann");
    await page.getByRole("button", { name: "Open the console" }).click();
    await page.getByText("live", { exact: true }).waitFor();
    expect(requested.every((url) => !url.includes("nobody") && !url.includes("ann"))).toBe(true);
    expect(await page.evaluate("Object.values(sessionStorage)")).toEqual(["ann"]);
    expect(await opened.complaints()).toEqual([]);
  });

  it("is taken from a link that is opened in the same tab", async () => {
    await using opened = await openConsolePage(browser, server, { token: "nobody", tab: "own" });
    const { page } = opened;
    await page.getByText("The server does not know this token").waitFor();
    await page.goto(`${server.url}/#token=ann`);
    await page.getByText("live", { exact: true }).waitFor();
    expect(page.url()).toBe(`${server.url}/#/questions`);
  });

  it("is forgotten by who signs out", async () => {
    await using opened = await openConsolePage(browser, server, { tab: "own" });
    const { page } = opened;
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Token").waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await page.reload();
    await page.getByLabel("Token").waitFor();
  });

  it("of an agent shows nothing that is not for agents", async () => {
    const { body } = await server.post("sessions", { lease: { tools: ["read_file"], read: ["./**"] } });
    await using opened = await openConsolePage(browser, server, { token: body.token, at: "#/ledger", tab: "own" });
    await opened.page.getByText("this is not for agents").waitFor();
    expect(await opened.complaints()).toEqual([]);
  });
});
