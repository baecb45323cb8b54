import { describe, expect, it } from "vitest";
import { withAtipEntry } from "../../src/config/atip-entry.ts";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import { parseYaml } from "../../src/config/yaml-document.ts";

const ENTRY = { file: "gh.json", sha256: "ab" } as const;
const LINE = '{ file: "gh.json", sha256: "ab" }';

describe("an entry added to a config", () => {
  it.each<[string, string, string]>([
    ["an empty one", "", `tools:\n  atip:\n    - ${LINE}\n`],
    ["one with a comment only", "# hello\n", `# hello\ntools:\n  atip:\n    - ${LINE}\n`],
    ["one without tools", "state: x # why", `state: x # why\n\ntools:\n  atip:\n    - ${LINE}\n`],
    [
      "tools in lines",
      "tools: # mine\n    builtin: [files] # a\nstate: x\n",
      `tools: # mine\n    atip:\n      - ${LINE}\n    builtin: [files] # a\nstate: x\n`,
    ],
    ["tools in braces", "tools: { builtin: [files] } # b\n", `tools: { builtin: [files], atip: [${LINE}] } # b\n`],
    ["tools in empty braces", "tools: {}\n", `tools: {atip: [${LINE}]}\n`],
    [
      "a list in lines",
      "tools:\n  atip:\n    # the first\n    - a.json\n    - b.json # c\n",
      `tools:\n  atip:\n    # the first\n    - ${LINE}\n    - a.json\n    - b.json # c\n`,
    ],
    ["a list in brackets", "tools:\n  atip: [a.json]\n", `tools:\n  atip: [a.json, ${LINE}]\n`],
    ["an empty list", "tools:\n  atip: [ ] # none\n", `tools:\n  atip: [ ${LINE} ] # none\n`],
  ])("%s", (_, before, after) => expect(withAtipEntry(before, ENTRY, null)).toBe(after));

  it.each<[string, string, string]>([
    [
      "a name",
      "tools:\n  atip:\n    - gh.json # mine\n    - b.json\n",
      `tools:\n  atip:\n    - ${LINE} # mine\n    - b.json\n`,
    ],
    ["an object in braces", "tools: { atip: [{ file: gh.json }, b.json] }\n", `tools: { atip: [${LINE}, b.json] }\n`],
    [
      "an object in lines",
      "tools:\n  atip:\n    - file: gh.json\n      sha256: old\n    - b.json\n",
      `tools:\n  atip:\n    - ${LINE}\n    - b.json\n`,
    ],
  ])("in the place of %s", (_, before, after) => expect(withAtipEntry(before, ENTRY, 0)).toBe(after));

  it.each<[string, string, number | null]>([
    ["no map at all", "- a\n", null],
    ["tools that are none", "tools: 3\n", null],
    ["a list that is none", "tools:\n  atip: x\n", null],
    ["a place that is not there", "tools:\n  atip: [a.json]\n", 4],
  ])("is left to a person where there is %s", (_, before, index) =>
    expect(withAtipEntry(before, ENTRY, index)).toBeNull(),
  );

  it("changes nothing else of the config that `init` writes", () => {
    const after = withAtipEntry(DEFAULT_CONFIG, ENTRY, null) ?? "";
    const lines = (text: string) => text.split("\n");
    expect(lines(after).filter((line) => !lines(DEFAULT_CONFIG).includes(line))).toEqual(["  atip:", `    - ${LINE}`]);
    const parsed = parseYaml(after);
    expect(parsed.ok && parsed.document.value).toMatchObject({ tools: { builtin: ["files", "shell"], atip: [ENTRY] } });
  });
});
