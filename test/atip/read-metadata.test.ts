import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMetadata } from "../../src/atip/read-metadata.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { withSharedData } from "../support/parts.ts";
import { leavesIn, metadata, problemsOf } from "./some-metadata.ts";

const COMMAND = { description: "Does what it says", effects: { network: false } };
const names = (more: JsonObject, separator?: string) => leavesIn(more, separator).map(({ name }) => name);

describe("which metadata can be used", () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ["a good one", {}, []],
    ["an old version as a text", { atip: "0.1" }, []],
    ["version 0.4", { atip: { version: "0.4" } }, []],
    [
      "a version to come",
      { atip: { version: "0.7" } },
      ['error atip.version has to be a version from 0.1 to 0.6, and is `"0.7"`'],
    ],
    ["no version of itself", { atip: 6 }, ["error atip has to be a version from 0.1 to 0.6, and is `6`"]],
    ["a feature that nobody knows", { atip: { version: "0.6", features: ["magic"] } }, []],
    ["members of somebody's own", { "x-own": { a: 1 }, other: 2 }, []],
    [
      "a name with a slash",
      { name: "a/b" },
      ['error name has to be the name of a program: letters, digits, `_` and `-`, and is `"a/b"`'],
    ],
    [
      "a name that is an option",
      { name: "-rf" },
      ['error name has to be the name of a program: letters, digits, `_` and `-`, and is `"-rf"`'],
    ],
    [
      "a description of 201",
      { description: "d".repeat(201) },
      [`error description has to be a text of at most 200 characters, and is \`"${"d".repeat(39)}…\``],
    ],
    ["commands as a list", { commands: [] }, ["error commands has to be an object, and is a list"]],
    [
      "a command that is an option",
      { commands: { "--force": COMMAND } },
      ["error commands.--force is no name that a command can have"],
    ],
    [
      "a command with a space",
      { commands: { "a b": COMMAND } },
      ["error commands.a b is no name that a command can have"],
    ],
    ["a command without a description", { commands: { a: {} } }, ["error commands.a lacks `description`"]],
    [
      "a hash that is none",
      { binary: { hash: "sha256:12" } },
      ['error binary.hash has to be `sha256:` and 64 hexadecimal digits, and is `"sha256:12"`'],
    ],
    [
      "no flag at all",
      { globalOptions: [{ name: "v", flags: [], type: "boolean", description: "d" }] },
      ["error globalOptions.0.flags has to have at least 1 item"],
    ],
    [
      "a parameter called __proto__",
      { commands: { a: { ...COMMAND, arguments: [{ name: "__proto__", type: "string", description: "d" }] } } },
      ['error commands.a.arguments.0.name has to be a name of 1 to 100 printed characters, and is `"__proto__"`'],
    ],
    [
      "nothing about its origin",
      { trust: {} },
      ["warning trust does not say where this comes from, so it counts as `inferred`"],
    ],
  ])("%s", (_, more, problems) => expect(problemsOf(more)).toEqual(problems));

  it.each<[string, JsonValue]>([
    ["null", null],
    ["a list", []],
    ["a text", "0.4"],
    ["nothing in it", {}],
  ])("refuses %s", (_, value) => expect(readMetadata(value).ok).toBe(false));

  it("tells all that is wrong at once", () => {
    const value = metadata({ name: 1, effects: { network: 1, cost: { estimate: "dear" } }, commands: { a: 3 } });
    expect(readMetadata(value).problems).toHaveLength(4);
  });

  it("takes anything without throwing, and none of it for a tool that has no name", () => {
    void fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = readMetadata({ ...metadata(), commands: value as JsonValue });
        if (read.ok) expect(read.leaves.length).toBeGreaterThan(0);
        expect(readMetadata({ ...(value as object), name: null } as JsonObject).ok).toBe(false);
      }),
    );
  });

  it("looks no deeper than commands go", () => {
    const deep = (depth: number): JsonObject => ({
      ...COMMAND,
      ...(depth > 0 && { commands: { a: deep(depth - 1) } }),
    });
    expect(problemsOf({ commands: { a: deep(15) } })).toEqual([]);
    expect(problemsOf({ commands: { a: deep(16) } })[0]).toContain("lies deeper than 16 commands");
  });
});

