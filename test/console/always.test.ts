import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alwaysFile } from "../../src/config/always-rules.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { type ConsolePage, openBrowser, openConsolePage } from "../support/console-page.ts";
import { needs } from "../support/parts.ts";
import type { GateParts } from "../support/scratch-gate.ts";
import { ended, openTestServer, type TestServer, user } from "../support/test-server.ts";

const ASK: RuleSource = { id: "ask", effect: "ask", otherwise: true, touch: { write: ["./**"] } };
const PLAIN: RuleSource = { id: "plain", effect: "ask", touch: { delete: ["./**"] } };
const USERS = [user("ann", "approver"), user("root", "admin")];
const PARTS: GateParts = { rules: [ASK, PLAIN], config: { server: { users: USERS } }, settings: "followed" };

async function pending(server: TestServer, path = "a.txt") {
  const { body } = await server.execute("write_file", { path, content: "x" }, { wait: false });
  return { id: body.approval.id as string, callId: body.callId as string };
}

const button = (page: Page, name: string) => page.getByRole("button", { name });
const once = (page: Page) => button(page, "Approve once");
const allow = (page: Page) => button(page, "Allow always…");
const deny = (page: Page) => button(page, "Reject always…");
const sure = (page: Page) => button(page, "Save the rule and");
const shown = (page: Page, text: string) => page.getByRole("article").getByText(text).first().waitFor();
const savedIn = ({ scratch }: TestServer): string | null =>
  existsSync(alwaysFile(scratch.stateDir)) ? readFileSync(alwaysFile(scratch.stateDir), "utf8") : null;
const statusOf = async (server: TestServer, id: string) => (await server.get(`approvals/${id}`)).body.approval.status;

