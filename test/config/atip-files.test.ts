import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { BUILTIN_NAMES } from "../../src/domain/builtin-names.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { metadata } from "../atip/some-metadata.ts";
import { openScratchGate } from "../support/scratch-gate.ts";
import { loaded, openScratch, problemsOf } from "./scratch.ts";

const COMMANDS = { run: { description: "Runs something", effects: { network: false } } };

function load(atip: unknown, files: Readonly<Record<string, JsonObject | string>>) {
  using scratch = openScratch();
  for (const [name, value] of Object.entries(files))
    scratch.put(name, typeof value === "string" ? value : JSON.stringify(value, null, 2));
  return loadConfig({ path: scratch.put("toolgate.yaml", JSON.stringify({ tools: { atip } })), variables: {} });
}

it("knows the names of the built-in tools", async () => {
  const local = { wire: "openai-compatible", url: "http://127.0.0.1:1/v1", models: ["m"] };
  const asked = { web: { search: { backend: "searxng" } }, inference: { providers: { local } } };
  await using scratch = openScratchGate({ config: { tools: { builtin: Object.keys(BUILTIN_NAMES), ...asked } } });
  const names = scratch.gate.tools().map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.values(BUILTIN_NAMES).flat().toSorted());
});

describe("files of `tools.atip`", () => {
  it("are read, with what the operator says of them", () => {
    const entry = { file: "b.json", trust: "org", sha256: "A".repeat(64), timeoutSeconds: 60 };
    const { atip } = loaded(
      load(["a.json", entry], {
        "a.json": metadata({ name: "a" }),
        "b.json": metadata({ name: "b", commands: COMMANDS }),
      }),
    );
    expect(atip.map(({ tool, leaves, word, timeoutMs }) => [tool.name, leaves.length, word, timeoutMs])).toEqual([
      ["a", 1, {}, undefined],
      ["b", 1, { trust: "org", sha256: "a".repeat(64) }, 60_000],
    ]);
  });

  it("add rules of the gate's own", () => {
    const without = loaded(load([], {})).ownRules;
    expect(loaded(load(["a.json"], { "a.json": metadata() })).ownRules).toBe(without + 2);
  });

  it("are part of what is accepted, and closed to tools", () => {
    const [first, second] = ["One", "Two"].map((description) =>
      loaded(load(["a.json"], { "a.json": metadata({ description: `${description} thing to do` }) })),
    );
    expect(first?.textHash).not.toBe(second?.textHash);
    expect(first?.files.some((file) => file.endsWith("a.json"))).toBe(true);
    expect(first?.text).toContain("`a.json`, SHA-256 ");
  });

  it.each<[string, unknown, Readonly<Record<string, JsonObject | string>>, RegExp]>([
    ["a file that is not there", ["gone.json"], {}, /the tools in `gone.json`: there is no such file/],
    ["a file that is no JSON", ["a.json"], { "a.json": "{\n  nope" }, /^2:3 /],
    [
      "metadata with a mistake",
      ["a.json"],
      { "a.json": metadata({ effects: { network: "no" } }) },
      /^\d+:\d+ `effects.network` has to be true or false, and is `"no"`/,
    ],
    ["one that is none at all", ["a.json"], { "a.json": {} }, /the description lacks `atip`/],
    [
      "a program twice",
      ["a.json", "b.json"],
      { "a.json": metadata(), "b.json": metadata() },
      /`tool` is described in `a.json` already/,
    ],
    [
      "a tool's name twice",
      ["a.json", "b.json"],
      {
        "a.json": metadata({ name: "a", commands: { b_c: COMMANDS.run } }),
        "b.json": metadata({ name: "a_b", commands: { c: COMMANDS.run } }),
      },
      /`a.json` has a tool `a_b_c` already/,
    ],
    ["a trust that is not for them", [{ file: "a.json", trust: "native" }], { "a.json": metadata() }, /trust/],
    ["a time that is too long", [{ file: "a.json", timeoutSeconds: 601 }], { "a.json": metadata() }, /timeoutSeconds/],
    [
      "a variable that is not set",
      [{ file: "a.json", env: ["KEY"] }],
      { "a.json": metadata() },
      /the variable `KEY` is not set/,
    ],
    ["no file", [{ trust: "org" }], {}, /file/],
  ])("problems: %s", (_, atip, files, message) => {
    const problems = problemsOf(load(atip, files));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join("\n")).toMatch(message);
  });
});
