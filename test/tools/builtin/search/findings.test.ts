import { describe, expect, it } from "vitest";
import { Findings } from "../../../../src/tools/builtin/search/findings.ts";
import type { RgEvent } from "../../../../src/tools/builtin/search/rg-event.ts";
import { redactorFor } from "../../../support/redaction.ts";

type LineEvent = Extract<RgEvent, { kind: "line" }>;

const line = (path: string, number: number, text: string, more: Partial<LineEvent> = {}): LineEvent => ({
  kind: "line",
  isMatch: true,
  path: { text: path },
  line: number,
  text: { text },
  matchAt: 0,
  ...more,
});

const open = (more: { matchesMax?: number; bytesMax?: number } = {}) =>
  new Findings({
    ...{ matchesMax: 100, bytesMax: 10_000, shown: (path: string) => path.slice(3) },
    redactor: redactorFor({ S: SECRET }),
    lookInto: async () => () => "[looked at]",
    ...more,
  });

const SECRET = "Zx9Kq7Lm2Pw4Rt8Vb6Nc1Yd3Hf5Jg0Sa";

const textOf = (findings: Findings, ...rest: Parameters<Findings["result"]>) =>
  findings.result(...rest).content[0].text.split("\n");

describe("Findings", () => {
  it("give nothing away of a secret that a long line is cut in", () => {
    const text = `needle${"-".repeat(980)}${SECRET}${"-".repeat(2000)}`;
    for (const [from, matchAt] of [
      [0, 0],
      [10, 0],
      [900, 1200],
    ] as const) {
      const findings = open();
      findings.add(line("/w/a", 1, text.slice(from), { matchAt }));
      const { content, structured } = findings.result(null, false, []);
      for (const said of [content[0].text, JSON.stringify(structured)])
        for (let i = 0; i + 8 <= SECRET.length; i++) expect(said).not.toContain(SECRET.slice(i, i + 8));
    }
  });

  it("are looked at with what stands around them where they may be of a key, and only there", async () => {
    const findings = open();
    const texts = [
      "a".repeat(64),
      `  "${"b".repeat(40)}\\n",`,
      "YWJjZGVmZ2hpamts==",
      "c".repeat(15),
      `{ x: ${"d".repeat(64)} }`,
    ];
    for (const [i, text] of texts.entries()) findings.add(line("/w/a", i + 1, text));
    await findings.settle();
    const shown = texts.map((text, i) => `a:${i + 1}: ${i < 3 ? "[looked at]" : text}`);
    expect(textOf(findings, null, false, [])).toEqual(shown);
  });

  it("come in the order of their paths' bytes", () => {
    const findings = open();
    for (const path of ["/w/\u{1f600}", "/w/b", "/w/\uff61", "/w/B"]) findings.add(line(path, 1, "x"));
    expect(textOf(findings, null, false, [])).toEqual(["B:1: x", "b:1: x", "\uff61:1: x", "\u{1f600}:1: x"]);
  });

  it("stand in groups when they have context", () => {
    const findings = open();
    findings.add(line("/w/a", 1, "x"));
    findings.add(line("/w/a", 2, "y", { isMatch: false }));
    findings.add(line("/w/a", 5, "x"));
    expect(textOf(findings, null, true, [])).toEqual(["a:1: x", "a-2- y", "--", "a:5: x"]);
    expect(textOf(findings, null, false, [])).toEqual(["a:1: x", "a-2- y", "a:5: x"]);
  });

  it("keep a name with a line end or a terminal command on its line", () => {
    const findings = open();
    findings.add(line("/w/a\nb:1: forged\u001b[2J", 1, "x"));
    expect(textOf(findings, null, false, [])).toEqual(["a\\u{a}b:1: forged\\u{1b}[2J:1: x"]);
  });

  it.each([
    ["matches", { matchesMax: 2 }, ["added", "added", "matches"]],
    ["bytes", { bytesMax: 14 }, ["added", "added", "bytes"]],
    ["bytes, one less", { bytesMax: 13 }, ["added", "bytes", "bytes"]],
  ] as const)("end at the limit of %s", (_, limits, expected) => {
    const findings = open(limits);
    expect([1, 2, 3].map((number) => findings.add(line("/w/a", number, "x")))).toEqual(expected);
  });

  it("do not count context as matches", () => {
    const findings = open({ matchesMax: 1 });
    expect(findings.add(line("/w/a", 1, "x"))).toBe("added");
    expect(findings.add(line("/w/a", 2, "x", { isMatch: false }))).toBe("added");
    expect(findings.result(null, true, []).structured).toMatchObject({ matches: 1, truncated: false });
  });

  it.each([
    ["matches", "[cut: there are more than these 1 matches; narrow it down by `path` or `includePattern`]"],
    ["bytes", "[cut: there is more than fits behind these 1 matches; narrow it down by `path` or `includePattern`]"],
    ["time", "[cut: the time was up after these 1 matches; narrow it down by `path` or `includePattern`]"],
  ] as const)("say that they were cut by %s", (cut, expected) => {
    const findings = open();
    findings.add(line("/w/a", 1, "x"));
    expect(textOf(findings, cut, false, ["[note]"])).toEqual(["a:1: x", expected, "[note]"]);
    expect(findings.result(cut, false, []).structured).toMatchObject({ truncated: true, cut });
  });

  it("say so when there is none", () => {
    expect(textOf(open(), null, false, [])).toEqual(["[no match]"]);
    expect(textOf(open(), "time", false, [])[0]).toContain("[cut: the time was up after these 0 matches");
  });

  it.each([
    ["at its start", `needle${"x".repeat(2000)}`, 0, /^needlex+…$/],
    ["in its middle", `${"é".repeat(2000)}needle${"x".repeat(2000)}`, 4000, /^…é{200}needlex+…$/],
    ["at its end", `${"x".repeat(2000)}needle`, 2000, /^…x+needle$/],
    [
      "between halves of a character",
      `${"x".repeat(500)}${"\u{1f600}".repeat(1000)}`,
      500,
      /^…x+(\u{1f600}|\ufffd)+…$/u,
    ],
  ])("cut a long line around a match %s", (_, text, matchAt, expected) => {
    const findings = open();
    findings.add(line("/w/a", 1, text, { matchAt }));
    const [only] = findings.result(null, false, []).structured.lines;
    expect(only).toMatchObject({ cut: true, text: expect.stringMatching(expected) });
    expect(only?.["text"]).toHaveProperty("length", 1000 + (expected.source.match(/…/g)?.length ?? 0));
  });

  it("lose no byte of what is no text, and tell of lines that are too long to be looked at", () => {
    const findings = open();
    findings.add(
      line("/w/\ufffd", 1, "", {
        path: { text: "/w/\ufffd", base64: "L3cv/w==" },
        text: { text: "\ufffd", base64: "/w==" },
      }),
    );
    findings.add(line("/w/a", 2, "", { text: null }));
    findings.add(line("/w/b", 2, "", { line: null, text: null }));
    expect(findings.result(null, false, []).structured.lines).toEqual([
      { path: "a", line: 2, kind: "match", text: "…", cut: true },
      { path: "b", line: null, kind: "match", text: "…", cut: true },
      // Of the path as of the text: what lies in the workspace, and not where that is.
      { path: "\ufffd", pathBytes: "/w==", line: 1, kind: "match", text: "\ufffd", bytes: "/w==" },
    ]);
  });
});
