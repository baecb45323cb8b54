import { describe, expect, it } from "vitest";
import { clientToolsFrom } from "../../src/config/client-tools.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { LIMITS } from "../../src/domain/limits.ts";

const SCHEMA = { type: "object", properties: { path: { type: "string" } } };
const GOOD = { description: "d", inputSchema: SCHEMA };
const read = (client: JsonObject) => clientToolsFrom({ tools: { client } });

describe("tools.client", () => {
  it("is nothing where nothing is said", () => {
    expect(clientToolsFrom({})).toEqual({ tools: [], problems: [] });
  });

  it("has what the operator says, and defaults", () => {
    const more = { timeoutMs: 5, effects: { destructive: true }, trust: "org", touches: { write: ["path"] } };
    const command = ["wc", "--", "{path}"];
    expect(read({ a: GOOD, "b-2": { ...GOOD, ...more, command } })).toEqual({
      problems: [],
      tools: [
        {
          name: "a",
          ...GOOD,
          timeoutMs: 30_000,
          effects: null,
          trust: null,
          touches: {},
          exec: null,
          command: null,
          unfitHeads: [],
        },
        { name: "b-2", ...GOOD, ...more, exec: null, command, unfitHeads: ["", "", ""] },
      ],
    });
  });

  it("keeps apart which inputs are a command", () => {
    const inputSchema = { type: "object", properties: { command: { type: "string" }, args: { type: "array" } } };
    const touches = { exec: ["command", "args"], read: ["command"] };
    const { tools, problems } = read({ a: { ...GOOD, inputSchema, touches } });
    expect(problems).toEqual([]);
    expect(tools[0]).toMatchObject({ exec: ["command", "args"], touches: { read: ["command"] } });
    expect(tools[0]?.touches).not.toHaveProperty("exec");
  });

  it("says where in a command an input would be code, and what to do", () => {
    const { problems, tools } = read({ a: { ...GOOD, command: ["bash", "-c", "{path}"] } });
    expect(tools).toEqual([]);
    expect(problems).toEqual([
      {
        path: ["tools", "client", "a", "command", 2],
        what: "value",
        message: "`{path}` can't stand here: `bash` reads it as code",
        hint: expect.stringContaining("as an argument"),
      },
    ]);
  });

  it("believes the schema about numbers, and about nothing else", () => {
    const problemsWith = (target: JsonObject) => {
      const inputSchema = { type: "object", properties: { target } };
      return read({ a: { ...GOOD, inputSchema, command: ["make", "{target}"] } }).problems;
    };
    expect(problemsWith({ type: "integer" })).toEqual([]);
    for (const other of [{ type: "string" }, {}, { type: ["integer", "string"] }])
      expect(problemsWith(other)).toHaveLength(1);
  });

  it.each<[string, JsonObject, string]>([
    ["a name with a space", { "a b": GOOD }, "is no name for a tool"],
    ["a name that is too long", { ["a".repeat(51)]: GOOD }, "is no name for a tool"],
    ["no description", { a: { inputSchema: SCHEMA } }, "tools.client.a"],
    ["no schema", { a: { description: "d" } }, "tools.client.a"],
    ["a schema that is none", { a: { ...GOOD, inputSchema: { type: "thing" } } }, "its input schema can't be used"],
    ["an unknown key", { a: { ...GOOD, run: "x" } }, "tools.client.a.run"],
    ["an unknown effect", { a: { ...GOOD, effects: { harmless: true } } }, "tools.client.a.effects.harmless"],
    ["an unknown kind of touch", { a: { ...GOOD, touches: { git: ["path"] } } }, "it names inputs for"],
    ["a program that is no input", { a: { ...GOOD, touches: { exec: ["program"] } } }, "all of the input schema"],
    ["a program that is no list", { a: { ...GOOD, touches: { exec: "path" } } }, "all of the input schema"],
    ["a program of nothing", { a: { ...GOOD, touches: { exec: [] } } }, "all of the input schema"],
    ["a touch that names no list", { a: { ...GOOD, touches: { read: "path" } } }, "it names inputs for"],
    ["no time", { a: { ...GOOD, timeoutMs: 0 } }, "tools.client.a.timeoutMs"],
    ["too much time", { a: { ...GOOD, timeoutMs: LIMITS.toolTimeoutMs.maximum + 1 } }, "tools.client.a.timeoutMs"],
    ["native trust", { a: { ...GOOD, trust: "native" } }, "tools.client.a.trust"],
    ["a command without words", { a: { ...GOOD, command: [] } }, "tools.client.a.command"],
    ["a program that the model names", { a: { ...GOOD, command: ["{path}"] } }, "the program has to be written out"],
    ["an empty program", { a: { ...GOOD, command: [""] } }, "the program has to be written out"],
    [
      "too many",
      Object.fromEntries(Array.from({ length: LIMITS.clientTools.maximum + 1 }, (_, n) => [`t${n}`, GOOD])),
      "there are more than",
    ],
  ])("%s is a problem, and no tool", (_, client, said) => {
    const { problems, tools } = read(client);
    expect(problems.map(({ message }) => message).join()).toContain(said);
    expect(tools).toEqual([]);
  });
});
