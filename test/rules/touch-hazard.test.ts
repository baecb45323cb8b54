import { describe, expect, it } from "vitest";
import type { TouchVerdict } from "../../src/domain/call.ts";
import type { Plan } from "../../src/domain/plan.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { touchInWords } from "../../src/domain/touch-in-words.ts";
import { touchesByHazard } from "../../src/rules/touch-hazard.ts";

const exec = (line: string, hazard?: string): Touch => ({
  kind: "exec",
  program: "/usr/bin/x",
  origin: "toolchain",
  argv: line.split(" ").map((text, at) => ({ text, known: true, ...(at > 0 && hazard && { hazard }) })),
});
const write = (path: string): Touch => ({ kind: "write", path: `/w/${path}` });

/** In words, with `!` before those that are hazardous. */
const sorted = (touches: readonly Touch[], existing: readonly string[] = []): readonly string[] => {
  const verdicts = touches.map((touch): TouchVerdict => ({ touch, effect: "ask", ruleId: "r", because: null }));
  const operands = existing.map((path) => ({ path: `/w/${path}`, before: "0".repeat(64), after: null }));
  const plan = { workspace: "/w", operands } as unknown as Plan;
  return touchesByHazard(verdicts, plan).map(
    ({ touch, hazard }) => `${hazard === undefined ? "" : "!"}${touchInWords(touch, "/w")}`,
  );
};

describe("touches of a question", () => {
  it("begin with the one command that harms, behind however many that don't", () => {
    const touches = [...Array.from({ length: 300 }, (_, at) => exec(`echo ${at}`)), exec("rm -rf important")];
    const shown = sorted(touches);
    expect(shown[0]).toBe("!exec `rm -rf important`");
    expect(shown.slice(1, 3)).toEqual(["exec `echo 0`", "exec `echo 1`"]);
    expect(shown).toHaveLength(301);
  });

  it("begin with the file that programs run, among new files", () => {
    const touches = [...Array.from({ length: 60 }, (_, at) => write(`docs/${at}.md`)), write("Makefile")];
    expect(sorted(touches)[0]).toBe("!write `Makefile`");
  });

  it.each([
    ["sub/package.json", "package.json.md"],
    [".github/workflows/ci.yml", "github/workflows/ci.md"],
    ["deep/er/.envrc", "envrc.txt"],
    ["run.sh", "run.sh.txt"],
    ["vite.config.ts", "config.ts"],
    ["Dockerfile", "src/dockerfile-parser.ts"],
    ["../elsewhere/notes.txt", "elsewhere/notes.txt"],
  ])("name %s as hazardous, and %s not", (hazardous, harmless) => {
    const away = hazardous.startsWith("../");
    const first: Touch = away ? { kind: "write", path: `/${hazardous.slice(3)}` } : write(hazardous);
    const [one, two] = sorted([write(harmless), first]);
    expect([one?.startsWith("!"), two?.startsWith("!")]).toEqual([true, false]);
  });

  it("come in the order of what they can do", () => {
    const shown = sorted(
      [
        { kind: "read", path: "/w/r" },
        write("new.txt"),
        write("old.txt"),
        { kind: "connect", host: "a.example", port: 443, scheme: "https" },
        { kind: "delete", path: "/w/gone.txt" },
        { kind: "unknown", reason: "because" },
      ],
      ["old.txt"],
    );
    expect(shown.map((words) => words.split(" ")[0])).toEqual([
      "!something",
      "!delete",
      "connect",
      "write",
      "write",
      "read",
    ]);
    expect(shown[3]).toContain("old.txt");
  });
});