describe("the names of commands", () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ["one without a further word", { "": COMMAND }, ["tool"]],
    [
      "words with the separator inside",
      { a_b: COMMAND, "c-d": { ...COMMAND, commands: { e_f: COMMAND } } },
      ["tool_a_b", "tool_c-d_e_f"],
    ],
    ["a group that can't be called", { g: { ...COMMAND, options: [], commands: { x: COMMAND } } }, ["tool_g_x"]],
    [
      "a group that has examples",
      { g: { ...COMMAND, examples: ["tool g"], commands: { x: COMMAND } } },
      ["tool_g", "tool_g_x"],
    ],
    [
      "a group that is called by the empty key",
      { g: { ...COMMAND, commands: { "": COMMAND, x: COMMAND } } },
      ["tool_g", "tool_g_x"],
    ],
  ])("%s", (_, commands, expected) => expect(names({ commands })).toEqual(expected));

  it("are the program's own where it has no commands", () => expect(names({})).toEqual(["tool"]));
  it("take another separator", () => expect(names({ commands: { a: COMMAND } }, ".")).toEqual(["tool.a"]));

  it("must not be the same for two commands", () => {
    const commands = { a_b: { ...COMMAND, commands: { c: COMMAND } }, a: { ...COMMAND, commands: { b_c: COMMAND } } };
    expect(problemsOf({ commands })).toEqual([
      "error commands has two commands that become `tool_a_b_c`: `tool a_b c` and `tool a b_c`",
    ]);
  });
});

describe("what commands do", () => {
  const effectsOf = (more: JsonObject, path = "tool_g_x") => leavesIn(more).find(({ name }) => name === path)?.effects;

  it("is what they say", () => {
    const commands = { g: { ...COMMAND, effects: { destructive: true }, commands: { x: COMMAND } } };
    expect(effectsOf({ commands })).toEqual({ network: false });
  });

  it("is what their nearest group says where they say nothing", () => {
    const inner = { description: "Does what it says" };
    const commands = { g: { ...COMMAND, effects: { destructive: true }, commands: { x: inner } } };
    expect(effectsOf({ commands })).toEqual({ destructive: true });
  });

  it("is never safer than what the whole tool says", () => {
    const commands = {
      g: {
        ...COMMAND,
        commands: { x: { ...COMMAND, effects: { network: false, reversible: true, duration: { timeout: "2m" } } } },
      },
    };
    expect(effectsOf({ commands, effects: { network: true, duration: { timeout: "60s" } } })).toEqual({
      filesystem: {},
      interactive: {},
      cost: {},
      network: true,
      duration: { timeoutMs: 60_000 },
    });
  });
});

describe("what a group does that can be called", () => {
  const argument = { name: "what", type: "string", description: "d" };
  const group = (commands: JsonObject, more: JsonObject = {}) =>
    leavesIn({ commands: { g: { ...COMMAND, arguments: [argument], ...more, commands } } }).find(
      ({ name }) => name === "tool_g",
    )?.effects;
  const doing = (effects: JsonObject) => ({ description: "Does what it says", effects });
  const SAFE = {
    destructive: false,
    reversible: true,
    network: false,
    filesystem: { write: false, delete: false },
    cost: { billable: false, estimate: "free" },
  };

  it.each<[string, JsonObject, JsonObject]>([
    ["destroys", { destructive: true }, { destructive: true }],
    ["can't be undone", { reversible: false }, { reversible: false }],
    ["connects", { network: true }, { network: true }],
    ["deletes files", { filesystem: { delete: true } }, { filesystem: { delete: true } }],
    ["costs money", { cost: { billable: true } }, { cost: { billable: true } }],
    ["wants somebody to type", { interactive: { stdin: "password" } }, { interactive: { stdin: "password" } }],
    ["takes a minute at most", { duration: { timeout: "1m" } }, { duration: { timeoutMs: 60_000 } }],
  ])("is what is worst below it: one that %s", (_, worst, expected) => {
    const bad = doing({ ...SAFE, ...worst });
    for (const commands of [
      { a: doing(SAFE), b: bad },
      { a: bad, b: doing(SAFE) },
      { a: { ...doing(SAFE), commands: { deep: bad } }, b: doing(SAFE) },
    ])
      expect(group(commands, { effects: SAFE })).toMatchObject(expected);
  });

  it("is safe where all of them say so", () =>
    expect(group({ a: doing(SAFE), b: doing(SAFE) }, { effects: SAFE })).toMatchObject(SAFE));

  it("is not known to be safe where one below says less", () => {
    const effects = group({ a: doing({ network: false }), b: doing(SAFE) }, { effects: SAFE });
    expect([effects?.destructive, effects?.reversible, effects?.network]).toEqual([undefined, undefined, false]);
  });

  it.each<[string, JsonObject, boolean | undefined]>([
    ["safe", SAFE, false],
    ["destructive", { ...SAFE, destructive: true }, true],
    ["without a word", {}, undefined],
  ])("holds for one below it that says nothing with `{}`: %s", (_, effects, destructive) => {
    const empty = { g: { description: "A group of them", effects, commands: { a: doing({}) } } };
    expect(leavesIn({ commands: empty }).map((leaf) => leaf.effects.destructive)).toEqual([destructive]);
    expect(group({ a: doing({}), b: doing(SAFE) }, { effects })?.destructive).toBe(destructive);
  });

  it("is the tool's where nothing else is said", () => {
    const commands = {
      g: { description: "A group of them", arguments: [argument], commands: { a: { description: "A command" } } },
    };
    const effects = { destructive: true, network: false };
    for (const leaf of leavesIn({ commands, effects })) expect(leaf.effects).toMatchObject(effects);
  });

  it("is its own where it takes no argument, which could be one of their names", () => {
    const option = { name: "all", flags: ["--all"], type: "boolean", description: "d" };
    const commands = { a: doing({ destructive: true }) };
    expect(group(commands, { arguments: [], options: [option], effects: SAFE })).toEqual(SAFE);
  });
});

