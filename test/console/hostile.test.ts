import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, openConsolePage } from "../support/console-page.ts";
import { corpus, needs } from "../support/parts.ts";
import type { GateParts } from "../support/scratch-gate.ts";
import { ADMIN, openTestServer, type TestServer } from "../support/test-server.ts";

/** What would set `hit` if any of it became more than text; and what would turn or hide the text around it. */
const OWN = [
  "<script>globalThis.hit=1</script>",
  "<img src=x onerror=globalThis.hit=1>",
  "<svg/onload=globalThis.hit=1>",
  '"><iframe srcdoc="<script>parent.hit=1</script>">',
  "'-globalThis.hit=1-'",
  "{{constructor.constructor('globalThis.hit=1')()}}",
  "$" + "{globalThis.hit=1}",
  "javascript:globalThis.hit=1",
  "https://evil.example/?leak",
  "[link](https://evil.example)",
  "<a href=https://evil.example>click</a>",
  "<style>*{display:none}</style><link rel=stylesheet href=//evil.example>",
  "<form action=https://evil.example><button>Approve once</button></form>",
  "<base href=https://evil.example/>",
  "\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007\u001b[2J\u001b]52;c;aGk=\u0007",
  "safe\u202egnp.exe\u2066\u200b\u200d\ufeff\u00ad\u{e0041}\u2028\u2029\u0000\u009b",
  "</textarea></title></noscript><script>globalThis.hit=1</script>",
  "&lt;script&gt;globalThis.hit=1&lt;/script&gt;",
  "__proto__",
];

/** As `visible.ts`: nothing of these may be on the page. */
const ACTING = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

interface Made {
  readonly tags: readonly string[];
  readonly attributes: readonly string[];
  readonly links: readonly string[];
  readonly hit: unknown;
  readonly text: string;
  readonly values: readonly string[];
}

/** What a page is made of: names of elements, and of their attributes. */
const made = async (page: Page): Promise<Made> =>
  await page.evaluate(`(() => {
    const all = [...document.querySelectorAll("*")];
    const names = (one) => one.getAttributeNames();
    return {
      tags: [...new Set(all.map(({ tagName }) => tagName.toLowerCase()))],
      attributes: [...new Set(all.flatMap(names))],
      links: [...new Set([...document.querySelectorAll("a")].map((one) => one.protocol + one.host))],
      hit: globalThis.hit ?? null,
      text: document.documentElement.textContent,
      values: all.flatMap((one) => names(one).map((name) => one.getAttribute(name))),
    };
  })()`);

const MIXED = "ab אבג 12 cd";

/** In the page: where each character of that text begins, from the left. */
const PLACES = `(() => {
  const block = [...document.querySelectorAll("pre.foreign")].find((one) => one.textContent === "${MIXED}");
  const range = document.createRange();
  return [...block.textContent].map((_, at) => {
    range.setStart(block.firstChild, at);
    range.setEnd(block.firstChild, at + 1);
    return Math.round(range.getBoundingClientRect().left);
  });
})()`;

/** Where to go, and what is there once all of it is. */
type Place = readonly [address: string, whenShown: string];

/** Rules and tools that say this. */
const saying = (text: string): GateParts => ({
  rules: [
    { id: "look", effect: "allow", touch: { read: ["./**"] }, because: text },
    { id: "ask", effect: "ask", touch: { write: ["./**"] }, because: text },
  ],
  config: {
    tools: { client: { format: { description: text, inputSchema: { type: "object", properties: { [text]: {} } } } } },
  },
});
const PARTS = saying(OWN.slice(0, 11).join(" "));

