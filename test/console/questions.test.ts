import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConsolePage, openBrowser, openConsolePage } from "../support/console-page.ts";
import { handClock } from "../support/hand-clock.ts";
import { needs } from "../support/parts.ts";
import { ASK_ALL, type GateParts } from "../support/scratch-gate.ts";
import { openTestServer, type TestServer, user } from "../support/test-server.ts";

const USERS = [user("ann", "approver"), user("bob", "approver"), user("eve", "caller")];
const PARTS: GateParts = { rules: ASK_ALL, config: { server: { users: USERS } } };
const TWO: GateParts = {
  ...PARTS,
  rules: [{ id: "two", effect: "ask", touch: { write: ["./**"] }, approvers: { people: 2 } }],
};

const write = (server: TestServer, path: string, content = "x") => server.execute("write_file", { path, content });
const pending = async (server: TestServer, path: string, content = "x") =>
  (await server.execute("write_file", { path, content }, { wait: false })).body.approval.id as string;
const row = (page: Page, path: string) => page.getByRole("list", { name: "open questions" }).getByText(path);
const yes = (page: Page) => page.getByRole("button", { name: "Approve once" });
const no = (page: Page) => page.getByRole("button", { name: /^Reject/ });
const shown = (page: Page, text: string) => page.getByRole("article").getByText(text).first().waitFor();

/** In the page: what a browser does that lays out a very long text, and somebody who presses a key meanwhile. */
const HELD_UP = `
  new MutationObserver((_, observer) => {
    if (document.querySelector(".answer-bar") === null) return;
    observer.disconnect();
    for (const begun = performance.now(); performance.now() - begun < 700; );
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
  }).observe(document, { childList: true, subtree: true });
`;

