import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import type { FileTouchKind } from "../../src/domain/touch.ts";
import { factsFor } from "../rules/sample-facts.ts";
import { loaded, openScratch, type Scratch } from "./scratch.ts";

const CONFIG = "rulesFiles: [team.yaml, more/own.yaml]\nrules: [{ id: here, effect: ask }]\n";
const TEAM = "- id: team\n  effect: allow\n  touch: { read: [./**] }\n";
const OWN = "rules:\n  - id: own\n    effect: deny\n    touch: { read: [./secret] }\n";

function put(scratch: Scratch, team: string = TEAM, own: string = OWN, config: string = CONFIG): string {
  scratch.put("team.yaml", team);
  scratch.put("more/own.yaml", own);
  return scratch.put("toolgate.yaml", config);
}

/** `file 2:3 message`, with the scratch folder taken off. */
/** Without the gate's own. */
function writtenRules(path: string): number {
  const { rules, ownRules } = loaded(loadConfig({ path }));
  return rules.size - ownRules;
}

function problemsIn(scratch: Scratch, path: string): readonly string[] {
  const result = loadConfig({ path });
  if (result.ok) return [];
  return result.problems.map(
    ({ file, line, column, message }) => `${file.replace(`${scratch.folder}/`, "")} ${line}:${column} ${message}`,
  );
}

describe("rules of other files", () => {
  it("hold beside the config's own, a list or `rules:`", () => {
    using scratch = openScratch();
    const { rules, workspace, ownRules } = loaded(loadConfig({ path: put(scratch) }));
    const ruleFor = (kind: FileTouchKind, file: string) =>
      rules.judge({ kind, path: join(workspace, file) }, factsFor("t")).ruleId;
    expect([ruleFor("read", "secret"), ruleFor("read", "a"), ruleFor("write", "a")]).toEqual(["own", "here", "here"]);
    expect(rules.size - ownRules).toBe(3);
  });

  it("are found from the config's folder, by a link to it as well, and by absolute path", () => {
    using scratch = openScratch();
    put(scratch);
    mkdirSync(join(scratch.folder, "elsewhere"));
    const link = join(scratch.folder, "elsewhere", "toolgate.yaml");
    symlinkSync("../toolgate.yaml", link);
    expect(writtenRules(link)).toBe(3);
    const absolute = scratch.put("absolute.yaml", `rulesFiles: [${join(scratch.folder, "team.yaml")}]`);
    expect(writtenRules(absolute)).toBe(1);
  });

  it("are closed to tools like the config: by name, by what the name leads to, and before they exist", () => {
    using scratch = openScratch();
    scratch.put("real/team.yaml", TEAM);
    symlinkSync("real/team.yaml", join(scratch.folder, "team.yaml"));
    const path = scratch.put("toolgate.yaml", "rulesFiles: [team.yaml]\nrules: [{ id: all, effect: allow }]");
    const { rules } = loaded(loadConfig({ path }));
    const ruleFor = (kind: FileTouchKind, file: string) =>
      rules.judge({ kind, path: join(scratch.folder, file) }, factsFor("t")).ruleId;
    expect([ruleFor("write", "team.yaml"), ruleFor("delete", "real/team.yaml"), ruleFor("write", "real/x")]).toEqual([
      "builtin:own-config",
      "builtin:own-config",
      "all",
    ]);
  });
});

describe("problems", () => {
  it.each<[string, team: string, own: string, problems: readonly string[]]>([
    [
      "of shape",
      "- id: a\n  effect: alow\n",
      OWN,
      ["team.yaml 2:11 `rules[0].effect` must be one of `allow`, `ask`, `deny`"],
    ],
    ["of shape, below `rules:`", TEAM, "rules:\n  - effect: ask\n", ["more/own.yaml 2:5 `rules[0].id` is missing"]],
    [
      "of a pattern",
      "- { id: a, effect: ask, touch: { read: [x] } }",
      OWN,
      ["team.yaml 1:41 the pattern `x` does not say where it begins"],
    ],
    [
      "of a condition",
      "- id: a\n  effect: ask\n  when: risk == x",
      OWN,
      ["team.yaml 3:17 the condition can't be read: unknown variable: x"],
    ],
    ["of YAML", "- id: [", OWN, [expect.stringMatching(/^team.yaml 1:8 not valid YAML/)]],
    ["an empty file", "", OWN, ["team.yaml 1:1 a file of rules must be an object, not null"]],
    [
      "a file of something else",
      "rulez: []",
      OWN,
      ["team.yaml 1:1 `rules` is missing", "team.yaml 1:1 `rulez` is not a known field, the nearest is `rules`"],
    ],
    [
      "a pattern that can't be read",
      "- { id: a, effect: ask, touch: { model: [x] } }",
      OWN,
      ["team.yaml 1:42 the pattern `x` is not a provider and a model"],
    ],
    [
      "an id that another file has",
      "- { id: here, effect: ask }",
      OWN,
      ["team.yaml 1:9 the id `here` is taken by an earlier rule"],
    ],
    [
      "an id twice over files",
      TEAM,
      "- { id: team, effect: ask }",
      ["more/own.yaml 1:9 the id `team` is taken by an earlier rule"],
    ],
    [
      "an id of ours",
      "- { id: builtin:x, effect: ask }",
      OWN,
      ["team.yaml 1:9 the id `builtin:x` begins with `builtin:`, which is for the gate's own rules"],
    ],
  ])("%s", (_, team, own, problems) => {
    using scratch = openScratch();
    expect(problemsIn(scratch, put(scratch, team, own))).toEqual(problems);
  });

  it("of all files come at once, file by file", () => {
    using scratch = openScratch();
    const path = put(scratch, "- { id: a, effect: x }", "- { id: b, effect: x }", `${CONFIG}state: 5`);
    expect(problemsIn(scratch, path).map((problem) => problem.split(" ", 2).join(" "))).toEqual([
      "toolgate.yaml 3:8",
      "team.yaml 1:20",
      "more/own.yaml 1:20",
    ]);
  });

  it("of a file that can't be read stand where it is named", () => {
    using scratch = openScratch();
    const path = scratch.put("toolgate.yaml", "rulesFiles:\n  - team.yaml\n  - .\n");
    expect(problemsIn(scratch, path)).toEqual([
      "toolgate.yaml 2:5 the rules in `team.yaml`: there is no such file",
      "toolgate.yaml 3:5 the rules in `.`: this is not a regular file",
    ]);
  });
});

describe("what is trusted", () => {
  it("is the text of all files: a change in any is another text", () => {
    using scratch = openScratch();
    const texts = [put(scratch), put(scratch, `${TEAM}# `), put(scratch, TEAM, `${OWN}# `)].map((path, i) => {
      put(scratch, i === 1 ? `${TEAM}# ` : TEAM, i === 2 ? `${OWN}# ` : OWN);
      return loaded(loadConfig({ path })).text;
    });
    expect(new Set(texts).size).toBe(3);
    for (const part of [CONFIG, TEAM, OWN]) expect(texts[0]).toContain(part);
  });

  it("is the config's text alone where there are no others", () => {
    using scratch = openScratch();
    const text = "rulesFiles: []\n";
    expect(loaded(loadConfig({ path: scratch.put("toolgate.yaml", text) })).text).toBe(text);
  });
});