needs("chromium")("hostile texts in the console", () => {
  let browser: Browser;
  let server: TestServer;
  beforeAll(async () => {
    browser = await openBrowser();
    server = await openTestServer(PARTS);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  /** Elements and attributes of each page as it is with harmless texts: others must not be there, whatever is said. */
  async function pagesOf(page: Page, url: string, places: readonly Place[]) {
    const found = [];
    for (const [place, whenShown] of places) {
      await page.goto(`${url}/${place}`);
      await page.reload();
      await page.locator(whenShown).first().waitFor();
      found.push(await made(page));
    }
    return found;
  }

  /** A question, a call with its input and output, a reason, a session and a tool's name: all of them say these texts. */
  async function placesThatSay(on: TestServer, texts: readonly string[]): Promise<readonly Place[]> {
    const said = texts.join("\n");
    const input = { path: "a.txt", content: said };
    const { body } = await on.execute("write_file", input, { wait: false, session_id: said.slice(0, 100) });
    await on.post(`approvals/${body.approval.id}/reject`, { reason: said.slice(0, 900) });
    const { body: open } = await on.execute("write_file", input, { wait: false });
    on.scratch.put("b.txt", said);
    const { body: read } = await on.execute("read_file", { path: "b.txt" });
    for (const text of texts.slice(0, 60)) await on.execute(text.slice(0, 100), { [text]: text });
    await on.post("sessions", { lease: { tools: ["read_file"] }, label: said.slice(0, 60) });
    const { body: ledger } = await on.get("ledger?limit=100");
    const seqs: readonly number[] = ledger.entries.slice(-3).map(({ seq }: { seq: number }) => seq);
    return [
      [`#/questions/${open.approval.id}`, ".answer-bar"],
      [`#/questions/${body.approval.id}`, ".verdict"],
      ["#/answered", ".row"],
      ["#/calls", "tbody tr"],
      [`#/calls?tool=${encodeURIComponent(texts[0] ?? "")}`, "tbody tr"],
      [`#/calls/${read.callId}`, ".entry"],
      [`#/calls/${body.callId}`, ".entry"],
      ["#/ledger", ".entry"],
      ...seqs.map((seq) => [`#/ledger/${seq}`, ".facts"] as const),
      ["#/rules", ".rules li"],
      ["#/tools", ".rules li"],
      ["#/sessions", ".rules li"],
    ];
  }

  async function nothingBut(texts: readonly string[], on: TestServer): Promise<void> {
    await using calm = await openTestServer(saying("harmless"));
    await using opened = await openConsolePage(browser, calm);
    const plain = await pagesOf(opened.page, calm.url, await placesThatSay(calm, ["harmless", "texts"]));
    const tags = new Set(plain.flatMap((one) => one.tags));
    const attributes = new Set(plain.flatMap((one) => one.attributes));

    const places = await placesThatSay(on, texts);
    await using hostile = await openConsolePage(browser, on);
    const { page, requested } = hostile;
    const host = new URL(on.url).host;
    for (const found of await pagesOf(page, on.url, places)) {
      expect(found.tags.filter((tag) => !tags.has(tag))).toEqual([]);
      expect(found.attributes.filter((name) => !attributes.has(name))).toEqual([]);
      expect(found.links).toEqual([`http:${host}`]);
      expect(found.hit).toBeNull();
      expect(ACTING.exec(found.text)).toBeNull();
      expect(found.values.filter((value) => ACTING.test(value))).toEqual([]);
    }
    // Not the policy saved us: there was nothing for it to stop.
    expect(await hostile.complaints()).toEqual([]);
    expect(requested.filter((url) => new URL(url).host !== host)).toEqual([]);
    expect(requested.filter((url) => url.includes(ADMIN))).toEqual([]);
  }

  it("are texts on every page, and nothing else", async () => {
    await nothingBut(OWN, server);
  });

  it("are shown to the last character, with what hides in them made visible", async () => {
    await using own = await openTestServer(PARTS);
    const content = OWN.join("\n");
    await own.execute("write_file", { path: "c.txt", content }, { wait: false });
    await using opened = await openConsolePage(browser, own);
    const { page } = opened;
    await page.getByText("safe\\u{202e}gnp.exe\\u{2066}\\u{200b}").first().waitFor();
    const text = await page.getByRole("article").textContent();
    for (const line of OWN.slice(0, 14)) expect(text).toContain(line);
    expect(text).toContain("\\u{1b}]8;;https://evil.example\\u{7}click");
  });

  it("of other scripts stand in the order of their characters", async () => {
    await using own = await openTestServer(PARTS);
    await own.execute("write_file", { path: "א.txt", content: MIXED }, { wait: false });
    await using opened = await openConsolePage(browser, own);
    await opened.page.locator("pre.foreign", { hasText: MIXED }).first().waitFor();
    // From left to right in the order in which they stand, which is not how a browser would lay them out by itself.
    const places = (await opened.page.evaluate(PLACES)) as number[];
    expect(places).toHaveLength(MIXED.length);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(new Set(places).size).toBe(places.length);
  });

  it("write out the spaces of a path that nobody could count", async () => {
    await using own = await openTestServer(PARTS);
    await own.execute("write_file", { path: "a  b.txt", content: "x" }, { wait: false });
    await using opened = await openConsolePage(browser, own);
    await opened.page.locator(".touches code").waitFor();
    // As it is laid out, which is what somebody reads.
    const shown = "a\\u{20}\\u{20}b.txt";
    for (const place of [".touches code", ".row-what code", `.facts .foreign >> text=${shown}`])
      expect(await opened.page.locator(place).first().innerText()).toContain(shown);
  });

  it("don't stand over what is above and below them", async () => {
    await using own = await openTestServer(PARTS);
    const tower = `o${"\u0301\u0323".repeat(100)}`;
    await own.execute("write_file", { path: "c.txt", content: tower }, { wait: false });
    await using opened = await openConsolePage(browser, own);
    await opened.page.getByText("o\u0301\u0323\u0301\u0323\\u{301}\\u{323}").first().waitFor();
  });

  const blns = corpus<{ readonly text: string }>("blns.jsonl");
  describe.skipIf(blns === null)(
    `of the big list${blns === null ? " (skipped: ../shared/corpora/blns.jsonl is missing)" : ""}`,
    () => {
      it("are texts on every page, and nothing else", async () => {
        await using own = await openTestServer(PARTS, undefined, { callsPerMinute: 10_000 });
        await nothingBut(
          (blns ?? []).map(({ text }) => text).filter((text) => text !== ""),
          own,
        );
      });
    },
  );
});
