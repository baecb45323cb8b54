import { describe, expect, it } from "vitest";
import { loadText, problemsOf } from "./scratch.ts";

const NOT_YET = "is not supported by this version yet (take it out)";
const rule = (...lines: string[]): string =>
  ["rules:", "  - id: a", "    effect: deny", ...lines.map((l) => `    ${l}`)].join("\n");

/** Each kind of problem, with the place that an editor would jump to; `good` is the text just inside the border. */
const CASES: readonly { name: string; bad: string; good?: string; problems: readonly string[] }[] = [
  {
    name: "empty file",
    bad: "",
    good: "{}",
    problems: ["1:1 the config is empty (delete it, and `toolgate init` writes one to start from)"],
  },
  {
    name: "comments only",
    bad: "# nothing\n",
    problems: ["1:1 the config is empty (delete it, and `toolgate init` writes one to start from)"],
  },
  { name: "a list", bad: "- a", problems: ["1:1 the config must be an object, not an array"] },
  { name: "a text", bad: "allow everything", problems: ["1:1 the config must be an object, not a string"] },
  {
    name: "unknown key",
    bad: "workspace: .\nrulez: []",
    good: "workspace: .\nrules: []",
    problems: ["2:1 `rulez` is not a known field, the nearest is `rules`"],
  },
  {
    name: "prototype keys",
    bad: "__proto__: {rules: []}\nconstructor: 1",
    problems: ["1:1 `__proto__` is not a known field", "2:1 `constructor` is not a known field"],
  },
  { name: "merge key", bad: "<<: {rules: []}", problems: ["1:1 `<<` is not a known field"] },
  { name: "wrong type", bad: "state: 5", good: 'state: "5"', problems: ["1:8 `state` must be a string, not a number"] },
  {
    name: "a value left out",
    bad: "rules:\nstate: x",
    good: "rules: []\nstate: x",
    problems: ["1:7 `rules` must be an array, not null"],
  },
  {
    name: "wrong word",
    bad: "sandbox: { minimum: namespace }",
    good: "sandbox: { minimum: namespaces }",
    problems: ["1:21 `sandbox.minimum` must be one of `groups`, `namespaces`, `none`"],
  },
  {
    name: "wrong durability",
    bad: "ledger:\n  durability: none",
    good: "ledger:\n  durability: normal",
    problems: ["2:15 `ledger.durability` must be one of `full`, `normal`"],
  },
  {
    name: "unknown builtin",
    bad: "tools: { builtin: [files, filez] }",
    good: "tools: { builtin: [files] }",
    problems: ["1:27 `tools.builtin[1]` must be one of `files`, `shell`, `git`, `web`, `artifacts`, `inference`"],
  },
  {
    name: "missing fields of a rule",
    bad: "rules:\n  - because: x\n",
    problems: ["2:5 `rules[0].id` is missing", "2:5 `rules[0].effect` is missing"],
  },
  {
    name: "wrong effect",
    bad: "rules:\n  - id: a\n    effect: alow",
    good: "rules:\n  - id: a\n    effect: allow",
    problems: ["3:13 `rules[0].effect` must be one of `allow`, `ask`, `deny`"],
  },
  {
    name: "unknown field of a rule",
    bad: rule("tool: [x]"),
    good: rule("tools: [x]"),
    problems: ["4:5 `rules[0].tool` is not a known field, the nearest is `tools`"],
  },
  {
    name: "unknown touch",
    bad: rule("touch: { reed: [./a] }"),
    good: rule("touch: { read: [./a] }"),
    problems: ["4:14 `rules[0].touch.reed` is not a known field, the nearest is `read`"],
  },
  {
    name: "a pattern that is no list",
    bad: rule("touch: { read: ./a }"),
    problems: ["4:20 `rules[0].touch.read` must be an array, not a string"],
  },
  {
    name: "an empty list of patterns",
    bad: rule("touch: { read: [] }"),
    problems: ["4:20 `rules[0].touch.read` must have at least 1 item, has 0"],
  },
  {
    name: "an empty touch",
    bad: rule("touch: {}"),
    problems: ["4:12 the rule names no touch (leave `touch` out to cover every touch)"],
  },
  {
    name: "unknown: false",
    bad: rule("touch: { unknown: false }"),
    good: rule("touch: { unknown: true }"),
    problems: ["4:23 `rules[0].touch.unknown` must be `true`"],
  },
  {
    name: "a bare pattern",
    bad: rule("touch:", "  write:", "    - ./ok", "    - src/**"),
    good: rule("touch: { write: [./src/**] }"),
    problems: ["7:11 the pattern `src/**` does not say where it begins (write `./src/**` for the workspace)"],
  },
  {
    name: "a bad tool pattern",
    bad: rule('tools: [ok, "a?"]'),
    good: rule("tools: [ok, a*]"),
    problems: [
      "4:17 the tool pattern `a?` holds `?`, which is in no tool's name (only `*` has a meaning, it stands for any characters)",
    ],
  },
  {
    name: "an id twice",
    bad: "rules:\n- {id: a, effect: ask}\n- {id: a, effect: deny}",
    good: "rules:\n- {id: a, effect: ask}\n- {id: b, effect: deny}",
    problems: ["3:8 the id `a` is taken by an earlier rule (give each rule its own id)"],
  },
  {
    name: "an id of ours",
    bad: "rules: [{id: builtin:own-state, effect: allow}]",
    good: "rules: [{id: built-in:own-state, effect: allow}]",
    problems: [
      "1:14 the id `builtin:own-state` begins with `builtin:`, which is for the gate's own rules (give the rule another id)",
    ],
  },
  {
    name: "a condition that is misspelt",
    bad: rule('when: rsk == "LOW"'),
    good: rule('when: risk == "LOW"'),
    problems: ["4:11 the condition can't be read: unknown variable: rsk"],
  },
  {
    name: "a condition in quotes, misspelt further on",
    bad: rule(`when: 'risk == "LOW" && cal'`),
    problems: ["4:29 the condition can't be read: unknown variable: cal"],
  },
  {
    name: "a condition on several lines",
    bad: rule("when: |", "  risk == 'LOW' &&", "  touch.pth == 'x'"),
    good: rule("when: |", "  risk == 'LOW' &&", "  touch.path == 'x'"),
    problems: ["6:13 the condition can't be read: no such key: pth"],
  },
  {
    name: "a folded condition, whose lines are not those of the file",
    bad: rule("when: >", "  risk == 'LOW' &&", "  touch.pth == 'x'", "because: risk == 'LOW' && touch.pth == 'x'"),
    problems: ["4:11 the condition can't be read: no such key: pth"],
  },
  {
    name: "a condition that is no text",
    bad: rule("when: true"),
    good: rule('when: "true"'),
    problems: ["4:11 `rules[0].when` must be a string, not a boolean"],
  },
  {
    name: "a containment that does not exist",
    bad: rule("containment: [process, box]"),
    good: rule("containment: [process, sandbox, upstream, client]"),
    problems: ["4:28 `rules[0].containment[1]` must be one of `process`, `sandbox`, `upstream`, `client`"],
  },
  {
    name: "a sandbox that does not exist",
    bad: rule("sandbox: [none, vm]"),
    good: rule("sandbox: [none, namespaces]"),
    problems: ["4:21 `rules[0].sandbox[1]` must be one of `namespaces`, `none`"],
  },
  {
    name: "a connection without a port",
    bad: rule("touch: { connect: [example.com] }"),
    good: rule('touch: { connect: ["example.com:443", "*.example.com:*"], tool: [github.*] }'),
    problems: [
      "4:24 the connection `example.com` does not end in a port (write `example.com:443`, or `example.com:*` for every port)",
    ],
  },
  {
    name: "a grant of what does not exist",
    bad: "rules: [{ id: a, effect: allow, grant: { reed: [./a], write: [b] } }]",
    good: 'rules: [{ id: a, effect: allow, grant: { read: [./a], write: ["./**"], connect: ["a.b:1"] } }]',
    problems: ["1:42 `rules[0].grant.reed` is not a known field, the nearest is `read`"],
  },
  {
    name: "an example that does not hold",
    bad: rule("touch: { read: [./a] }", "examples:", "  match: [read ./a, read ./b]"),
    good: rule("touch: { read: [./a] }", "examples:", "  match: [read ./a]", "  noMatch: [read ./b]"),
    problems: ["6:25 the rule does not cover its example `read ./b` (widen the rule, or take the example out)"],
  },
  {
    name: "an example that is a command line",
    bad: rule("touch: { exec: [npm test] }", "examples:", '  noMatch: ["npm test"]'),
    good: rule("touch: { exec: [npm test] }", "examples:", '  match: ["ls; npm test"]', '  noMatch: ["npm x"]'),
    problems: ["6:17 the rule covers its example `npm test` (narrow the rule, or take the example out)"],
  },
  {
    name: "a pattern of several commands",
    bad: rule('touch: { exec: ["npm test; ls"] }'),
    good: rule('touch: { exec: ["npm test", "ls"] }'),
    problems: [
      "4:21 `;` is no part of a command: each command of a line is judged by itself (write one pattern for each command, or quote it where it is meant as a letter)",
    ],
  },
  {
    name: "dynamic without commands",
    bad: rule("touch: { read: [./a] }", "dynamic: true"),
    good: rule("touch: { exec: [ls] }", "dynamic: true"),
    problems: ["5:14 `dynamic` is about commands, and the rule names none (take it out)"],
  },
  {
    name: "a long reason",
    bad: rule(`because: ${"x".repeat(501)}`),
    good: rule(`because: ${"x".repeat(500)}`),
    problems: ["4:14 `rules[0].because` must have at most 500 characters, has 501"],
  },
  {
    name: "no such workspace",
    bad: "workspace: ./nowhere",
    good: "workspace: .",
    problems: ["1:12 the workspace `./nowhere` is not a folder (name a folder that is there)"],
  },
  {
    name: "a workspace that is a file",
    bad: "workspace: toolgate.yaml",
    problems: ["1:12 the workspace `toolgate.yaml` is not a folder (name a folder that is there)"],
  },
  {
    name: "a state folder under a file",
    bad: "state: toolgate.yaml/state",
    good: "state: not/yet/there",
    problems: ["1:8 the state folder `toolgate.yaml/state` can't be reached (ENOTDIR)"],
  },
  {
    name: "a database",
    bad: "state: postgres://db/x",
    problems: ["1:8 `postgres://db/x` is not supported by this version yet (name a folder)"],
  },
  { name: "a key twice", bad: "rules: []\nstate: x\nrules: []", problems: ["3:1 the key `rules` is given twice"] },
  {
    name: "an alias",
    bad: "state: &s x\nworkspace: *s",
    good: "state: &s x",
    problems: ["2:12 the alias `*s` is not supported"],
  },
  {
    name: "two documents",
    bad: "rules: []\n---\nrules: []",
    good: "---\nrules: []\n...\n",
    problems: ["2:1 a second document begins here, and a config is one document"],
  },
  {
    name: "an unknown tag",
    bad: "state: !env HOME",
    good: "state: !!str HOME",
    problems: ["1:8 not valid YAML: unresolved tag: !env"],
  },
  {
    name: "a tag of YAML 1.1",
    bad: "state: !!binary aGk=",
    problems: ["1:8 not valid YAML: unresolved tag: tag:yaml.org,2002:binary"],
  },
  {
    name: "a word of YAML 1.1",
    bad: `%YAML 1.1\n---\n${rule("otherwise: yes")}`,
    good: rule("otherwise: true"),
    problems: ["6:16 `rules[0].otherwise` must be a boolean, not a string"],
  },
  { name: "a key that is a list", bad: "? [a]\n: b", problems: ["1:3 a key must be a string"] },
  {
    name: "a bracket left open",
    bad: "tools:\n  builtin: [files\n",
    problems: ["3:1 not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ]"],
  },
  {
    name: "a tab",
    bad: "tools:\n\tbuiltin: []",
    problems: ["2:1 not valid YAML: tabs are not allowed as indentation"],
  },
  { name: "a NUL", bad: 'state: "a\\0b"', problems: ["1:8 the text holds a NUL or half a character"] },
  {
    name: "half a character",
    bad: 'state: "\\ud800"',
    good: 'state: "😀"',
    problems: ["1:8 the text holds a NUL or half a character"],
  },
  {
    name: "a deep nest",
    bad: "[".repeat(50_000),
    problems: [expect.stringMatching(/^1:\d+ the file is nested too deep$/)],
  },
];

