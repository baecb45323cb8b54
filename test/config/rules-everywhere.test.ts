import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { PROFILES } from "../../src/config/profiles.ts";
import { loaded, openScratch } from "./scratch.ts";

function notesOf(text: string): readonly string[] {
  using scratch = openScratch();
  const { notes } = loaded(loadConfig({ path: scratch.put("toolgate.yaml", text) }));
  return notes.map(({ line, message }) => `${line} ${message}`);
}

const rule = (rest: string): string => `rules:\n  - { id: r, ${rest} }\n`;

it.each([
  ["effect: allow, tools: [read_file]", ["2 this lets `read_file` work on every file of the machine"]],
  ["effect: allow, tools: [mine, '*_file']", [expect.stringContaining("`write_file`")]],
  ["effect: allow", [expect.stringContaining("`search_files`")]],
  ["effect: allow, tools: [read_file], touch: { read: ['./**'] }", []],
  ["effect: allow, tools: [run_command]", []],
  ["effect: allow, containment: [upstream]", []],
  ["effect: ask, tools: [read_file]", []],
  ["effect: deny", []],
])("a rule without a touch that opens the whole machine is noted: %s", (rest, expected) => {
  expect(notesOf(rule(rest))).toEqual(expected);
});

it("no profile of `toolgate init` has such a rule", () => {
  for (const { text } of Object.values(PROFILES)) expect(notesOf(text)).toEqual([]);
});
