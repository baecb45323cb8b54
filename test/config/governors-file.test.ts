// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what people write into the file

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Config, loadConfig } from "../../src/config/config.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { UpstreamValue } from "../../src/domain/upstream.ts";
import { factsFor } from "../rules/sample-facts.ts";
import { loaded, openScratch, type Scratch } from "./scratch.ts";

const VARIABLES = { TOKEN: "s3cret-of-the-gate", OTHER: "0ther-secret-value", BROKEN: "one\ntwo-lines", EMPTY: "" };
const CONFIG = "governors: governors.yaml\nrules: [{ id: all, effect: allow }]\n";

function load(scratch: Scratch, governors: string | JsonObject, config = CONFIG) {
  scratch.put("governors.yaml", typeof governors === "string" ? governors : JSON.stringify(governors, null, 1));
  return loadConfig({ path: scratch.put("toolgate.yaml", config), variables: VARIABLES });
}

const script = (more: JsonObject = {}): JsonObject => ({ id: "a", type: "script", command: ["./check.sh"], ...more });
const http = (more: JsonObject = {}): JsonObject => ({ id: "a", type: "http", url: "https://gov.example/x", ...more });
const file = (...permission_governors: readonly JsonObject[]): JsonObject => ({ permission_governors });

function configOf(governors: string | JsonObject): Config {
  using scratch = openScratch();
  return loaded(load(scratch, governors));
}

/** `file 2:3 message (hint)`, with the scratch folder taken off. */
function problemsOf(governors: string | JsonObject): readonly string[] {
  using scratch = openScratch();
  const result = load(scratch, governors);
  if (result.ok) return [];
  return result.problems.map(
    ({ file, line, column, message, hint }) =>
      `${file.replace(`${scratch.folder}/`, "")} ${line}:${column} ${message}${hint ? ` (${hint})` : ""}`,
  );
}

/** Without the places. */
const messagesOf = (governors: JsonObject): readonly string[] =>
  problemsOf(governors).map((text) => text.replace(/^\S+ \d+:\d+ /, "").replace(/ \([^()]*\)$/, ""));