describe.each(CASES)("$name", ({ bad, good, problems }) => {
  it("is refused, with its place", () => expect(problemsOf(loadText(bad))).toEqual(problems));
  if (good !== undefined) it("is accepted just inside", () => expect(problemsOf(loadText(good))).toEqual([]));
});

describe("what this version has not yet", () => {
  it.each(["a2a"])("tools.%s", (key) =>
    expect(problemsOf(loadText(`tools: { ${key}: [] }`))).toEqual([`1:10 \`tools.${key}\` ${NOT_YET}`]),
  );
});

it("a part that is wrong hides nothing of what is wrong beside it", () => {
  const text = [
    "tools:",
    "  builtin: [files, filez]",
    "  scripts: [nosuch.yaml]",
    "rules:",
    "  - id: a",
    "    efect: allow",
    "    touch: { raed: [./a] }",
    "    dynamic: true",
    '    when: "risk =="',
    "  - id: a",
    "    effect: alow",
    "    touch: { read: [b] }",
    "    grant: { write: [c] }",
    "    examples: { match: [nonsense] }",
    "  - effect: deny",
    "    touch: { read: [d] }",
    "  - 5",
  ].join("\n");
  expect(problemsOf(loadText(text))).toEqual([
    "2:20 `tools.builtin[1]` must be one of `files`, `shell`, `git`, `web`, `artifacts`, `inference`",
    "3:13 the tools in `nosuch.yaml`: there is no such file",
    "5:5 `rules[0].effect` is missing",
    "6:5 `rules[0].efect` is not a known field, the nearest is `effect`",
    "7:14 `rules[0].touch.raed` is not a known field, the nearest is `read`",
    "9:19 the condition can't be read: unexpected token: EOF",
    "10:9 the id `a` is taken by an earlier rule (give each rule its own id)",
    "11:13 `rules[1].effect` must be one of `allow`, `ask`, `deny`",
    "12:21 the pattern `b` does not say where it begins (write `./b` for the workspace)",
    "13:22 the pattern `c` does not say where it begins (write `./c` for the workspace)",
    "15:5 `rules[2].id` is missing",
    "17:5 `rules[3]` must be an object, not a number",
  ]);
});

it("reports all problems at once, in the order of the file", () => {
  const text = [
    "workspace: ./nowhere",
    "autoApprovals: x",
    "rules:",
    "  - { id: a, effect: perhaps }",
    "  - { id: b, effect: deny, touch: { read: [src] } }",
    "  - { id: b, effect: deny }",
    "state: http://x",
  ].join("\n");
  expect(problemsOf(loadText(text)).map((problem) => problem.split(" ", 1)[0])).toEqual([
    "1:12",
    "2:16",
    "4:22",
    "5:44",
    "6:11",
    "7:8",
  ]);
});