needs("chromium")("questions in the console", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const open = (server: TestServer, options: Parameters<typeof openConsolePage>[2] = { token: "ann" }) =>
    openConsolePage(browser, server, options);
  const quiet = async ({ complaints }: ConsolePage) => expect(await complaints()).toEqual([]);

  it("come by themselves, show the whole plan, and the call goes on with the answer", async () => {
    await using server = await openTestServer(PARTS);
    await using opened = await open(server);
    const { page } = opened;
    await page.getByText("Nothing waits for an answer.", { exact: true }).waitFor();
    const call = write(server, "notes-a.txt", "all of it\nto the last line");
    await shown(page, "notes-a.txt");
    expect(await page.title()).toBe("(1) Questions · Toolgate");
    for (const text of ["people decide", "to the last line", "(a new file)", "ask-files", "MEDIUM risk", "left"])
      await shown(page, text);
    const { body } = await server.get("approvals");
    await shown(page, body.approvals[0].plan_digest);
    for (const text of ["people decide", "admin", "rest:admin", "MEDIUM risk"]) await row(page, text).first().waitFor();
    await yes(page).click();
    await shown(page, "you approved it");
    expect((await call).body.kind).toBe("completed");
    await page.getByText("Nothing waits for an answer.", { exact: true }).waitFor();
    await quiet(opened);
  });

  it("have keys that can be turned off, for as long as the tab is there", async () => {
    await using server = await openTestServer(PARTS);
    const ids = [await pending(server, "first.txt"), await pending(server, "second.txt")];
    await using opened = await open(server);
    const { page } = opened;
    const ready = () => page.locator("button.yes[aria-disabled=false]").waitFor();
    await shown(page, "first.txt");
    await page.getByRole("button", { name: "Turn keys off" }).click();
    await page.getByText("single keys do nothing").waitFor();
    await ready();
    for (const key of ["j", "k", "a", "r"]) await page.keyboard.press(key);
    await shown(page, "first.txt");
    expect(await page.getByLabel("Reason").isVisible()).toBe(false);
    await page.reload();
    await ready();
    await page.keyboard.press("a");
    // The arrows are no letters, and move.
    await page.keyboard.press("ArrowDown");
    await shown(page, "second.txt");
    await ready();
    await page.getByRole("button", { name: "Turn keys on" }).click();
    await page.keyboard.press("a");
    await shown(page, "you approved it");
    const states = await Promise.all(ids.map(async (id) => (await server.get(`approvals/${id}`)).body.approval.status));
    expect(states).toEqual(["pending", "approved"]);
    await quiet(opened);
  });

  it("tell who has said yes already, where more than one has to, and as it happens", async () => {
    await using server = await openTestServer(TWO);
    const id = await pending(server, "a.txt");
    await using opened = await open(server, { token: "bob" });
    await shown(opened.page, "0 of the 2 people who are needed have said yes");
    await server.post(`approvals/${id}/approve`, {}, "ann");
    await shown(opened.page, "1 of the 2 people who are needed have said yes: user:ann");
    await yes(opened.page).click();
    await shown(opened.page, "you approved it");
    await quiet(opened);
  });

  it("show an edit as a diff, line by line", async () => {
    await using server = await openTestServer(PARTS);
    server.scratch.put("a.txt", "one\ntwo\n");
    await using opened = await open(server);
    const edits = [{ type: "replace", oldText: "two", newText: "three" }];
    const call = server.execute("edit_file", { path: "a.txt", edits });
    await opened.page.locator("[data-line=added]", { hasText: "+three" }).waitFor();
    await opened.page.locator("[data-line=removed]", { hasText: "-two" }).waitFor();
    await opened.page.evaluate('document.querySelector(".scroll").scrollTo(0, 1e9)');
    await yes(opened.page).click();
    expect((await call).body.kind).toBe("completed");
    expect(server.scratch.text("a.txt")).toBe("one\nthree\n");
  });

  it("show what a write changes in a file that is there, if its caller may read it", async () => {
    const look = { id: "look", effect: "allow", touch: { read: ["./**"] } } as const;
    const ask = { id: "ask", effect: "ask", touch: { write: ["./**"] } } as const;
    await using server = await openTestServer({
      ...PARTS,
      rules: [ask, look],
    });
    server.scratch.put("a.txt", "one\n-- two\n");
    await using opened = await open(server);
    const call = write(server, "a.txt", "one\nthree\n");
    await opened.page.locator("[data-line=added]", { hasText: "+three" }).waitFor();
    await opened.page.locator("[data-line=removed]", { hasText: "--- two" }).waitFor();
    // The names of the file are no changes of it.
    expect(await opened.page.locator("[data-line=place]").first().textContent()).toMatch(
      /^--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@/,
    );
    await server.post(`approvals/${(await server.get("approvals")).body.approvals[0].approval_id}/reject`);
    await call;
  });

  it("show an edit of very many lines, and one that changes every other line", async () => {
    await using server = await openTestServer(PARTS);
    const many = "x\n".repeat(150_000);
    server.scratch.put("a.txt", "one\ntwo\n");
    const [oldText, newText] = ["x\ny\n".repeat(3000), "x\nz\n".repeat(3000)];
    server.scratch.put("b.txt", oldText);
    const long = [{ type: "replace", oldText: "two\n", newText: many }];
    const often = [{ type: "replace", oldText, newText }];
    const ids = [];
    for (const [path, edits] of Object.entries({ "a.txt": long, "b.txt": often }))
      ids.push((await server.execute("edit_file", { path, edits }, { wait: false })).body.approval.id);
    for (const id of ids) {
      await using opened = await open(server, { token: "ann", at: `#/questions/${id}` });
      await opened.page.locator(".diff").waitFor();
      await yes(opened.page).waitFor();
      expect(await opened.page.locator(".diff [data-line]").count()).toBeLessThan(2000);
    }
  });

  it("are rejected with a reason, which the caller and the ledger hear", async () => {
    await using server = await openTestServer(PARTS);
    await using opened = await open(server);
    const { page } = opened;
    const call = write(server, "b.txt");
    await no(page).click();
    await page.getByLabel("Reason").fill("not in <b>this</b> folder");
    await page.getByRole("button", { name: "Reject now" }).click();
    await shown(page, "you rejected it, because: not in <b>this</b> folder");
    expect((await call).body.refusal.message).toBe("user:ann said no: not in <b>this</b> folder");
    await quiet(opened);
  });

  it("are answered by keys alone, with the focus always to be seen", async () => {
    await using server = await openTestServer(PARTS);
    const calls = [write(server, "first.txt"), write(server, "second.txt"), write(server, "third.txt")];
    await using opened = await open(server);
    const { page } = opened;
    await page.getByText("Questions (3)").waitFor();
    const current = page.locator(".row[aria-current=true]");
    const names = await page.locator(".row .row-what").allTextContents();
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("j");
    expect(await current.locator(".row-what").textContent()).toBe(names[2]);
    await page.keyboard.press("k");
    expect(await current.locator(".row-what").textContent()).toBe(names[1]);
    const focused = "document.activeElement.matches('.row[aria-current]:focus-visible')";
    expect(await page.evaluate(focused)).toBe(true);
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    await page.locator(".answer-bar button.yes[aria-disabled=false]").waitFor();
    await page.keyboard.press("a");
    await shown(page, "you approved it");
    await page.keyboard.press("j");
    await page.locator(".answer-bar button.no[aria-disabled=false]").waitFor();
    await page.keyboard.press("r");
    // Letters are letters in the field, and no answers.
    await page.keyboard.type("jar");
    await page.locator(".answer-bar button.no[aria-disabled=false]").waitFor();
    await page.keyboard.press("Enter");
    await shown(page, "you rejected it, because: jar");
    await page.getByText("Questions (1)").waitFor();
    const { body } = await server.get("approvals?status=resolved");
    const answers = body.approvals.map(({ status, reason }: { status: string; reason: string }) => [status, reason]);
    expect(answers.toSorted()).toEqual([
      ["approved", null],
      ["rejected", "jar"],
    ]);
    await server.post(`approvals/${(await server.get("approvals")).body.approvals[0].approval_id}/approve`);
    await Promise.all(calls);
  });

  it("tell who came second who won", async () => {
    await using server = await openTestServer(PARTS);
    const id = await pending(server, "c.txt");
    await using opened = await open(server);
    const { page } = opened;
    // What others answer is held up, as on a slow line.
    await yes(page).waitFor();
    await page.route("**/approve", async (route) => {
      await server.post(`approvals/${id}/reject`, { reason: "no, I said" }, "bob");
      await route.continue();
    });
    await yes(page).click();
    await shown(page, "Somebody was faster: user:bob rejected it, because: no, I said");
    await quiet(opened);
  });

  it("that are answered elsewhere say so and stay where they are", async () => {
    await using server = await openTestServer(PARTS);
    const first = await pending(server, "d.txt");
    await using opened = await open(server);
    const { page } = opened;
    await shown(page, "d.txt");
    await pending(server, "e.txt");
    await row(page, "e.txt").waitFor();
    await server.post(`approvals/${first}/approve`, {}, "bob");
    await shown(page, "Answered elsewhere: user:bob approved it");
    expect(await page.getByRole("article").getByText("d.txt").count()).toBeGreaterThan(0);
    expect(await yes(page).count()).toBe(0);
    await page.getByRole("button", { name: "Next question" }).click();
    await shown(page, "e.txt");
    expect(await row(page, "d.txt").count()).toBe(0);
  });

  it("that ran out are told as that", async () => {
    const clock = handClock(Date.now());
    await using server = await openTestServer({ ...PARTS, inner: { clock } });
    await pending(server, "late.txt");
    await using opened = await open(server);
    await yes(opened.page).waitFor();
    clock.move(300_001);
    await shown(opened.page, "nobody answered in time; the call was not run");
    expect(await yes(opened.page).count()).toBe(0);
    // And to who answers in that very moment.
    await pending(server, "later.txt");
    await row(opened.page, "later.txt").waitFor();
    await opened.page.keyboard.press("j");
    await shown(opened.page, "later.txt");
    await opened.page.route("**/approve", async (route) => {
      clock.move(300_001);
      await route.continue();
    });
    await yes(opened.page).click();
    await shown(opened.page, "nobody answered in time; the call was not run");
  });

  it("of others' calls are not for callers to answer", async () => {
    await using server = await openTestServer(PARTS);
    await pending(server, "f.txt");
    await using opened = await open(server, { token: "eve" });
    await shown(opened.page, "the plan is for who answers questions");
    expect(await yes(opened.page).count()).toBe(0);
    await quiet(opened);
  });

  it("may want two people, or not the one who asks", async () => {
    await using server = await openTestServer(TWO);
    const call = write(server, "g.txt");
    await using anns = await open(server);
    await using bobs = await open(server, { token: "bob" });
    await shown(anns.page, "2 people have to say yes");
    await yes(anns.page).click();
    await shown(anns.page, "your yes counts: 1 of 2 that are needed");
    await yes(bobs.page).click();
    await shown(bobs.page, "you approved it");
    await shown(anns.page, "Answered elsewhere: user:ann and user:bob approved it");
    expect((await call).body.kind).toBe("completed");
    await using own = await openTestServer({
      ...PARTS,
      rules: [{ id: "own", effect: "ask", touch: { write: ["./**"] }, approvers: { requester: "never" } }],
    });
    await pending(own, "h.txt");
    await using admins = await openConsolePage(browser, own);
    await yes(admins.page).waitFor();
    await shown(admins.page, "never who made the call, nor who opened its session");
    const place = await yes(admins.page).boundingBox();
    await yes(admins.page).click();
    await shown(admins.page, "you may not answer this question");
    expect(await yes(admins.page).boundingBox()).toEqual(place);
  });

  it("are not answered by a click or a key that comes before anybody can have read them", async () => {
    await using server = await openTestServer(PARTS);
    await pending(server, "i.txt");
    await using opened = await open(server, { token: "ann", clock: "by hand" });
    const { page } = opened;
    await yes(page).waitFor();
    await page.clock.pauseAt(Date.now() + 2000);
    const second = await pending(server, "j.txt");
    await row(page, "j.txt").click();
    await shown(page, "j.txt");
    await yes(page).click({ force: true });
    await shown(page, "too fast to have been read");
    await page.keyboard.press("a");
    await page.clock.runFor(499);
    await yes(page).click({ force: true });
    expect((await server.get(`approvals/${second}`)).body.approval.status).toBe("pending");
    // Half a second from when it was drawn, which takes two frames.
    await page.clock.runFor(100);
    await yes(page).click();
    await shown(page, "you approved it");
    expect((await server.get(`approvals/${second}`)).body.approval.status).toBe("approved");
  });

  it("are not answered before they are on the screen, however long the browser takes to lay them out", async () => {
    await using server = await openTestServer(PARTS);
    const id = await pending(server, "slow.txt");
    await using opened = await open(server, { token: "ann", before: HELD_UP });
    await shown(opened.page, "too fast to have been read");
    expect((await server.get(`approvals/${id}`)).body.approval.status).toBe("pending");
    await yes(opened.page).click();
    await shown(opened.page, "you approved it");
  });

  it("are approved without the reason that was written for a no", async () => {
    await using server = await openTestServer(PARTS);
    const id = await pending(server, "o.txt");
    await using opened = await open(server);
    await no(opened.page).click();
    await opened.page.getByLabel("Reason").fill("not this one");
    await yes(opened.page).click();
    await shown(opened.page, "you approved it");
    expect(await opened.page.getByRole("article").getByText("not this one").count()).toBe(0);
    expect((await server.get(`approvals/${id}`)).body.approval.reason).toBeNull();
  });

  it("are not done with where what comes back is no answer of the server's", async () => {
    await using server = await openTestServer(PARTS);
    const id = await pending(server, "p.txt");
    await using opened = await open(server);
    const { page } = opened;
    await yes(page).waitFor();
    await page.route("**/approve", (route) => route.fulfill({ status: 502, json: { error: "bad gateway" } }));
    await yes(page).click();
    await shown(page, "not known whether your answer has arrived");
    expect([await row(page, "p.txt").count(), await yes(page).count()]).toEqual([1, 1]);
    expect((await server.get(`approvals/${id}`)).body.approval.status).toBe("pending");
    await page.unroute("**/approve");
    await yes(page).click();
    await shown(page, "you approved it");
  });

  it("that come and go don't move the one that is read", async () => {
    await using server = await openTestServer(PARTS);
    const before = await pending(server, "k.txt");
    await pending(server, "l.txt");
    await using opened = await open(server);
    const { page } = opened;
    await row(page, "l.txt").click();
    await shown(page, "l.txt");
    const place = await yes(page).boundingBox();
    const address = page.url();
    await pending(server, "m.txt");
    await row(page, "m.txt").waitFor();
    await server.post(`approvals/${before}/reject`, {}, "bob");
    await page.getByText("Questions (2)").waitFor();
    expect([page.url(), await yes(page).boundingBox()]).toEqual([address, place]);
    await shown(page, "l.txt");
  });

  it("show the first wherever there is room for it, also to who was at another one", async () => {
    await using server = await openTestServer(PARTS);
    for (const path of ["q.txt", "r.txt"]) await pending(server, path);
    await using opened = await open(server, { token: "ann", tab: "own" });
    const { page } = opened;
    await shown(page, "q.txt");
    const address = page.url();
    await row(page, "r.txt").click();
    await shown(page, "r.txt");
    // By a link, and by the address: what is shown there does not hang on whether the list has come before.
    await page.getByRole("link", { name: "Toolgate" }).click();
    await shown(page, "q.txt");
    expect(page.url()).toBe(address);
    await page.goBack();
    await shown(page, "r.txt");
    await page.goto(`${server.url}/#/questions`);
    await shown(page, "q.txt");
    await yes(page).waitFor();
    expect(page.url()).toBe(address);
    // Where there is none, the list is all that is shown.
    await page.setViewportSize({ width: 360, height: 700 });
    await page.getByRole("link", { name: "All questions" }).click();
    await page.getByRole("article").waitFor({ state: "detached" });
    await row(page, "q.txt").waitFor();
    await quiet(opened);
  });

  it("that have their answer are listed, and can be read again", async () => {
    await using server = await openTestServer(PARTS);
    const id = await pending(server, "n.txt");
    await server.post(`approvals/${id}/reject`, { reason: "no" }, "bob");
    await using opened = await open(server, { token: "ann", at: "#/answered" });
    await opened.page.getByText("user:bob rejected it, because: no").click();
    await shown(opened.page, "n.txt");
    expect(await yes(opened.page).count()).toBe(0);
  });
});