needs("chromium")("always in the console", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const open = (server: TestServer, options: Parameters<typeof openConsolePage>[2] = { token: "root" }) =>
    openConsolePage(browser, server, options);
  const quiet = async ({ complaints }: ConsolePage) => expect(await complaints()).toEqual([]);

  it("shows the rule as it is saved, asks a second time, and then approves", async () => {
    await using server = await openTestServer(PARTS);
    const { id, callId } = await pending(server);
    const { text, rule_id } = (await server.get(`approvals/${id}`)).body.always.approve;
    await using opened = await open(server);
    const { page } = opened;
    await allow(page).click();
    expect(await page.locator(".rule pre").textContent()).toBe(text.trimEnd());
    // Nothing is answered yet, nor by the keys that answer once.
    await page.locator(".answer-bar .yes[aria-disabled=false]").waitFor();
    await page.keyboard.press("a");
    await page.keyboard.press("r");
    expect([await statusOf(server, id), savedIn(server), await once(page).count()]).toEqual(["pending", null, 0]);
    await sure(page).click();
    await shown(page, "you approved it");
    await shown(page, rule_id);
    expect(savedIn(server)?.endsWith(text)).toBe(true);
    expect(await ended(server, callId)).toMatchObject({ status: "COMPLETED" });
    const said = server.scratch.entries(callId).filter(({ actor }) => actor === "user:root");
    expect(said.map(({ kind }) => kind)).toEqual(["approval.answered", "policy.always"]);
    await quiet(opened);
  });

  it("rejects for good, with a reason for this time", async () => {
    await using server = await openTestServer(PARTS);
    await pending(server);
    await using opened = await open(server);
    const { page } = opened;
    await deny(page).click();
    await page.getByLabel("Reason").fill("never here");
    // Enter in the field is no second yes.
    await page.locator(".answer-bar .no[aria-disabled=false]").waitFor();
    await page.keyboard.press("Enter");
    await sure(page).click();
    await shown(page, "you rejected it, because: never here");
    expect(savedIn(server)).toContain("effect: deny");
    const again = await server.execute("write_file", { path: "a.txt", content: "y" });
    expect(again.body.refusal.code).toBe("RULE_DENY");
    await quiet(opened);
  });

  it("goes back without an answer, by the button and by Escape", async () => {
    await using server = await openTestServer(PARTS);
    const { id } = await pending(server);
    await using opened = await open(server);
    const { page } = opened;
    await allow(page).click();
    await button(page, "Back").click();
    await deny(page).click();
    await sure(page).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator(".rule").count()).toBe(0);
    expect([await statusOf(server, id), savedIn(server)]).toEqual(["pending", null]);
    await once(page).click();
    await shown(page, "you approved it");
    expect(savedIn(server)).toBeNull();
  });

  it("says why there is no such rule where a plain ask would go on asking", async () => {
    await using server = await openTestServer(PARTS);
    server.scratch.put("a.txt");
    const { body } = await server.execute("delete_file", { path: "a.txt" }, { wait: false });
    await using opened = await open(server);
    const { page } = opened;
    await once(page).waitFor();
    const place = await once(page).boundingBox();
    await allow(page).click();
    await shown(page, "asks whatever other rules allow");
    expect([await sure(page).count(), await once(page).boundingBox()]).toEqual([0, place]);
    expect(await statusOf(server, body.approval.id)).toBe("pending");
    await deny(page).click();
    await sure(page).click();
    await shown(page, "you rejected it");
  });

  it("is not offered to who may only answer", async () => {
    await using server = await openTestServer(PARTS);
    await pending(server);
    await using opened = await open(server, { token: "ann" });
    await once(opened.page).waitFor();
    expect([await allow(opened.page).count(), await deny(opened.page).count()]).toEqual([0, 0]);
    await once(opened.page).click();
    await shown(opened.page, "you approved it");
  });

  it("is not said by a click that comes before the rule can have been read, nor before the question can", async () => {
    await using server = await openTestServer(PARTS);
    await pending(server, "i.txt");
    await using opened = await open(server, { token: "root", clock: "by hand" });
    const { page } = opened;
    await allow(page).waitFor();
    await page.clock.pauseAt(Date.now() + 2000);
    const { id } = await pending(server, "j.txt");
    await page.getByRole("list", { name: "open questions" }).getByText("j.txt").click();
    await shown(page, "j.txt");
    await allow(page).click({ force: true });
    await shown(page, "too fast to have been read");
    await page.clock.runFor(600);
    await allow(page).click();
    await sure(page).waitFor();
    await page.clock.runFor(400);
    await sure(page).click({ force: true });
    await shown(page, "too fast to have been read");
    // Somebody who comes back to the window begins to read only then.
    await page.clock.runFor(600);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await sure(page).click({ force: true });
    expect([await statusOf(server, id), savedIn(server)]).toEqual(["pending", null]);
    await page.clock.runFor(600);
    await sure(page).click();
    await shown(page, "you approved it");
    expect(savedIn(server)).toContain("./j.txt");
  });

  it("is not saved where the rule is another one by now, and is shown anew", async () => {
    await using server = await openTestServer(PARTS);
    const { id } = await pending(server);
    await using opened = await open(server);
    const { page } = opened;
    await page.route("**/approve", async (route) => {
      const body = { ...route.request().postDataJSON(), always: { rule_digest: "0".repeat(64) } };
      await route.continue({ postData: JSON.stringify(body) });
    });
    await allow(page).click();
    await sure(page).click();
    await shown(page, "always would save another rule by now");
    expect([await statusOf(server, id), savedIn(server), await sure(page).count()]).toEqual(["pending", null, 0]);
    await page.unroute("**/approve");
    await allow(page).click();
    await sure(page).click();
    await shown(page, "you approved it");
  });

  it("says so where the answer counts and the rule could not be saved", async () => {
    await using server = await openTestServer(PARTS);
    await pending(server);
    await using opened = await open(server);
    writeFileSync(alwaysFile(server.scratch.stateDir), "[]\n", { mode: 0o600 });
    await allow(opened.page).click();
    await sure(opened.page).click();
    await shown(opened.page, "you approved it");
    await shown(opened.page, "the rule was not saved");
  });

  it("saves nothing where somebody else was faster", async () => {
    await using server = await openTestServer(PARTS);
    const { id } = await pending(server);
    await using opened = await open(server);
    const { page } = opened;
    await page.route("**/approve", async (route) => {
      await server.post(`approvals/${id}/reject`, { reason: "no" }, "ann");
      await route.continue();
    });
    await allow(page).click();
    await sure(page).click();
    await shown(page, "Somebody was faster: user:ann rejected it, because: no");
    expect(savedIn(server)).toBeNull();
  });

  it("shows what is hostile in a rule as text", async () => {
    await using server = await openTestServer(PARTS);
    const path = "<img src=x onerror=globalThis.hit=1>\u202e\u200b.txt";
    await pending(server, path);
    await using opened = await open(server);
    const { page } = opened;
    await allow(page).click();
    await sure(page).waitFor();
    const text = await page.locator(".rule pre").textContent();
    expect(text).toContain("<img src=x onerror=globalThis.hit=1>");
    expect(text).not.toMatch(/[\u202e\u200b]/u);
    expect(await page.locator(".rule img").count()).toBe(0);
    expect(await page.evaluate("globalThis.hit ?? null")).toBeNull();
    await quiet(opened);
  });

  describe("what the console answers", () => {
    it.each([
      ["Approve once", "**/approve", []],
      ["Reject…", "**/reject", ["Reject now"]],
      ["Allow always…", "**/approve", ["Save the rule and approve"]],
      ["Reject always…", "**/reject", ["Save the rule and reject"]],
    ])("%s: carries the digest of the plan that is shown", async (name, where, more) => {
      await using server = await openTestServer(PARTS);
      const { id } = await pending(server);
      await using opened = await open(server);
      const { page } = opened;
      const sent = page.waitForRequest(where);
      for (const label of [name, ...more]) await button(page, label).click();
      const { approval } = (await server.get(`approvals/${id}`)).body;
      expect((await sent).postDataJSON().plan_digest).toBe(approval.plan_digest);
      await shown(page, "Done: ");
    });

    it("is not what was shown: it stays open, and says so", async () => {
      await using server = await openTestServer(PARTS);
      const { id } = await pending(server);
      await using opened = await open(server);
      const { page } = opened;
      await page.route("**/approve", async (route) => {
        const body = { ...route.request().postDataJSON(), plan_digest: "0".repeat(64) };
        await route.continue({ postData: JSON.stringify(body) });
      });
      await once(page).click();
      await shown(page, "the plan that was shown is not the one");
      expect(await statusOf(server, id)).toBe("pending");
    });
  });
});
