import { describe, expect, it } from "vitest";
import { readScript } from "../../src/shell/read-script.ts";
import { withCorpus } from "../support/parts.ts";
import { allowing, decisionOn, rulesFrom } from "./judged.ts";

interface BypassCase {
  readonly id: string;
  readonly cmd: string;
  readonly allow: readonly string[];
  readonly expect: "allow" | "not-allow" | "not-allow-or-redacted";
}

interface LabelledCase {
  readonly cmd: string;
  readonly allow: readonly string[] | null;
  readonly gate: boolean;
  readonly label: string;
}

/** Where nothing is known only at run time, and where the rules let that through as well. */
const MODES = [{ dynamic: false }, { dynamic: true }];

withCorpus<BypassCase>("bash_bypass_cases.jsonl")("ways around rules for commands (A09 to A14)", (cases) => {
  const shut = cases.filter((each) => each.expect === "not-allow");
  it.each(shut)("$id is not allowed: $cmd", ({ cmd, allow }) => {
    for (const mode of MODES) expect(decisionOn(allowing(allow, mode), cmd)).not.toBe("allow");
  });
  const open = cases.filter((each) => each.expect === "allow");
  it.each(open)("$id is allowed: $cmd", ({ cmd, allow }) => {
    for (const mode of MODES) expect(decisionOn(allowing(allow, mode), cmd)).toBe("allow");
  });
  it("are all there", () => expect([shut.length, open.length]).toEqual([97, 6]));
});

withCorpus<LabelledCase>("bash_safety_labelled.jsonl")("decisions that other agents' suites ask for", (cases) => {
  const gated = cases.filter(({ gate }) => gate);
  const rulesFor = (allow: readonly string[] | null, mode: { dynamic: boolean }) =>
    allow === null ? rulesFrom() : allowing(allow, mode);
  it.each(gated.filter(({ label }) => label !== "allow"))("not allowed: $cmd", ({ cmd, allow }) => {
    for (const mode of MODES) expect(decisionOn(rulesFor(allow, mode), cmd)).not.toBe("allow");
  });
  // `echo $(cat $(ls))` is known only at run time.
  it.each(gated.filter(({ label }) => label === "allow"))("allowed: $cmd", ({ cmd, allow }) =>
    expect(decisionOn(rulesFor(allow, { dynamic: true }), cmd)).toBe("allow"),
  );
  it("are all there", () => expect(gated.length).toBe(32));
});

interface RealCommand {
  readonly cmd: string;
}

withCorpus<RealCommand>("commands_real.jsonl")("commands that people use", (rows) => {
  it("are read, each without a crash", () => {
    const tooComplex = rows.filter(({ cmd }) => readScript(cmd).tooComplex !== null);
    expect(tooComplex).toEqual([]);
  });

  it("are not refused for what stands in quotes", () => {
    const rules = allowing(["echo"]);
    const texts = rows.map(({ cmd }) => `echo '${cmd.replaceAll("'", `'\\''`)}'`);
    expect(texts.filter((line) => decisionOn(rules, line) !== "allow")).toEqual([]);
    const inDouble = rows.map(({ cmd }) => `echo "${cmd.replace(/[\\$`"]/g, (letter) => `\\${letter}`)}"`);
    expect(inDouble.filter((line) => decisionOn(rules, line) !== "allow")).toEqual([]);
  });
});

interface ParserCase {
  readonly src: string;
  readonly expect?: "run" | "parses" | "error-or-dialect";
}

const isUnread = (src: string): boolean => {
  const { unknown, tooComplex } = readScript(src);
  return tooComplex !== null || unknown.some((reason) => reason.startsWith("bash could not read it"));
};

describe("cases of other parsers", () => {
  withCorpus<ParserCase>("bash_parse_mvdan.jsonl")("mvdan/sh", (rows) => {
    it("are read without a crash, and nearly all that bash takes", () => {
      const good = rows.filter((row) => row.expect !== "error-or-dialect" && row.src.length < 60_000);
      const unread = good.filter(({ src }) => isUnread(src));
      console.info(`mvdan/sh: ${unread.length} of ${good.length} not read, ${rows.length} looked at`);
      expect(unread.length).toBeLessThan(good.length * 0.03);
      for (const { src } of rows) readScript(src);
    });
  });
  withCorpus<ParserCase>("bash_parse_treesitter.jsonl")("tree-sitter-bash", (rows) => {
    it("are read without a crash, and nearly all that bash takes", () => {
      const unread = rows.filter(({ src }) => isUnread(src));
      console.info(`tree-sitter-bash: ${unread.length} of ${rows.length} not read`);
      expect(unread.length).toBeLessThan(rows.length * 0.1);
    });
  });
});