describe("what is doubtful", () => {
  const option = (flags: readonly string[], more: JsonObject = {}) => ({
    name: "o",
    flags,
    type: "string",
    description: "d",
    ...more,
  });
  const withOptions = (...options: readonly JsonObject[]) => problemsOf({ commands: { a: { ...COMMAND, options } } });

  it("a flag that can't be written costs the option, and not the tool", () => {
    expect(withOptions(option(["--output=<file>"]))).toEqual([
      "warning commands.a.options.0.flags has no flag that can be written: `o` is left out",
    ]);
    expect(withOptions(option(["--"], { required: true }))[0]).toMatch(/^error/);
    expect(withOptions(option(["--bad flag", "-o"]))).toEqual([]);
  });

  it.each(["-f|--file", "--[no-]color", "-f,--file", "--file<path>", "--{a}", "--(no-)x", "-|x"])(
    "`%s` is several flags or a value in one word, and no flag",
    (flag) => {
      expect(withOptions(option([flag]))).toEqual([
        "warning commands.a.options.0.flags has no flag that can be written: `o` is left out",
      ]);
      expect(withOptions(option([flag], { required: true }))[0]).toMatch(/^error/);
      expect(withOptions(option([flag, "--other"]))).toEqual([]);
    },
  );

  it("two options by one flag are an error where that flag would be written", () => {
    expect(withOptions(option(["-o"]), option(["-o"], { name: "p" }))[0]).toBe(
      "error commands.a.options.1.flags has the flag `-o`, which is `o` already",
    );
  });

  it("two parameters of one name", () => {
    expect(withOptions(option(["-o"]), option(["-p"]))).toEqual([
      "error commands.a has two parameters that are called `o`",
    ]);
  });

  it("a choice without its words takes any text", () => {
    expect(withOptions(option(["-o"], { type: "enum" }))[0]).toContain("so any text is taken");
  });
});

withSharedData("atip")("the fixtures of the original", (folder) => {
  const BAD =
    /\/(?:invalid|missing-name|missing-required-fields|invalid-effects-values|invalid-shim)\.json$|\/(?:configs|\.well-known)\/|manifest/;
  const files = globSync(join(folder, "{examples,fixtures}/**/*.json"));

  it("are all there", () => expect(files.length).toBeGreaterThan(25));

  it.each(files.map((file) => file.slice(folder.length)))("%s", (file) => {
    const text = readFileSync(join(folder, file), "utf8");
    let value: JsonValue;
    try {
      value = JSON.parse(text) as JsonValue;
    } catch {
      return expect(file).toMatch(/atip-diff\/tests\/fixtures\/invalid\.json$/);
    }
    const { ok, problems } = readMetadata(value);
    expect(ok).toBe(!BAD.test(file));
    if (!ok) expect(problems.some(({ level }) => level === "error")).toBe(true);
    // What the original's linter calls invalid and its schema lets pass is told as well.
    else if (file.includes("/invalid/")) expect(problems.length).toBeGreaterThan(1);
  });
});

describe("what the empty key does", () => {
  const argument = { name: "what", type: "string", description: "d" };
  const commands = (more: JsonObject) => ({
    "": { description: "shows", effects: { destructive: false, network: false }, ...more },
    remove: { description: "removes", effects: { destructive: true } },
  });

  it.each<[string, JsonObject, boolean]>([
    ["with an argument, which may name a command beside it", { arguments: [argument] }, true],
    ["without one", {}, false],
  ])("is what is worst beside it: %s", (_, more, destructive) => {
    const [top] = leavesIn({ commands: commands(more) });
    const [nested] = leavesIn({ commands: { g: { description: "d", commands: commands(more) } } });
    expect([top?.effects.destructive, nested?.effects.destructive]).toEqual([destructive, destructive]);
    // However often nothing more is said.
    const { "": empty, remove } = commands(more);
    const within = { description: "d", commands: { "": { description: "d", commands: { "": empty } } } };
    const [twice] = leavesIn({ commands: { g: { description: "d", commands: { "": within, remove } } } });
    expect(twice?.effects.destructive).toBe(destructive);
  });
});
