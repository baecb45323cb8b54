import { describe, expect, it } from "vitest";
import { resolve } from "../../src/pipeline/resolve.ts";
import { catalogOf } from "../../src/wiring/catalog-of.ts";
import { rawCall, sampleTool } from "../support/sample-calls.ts";
import { openScratchGate } from "../support/scratch-gate.ts";

const catalog = catalogOf([sampleTool({ name: "read_file" }), sampleTool({ name: "write_file" })]);

const resolved = async (toolName: string) => resolve(rawCall({ toolName }), { catalog });

/** A01. Each is another name than `read_file`, however alike it looks; the second column is what it should make us think of. */
const LOOK_ALIKES: readonly (readonly [string, string | null])[] = [
  ["Read_file", "read_file"],
  ["READ_FILE", "read_file"],
  ["read_File", "read_file"],
  ["readFile", "read_file"],
  ["readfile", "read_file"],
  ["read-file", "read_file"],
  ["read.file", "read_file"],
  ["read file", "read_file"],
  ["read__file", "read_file"],
  ["read_file ", "read_file"],
  [" read_file", "read_file"],
  ["read_file\n", "read_file"],
  ["read_file\t", "read_file"],
  ["read_file\0", "read_file"],
  ["\ufeffread_file", "read_file"],
  ["read_file\u200b", "read_file"],
  ["read\u200d_file", "read_file"],
  ["read\u00ad_file", "read_file"],
  ["\u202eread_file", "read_file"],
  ["read_fi\u{e0001}le", "read_file"],
  ["rе\u0430d_file", "read_file"], // Cyrillic ie and a
  ["re\u0430d_file", "read_file"], // Cyrillic a
  ["read_fil\u0435", "read_file"], // Cyrillic ie
  ["read_f\u0456le", "read_file"], // Cyrillic i
  ["re\u03b1d_file", "read_file"], // Greek alpha
  ["read_f\u03b9le", "read_file"], // Greek iota
  ["\uff52\uff45\uff41\uff44\uff3f\uff46\uff49\uff4c\uff45", "read_file"], // full width
  ["read_\ufb01le", "read_file"], // the ligature fi
  ["r\u0435\u0430d_file", "read_file"],
  ["rea\u0501_file", "read_file"], // Cyrillic komi de
  ["read\uff3ffile", "read_file"],
  ["re\u0301ad_file", "read_file"], // a combining accent
  ["\u{1d42b}ead_file", "read_file"], // mathematical bold
  ["read_file()", "read_file"],
  ["functions.read_file", null],
  ["read_file;write_file", null],
  ["wr\u0456te_file", "write_file"],
  ["__proto__", null],
  ["constructor", null],
  ["hasOwnProperty", null],
  ["toString", null],
  ["", null],
  ["*", null],
  ["r*", null],
  ["\ud800", null],
  ["x".repeat(100_000), null],
];

describe("resolve", () => {
  it("finds the tool of exactly this name", async () => {
    const step = await resolved("read_file");
    expect(step.kind === "pass" && step.call.tool.definition.name).toBe("read_file");
  });

  it.each(LOOK_ALIKES)("takes %j for another name", async (toolName, meant) => {
    const step = await resolved(toolName);
    if (step.kind === "pass") throw new Error("found a tool");
    const { code, stage, message, hint } = step.refusal;
    expect({ code, stage }).toEqual({ code: "TOOL_UNKNOWN", stage: "resolve" });
    expect(message.length).toBeLessThan(1000);
    if (meant === null) expect(hint).toBe("`toolgate tools` lists the tools");
    else expect(hint).toMatch(new RegExp(`^did you mean \`${meant}\``));
  });

  it.each([
    ["run_command", "it is there once `tools.builtin` of the configuration has `shell`"],
    [
      "web_search",
      "it is there once `tools.builtin` of the configuration has `web`, and `tools.web.search` says who is asked",
    ],
  ])("says how the gate's own %s is switched on", async (toolName, hint) => {
    const step = await resolved(toolName);
    expect(step.kind === "refuse" && step.refusal.hint).toBe(hint);
  });

  it("names the nearest first, three at the most", async () => {
    const many = catalogOf(["git", "gut", "got", "get", "web"].map((name) => sampleTool({ name })));
    const step = resolve(rawCall({ toolName: "gits" }), { catalog: many });
    expect(step.kind === "refuse" && step.refusal.hint).toBe("did you mean `git`, `get`, `got`");
  });
});

describe("a call of an unknown tool (A01)", () => {
  it("runs nothing, and the ledger has request and denial", async () => {
    await using scratch = openScratchGate();
    for (const [name] of LOOK_ALIKES) {
      const outcome = await scratch.gate.call({ tool: name, input: { path: "a.txt", content: "x" } });
      expect(outcome).toMatchObject({ kind: "refused", tool: name, refusal: { code: "TOOL_UNKNOWN" } });
      const [requested, decided, ...rest] = scratch.entries(outcome.callId);
      expect(rest).toEqual([]);
      expect(requested).toMatchObject({ kind: "tool.requested", body: { tool: name.slice(0, 256).toWellFormed() } });
      expect(decided).toMatchObject({ kind: "tool.decided", body: { decision: "deny", code: "TOOL_UNKNOWN" } });
    }
    expect(scratch.rows().map(({ state }) => state)).toEqual(LOOK_ALIKES.map(() => "refused"));
    expect((await scratch.gate.ledger.verify()).ok).toBe(true);
  });
});