describe("what a file says", () => {
  it("nothing, where there is none", () => {
    using scratch = openScratch();
    const config = loaded(loadConfig({ path: scratch.put("toolgate.yaml", "rules: []") }));
    expect(config.governors).toEqual({
      specs: [],
      settings: { stopOnFirstReject: false, autoDecision: null },
      hash: null,
    });
  });

  it("has the seed's defaults", () => {
    const { governors } = configOf(file(script(), http({ id: "b" })));
    expect(governors).toEqual({
      specs: [
        {
          id: "a",
          way: { kind: "script", command: ["./check.sh"], grant: { read: [], write: [], connect: [] } },
          timeoutMs: 5000,
          requiresManual: false,
        },
        {
          id: "b",
          way: { kind: "http", url: "https://gov.example/x", headers: {} },
          timeoutMs: 5000,
          requiresManual: false,
        },
      ],
      settings: { stopOnFirstReject: false, autoDecision: null },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("is taken as it is written", () => {
    const { governors } = configOf({
      permission_governors: [
        script({ timeout_ms: 100, requires_manual: true, grant: { read: ["/opt/x/**"], connect: ["a.example:443"] } }),
      ],
      output_governors: [],
      settings: { stop_on_first_reject: true, auto_decision: "all_approve", max_iterations: 7 },
    });
    expect(governors.specs).toMatchObject([
      {
        timeoutMs: 100,
        requiresManual: true,
        way: { grant: { read: ["/opt/x/**"], write: [], connect: ["a.example:443"] } },
      },
    ]);
    expect(governors.settings).toEqual({ stopOnFirstReject: true, autoDecision: "all_approve" });
  });

  it("may be that there are none", () =>
    expect(configOf("settings: { auto_decision: null }").governors.specs).toEqual([]));
});

describe("headers", () => {
  const headersOf = (headers: JsonObject): Readonly<Record<string, UpstreamValue>> => {
    const [spec] = configOf(file(http({ headers }))).governors.specs;
    return spec?.way.kind === "http" ? spec.way.headers : {};
  };
  const sent = (value: UpstreamValue | undefined) =>
    typeof value === "object" ? [value.prefix, value.secret.reveal()] : value;

  it.each<[string, string | readonly string[]]>([
    ["plain", "plain"],
    ["$TOKEN", "$TOKEN"],
    ["${TOKEN}", ["", "s3cret-of-the-gate"]],
    ["Bearer ${TOKEN}", ["Bearer ", "s3cret-of-the-gate"]],
    ["a ${TOKEN}:${OTHER} z", ["a ", "s3cret-of-the-gate:0ther-secret-value z"]],
  ])("%s", (text, value) => expect(sent(headersOf({ "X-Said": text })["x-said"])).toEqual(value));

  it("hold secrets that are shown nowhere and redacted everywhere", () => {
    const config = configOf(file(http({ headers: { Authorization: "Bearer ${TOKEN}", "X-B": "b" } })));
    expect(JSON.stringify(config.governors)).not.toContain("s3cret");
    expect(config.text).not.toContain("s3cret");
    expect(config.redactor.text("it said s3cret-of-the-gate!")).toBe("it said [REDACTED:TOKEN]!");
  });

  it("of which one is named in `secrets` as well, are one secret", () => {
    using scratch = openScratch();
    const governors = file(http({ headers: { a: "${TOKEN}" } }));
    const { redactor } = loaded(load(scratch, governors, `${CONFIG}secrets: [{ env: TOKEN, name: mine }]`));
    expect(redactor.text("s3cret-of-the-gate")).toBe("[REDACTED:mine]");
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ["a variable that is not set", { a: "${NONE}" }, ["the variable `NONE` is not set"]],
    ["one that is empty", { a: "x ${EMPTY}" }, ["the variable `EMPTY` is not set"]],
    ["no variable's name", { a: "${1}" }, ["`${` begins a variable's name, and there is none"]],
    ["a brace that stays open", { a: "${TOKEN" }, ["`${` begins a variable's name, and there is none"]],
    ["no text", { a: 1 }, ["a header is a text"]],
    ["a name that is none", { "a b": "x" }, ["`a b` is no name of a header"]],
    ["one name twice", { a: "x", A: "y" }, ["the header `A` is there twice"]],
    ["one of the gate's own", { "Content-Type": "x" }, ["the header `Content-Type` is the gate's own"]],
    ["two secrets", { a: "${TOKEN}", b: "${OTHER}" }, ["more than one header holds a secret"]],
    ["a line break", { a: "x\ny" }, ["its value holds what no header may hold, such as a line break"]],
    ["one in a secret", { a: "${BROKEN}" }, ["its value holds what no header may hold, such as a line break"]],
  ])("%s", (_, headers, messages) => {
    const found = messagesOf(file(http({ headers })));
    expect(found).toEqual(messages);
    expect(found.join()).not.toMatch(/s3cret|two-lines/);
  });

  it("that hold a secret are sent in the clear to this machine only", () => {
    const to = (url: string, headers: JsonObject) => messagesOf(file(http({ url, headers })));
    const problem = "the secret would be sent where everybody on the way can read it";
    expect(to("http://gov.example", { a: "${TOKEN}" })).toEqual([problem]);
    expect(to("http://gov.example", { a: "x" })).toEqual([]);
    expect(to("http://127.0.0.1:81", { a: "${TOKEN}" })).toEqual([]);
    expect(to("https://gov.example", { a: "${TOKEN}" })).toEqual([]);
  });

  it("with a secret that is written out are noted", () => {
    const config = configOf(file(http({ headers: { Authorization: "Bearer abc", "X-Team": "blue" } })));
    const notes = config.notes.filter(({ file }) => file.endsWith("governors.yaml"));
    expect(notes.map(({ message }) => message)).toEqual(["what looks like a secret is written out"]);
    expect(notes[0]?.hint).toBe("write `${NAME}` and set NAME");
  });

  it("whose secret is too short to be redacted are a problem of the line that names the file", () => {
    using scratch = openScratch();
    scratch.put("governors.yaml", JSON.stringify(file(http({ headers: { a: "${S}" } }))));
    const result = loadConfig({ path: scratch.put("toolgate.yaml", `state: s\n${CONFIG}`), variables: { S: "abc" } });
    expect(result.ok ? [] : result.problems).toMatchObject([{ line: 2, column: 12 }]);
  });
});

describe("problems", () => {
  it.each<[string, string, readonly string[]]>([
    [
      "an unknown key",
      "permission_govenors: []",
      ["governors.yaml 1:1 `permission_govenors` is not a known field, the nearest is `permission_governors`"],
    ],
    [
      "an unknown key of a governor",
      "permission_governors:\n  - { id: a, type: http, ulr: x }\n",
      ["governors.yaml 2:26 `permission_governors[0].ulr` is not a known field, the nearest is `url`"],
    ],
    [
      "an unknown setting",
      "settings: { auto_decisions: all_approve }",
      ["governors.yaml 1:13 `settings.auto_decisions` is not a known field, the nearest is `auto_decision`"],
    ],
    ["an empty file", "", ["governors.yaml 1:1 a file of governors must be an object, not null"]],
    ["no YAML", "permission_governors: [", [expect.stringMatching(/^governors\.yaml 1:\d+ /)]],
    [
      "output governors",
      "output_governors: [{ id: a, type: http, url: https://x.example }]",
      ["governors.yaml 1:19 `output_governors` is not supported by this version yet (take it out)"],
    ],
    [
      "all at once",
      "permission_governors:\n  - { id: a, type: script }\n  - { id: a b, type: http, url: ftp://x }\nsettings: 1\n",
      [
        "governors.yaml 2:5 a script has a `command` (say which program is started)",
        "governors.yaml 3:11 `a b` is no name for a governor (use letters, digits, `.`, `_`, `-`)",
        "governors.yaml 3:33 `ftp://x` can't be asked for: its scheme is `ftp`, and only `http` and `https` are spoken",
        expect.stringMatching(/^governors\.yaml 4:11 `settings` must be an object/),
      ],
    ],
  ])("%s", (_, text, problems) => expect(problemsOf(text)).toEqual(problems));

  it.each<[string, JsonObject, string]>([
    ["a url of a script", script({ url: "https://x.example" }), "a script has no `url`"],
    ["headers of a script", script({ headers: {} }), "a script has no `headers`"],
    ["a command of a service", http({ command: ["x"] }), "what is asked by HTTP has no `command`"],
    ["a grant of a service", http({ grant: {} }), "what is asked by HTTP has no `grant`"],
    ["no url", { id: "a", type: "http" }, "what is asked by HTTP has a `url`"],
    ["no name of a program", script({ command: [""] }), "the program has no name"],
    [
      "a pattern that can't be read",
      script({ grant: { read: ["x"] } }),
      "the pattern `x` does not say where it begins",
    ],
    ["no type", { id: "a" }, "`permission_governors[0].type` is missing"],
    ["another type", http({ type: "grpc" }), "`permission_governors[0].type` must be one of `script`, `http`"],
  ])("%s", (_, governor, message) => expect(messagesOf(file(governor))).toEqual([message]));

  it("a name that is given twice", () =>
    expect(messagesOf(file(script(), http()))).toEqual(["the name `a` is given twice"]));

  it.each<[number, boolean]>([
    [99, false],
    [100, true],
    [60_000, true],
    [60_001, false],
  ])("a timeout of %d ms: %s", (timeout_ms, isGood) =>
    expect(messagesOf(file(script({ timeout_ms })))).toHaveLength(isGood ? 0 : 1),
  );

  it.each<[number, boolean]>([
    [50, true],
    [51, false],
  ])("%d governors: %s", (count, isGood) => {
    const many = Array.from({ length: count }, (_, index) => script({ id: `g${index}` }));
    expect(messagesOf(file(...many))).toHaveLength(isGood ? 0 : 1);
  });

  it("no file: the config does not load", () => {
    using scratch = openScratch();
    const result = loadConfig({ path: scratch.put("toolgate.yaml", CONFIG) });
    expect(result.ok ? [] : result.problems).toMatchObject([
      { line: 1, column: 12, message: "the governors in `governors.yaml`: there is no such file" },
    ]);
  });
});

describe("what is trusted, closed and watched", () => {
  const writes = (config: Config, path: string) =>
    config.rules.judge({ kind: "write", path: join(config.workspace, path) }, factsFor("t")).ruleId;

  it("the text is accepted with the config", () => {
    const [one, other] = [script(), script({ requires_manual: true })].map((each) => configOf(file(each)));
    expect(one?.text).toContain("./check.sh");
    expect(one?.textHash).not.toBe(other?.textHash);
  });

  it("the file is closed to tools by every name, and watched", () => {
    using scratch = openScratch();
    const real = scratch.put("real/governors.yaml", JSON.stringify(file(script())));
    symlinkSync(real, join(scratch.folder, "link.yaml"));
    const path = scratch.put("toolgate.yaml", CONFIG.replace("governors.yaml", "link.yaml"));
    const config = loaded(loadConfig({ path, variables: {} }));
    expect(["link.yaml", "real/governors.yaml", "real/other.yaml"].map((name) => writes(config, name))).toEqual([
      "builtin:own-config",
      "builtin:own-config",
      "all",
    ]);
    expect(config.files).toContain(real);
  });

  it.each<[readonly string[], closed: readonly string[], open: readonly string[]]>([
    [["./check.sh"], ["check.sh"], ["check.js"]],
    [["node", "check.js"], ["check.js"], ["check.sh", "node"]],
    [["bash", "lib/gone.sh", "--to=check.js"], ["lib/gone.sh"], ["lib/other.sh"]],
    [["bash", "gone.sh", "gone"], ["gone.sh"], ["gone"]],
    [
      ["node", "lib"],
      ["lib/package.json", "lib/index.js"],
      ["lib/y", "lib"],
    ],
    [["python3", "./lib/"], ["lib/__main__.py"], ["lib/y"]],
    [["grep", "-r", "x", "."], [], ["index.js", "package.json"]],
    [["node", "-e", "const a = 1/2;", "lib"], [], ["lib", "const a = 1/2;"]],
    [["node", "-e", `/${"x".repeat(300)}`], [], ["x"]],
  ])("what %j names is closed to tools", (command, closed, open) => {
    using scratch = openScratch();
    for (const name of ["check.sh", "check.js", "lib/x"]) scratch.put(name);
    const config = loaded(load(scratch, file(script({ command }))));
    for (const name of closed) expect([name, writes(config, name)]).toEqual([name, "builtin:own-config"]);
    for (const name of open) expect([name, writes(config, name)]).toEqual([name, "all"]);
  });

  it.each([
    [["bash", "link/x.sh"], "link/x.sh"],
    [["./check"], "check"],
    [["bash", "lib/x.sh"], null],
    [["bash", "-c", "exit"], null],
  ])("what %j names is reached by no link in the workspace", (command, link) => {
    using scratch = openScratch();
    scratch.put("lib/x.sh");
    symlinkSync("lib", join(scratch.folder, "link"));
    symlinkSync("lib/x.sh", join(scratch.folder, "check"));
    const read = load(scratch, file(script({ command })));
    expect(read.ok ? [] : read.problems.map(({ message }) => message)).toEqual(
      link === null ? [] : [`\`${link}\` is reached by a link in the workspace, which tools may turn`],
    );
  });
});
