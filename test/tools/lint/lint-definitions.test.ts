import { describe, expect, it } from "vitest";
import { openFiles } from "../../../src/files/open-files.ts";
import { fileTools } from "../../../src/tools/builtin/file-tools.ts";
import { lintDefinitions } from "../../../src/tools/lint/lint-definitions.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { realSandbox } from "../../sandbox/real-sandbox.ts";
import { redactorFor } from "../../support/redaction.ts";

const SCHEMA = {
  type: "object",
  properties: { path: { type: "string", description: "which file" } },
  required: ["path"],
  additionalProperties: false,
};
const GOOD = { name: "good_tool", description: "Does good.", inputSchema: SCHEMA, effects: { network: false } };

const found = (more: object, definition: object = GOOD) =>
  lintDefinitions([{ ...definition, ...more }]).map(({ level, field, rule }) => `${level} ${field} ${rule}`);
const withPart = (part: unknown) => ({ inputSchema: { ...SCHEMA, properties: { path: part } } });
const DESCRIBED = { description: "d" };

describe("what is found about one definition", () => {
  it.each<[string, object, readonly string[]]>([
    ["nothing about a good one", {}, []],
    ["no name", { name: undefined }, ["error name required"]],
    ["an empty name", { name: "" }, ["error name required"]],
    ["a name with a space", { name: "a b" }, ["error name format"]],
    ["a name in other letters", { name: "reаd" }, ["error name format"]],
    ["a name of 128", { name: "n".repeat(128) }, ["warning name format"]],
    ["a name of 129", { name: "n".repeat(129) }, ["error name format"]],
    ["a name of 64", { name: "n".repeat(64) }, []],
    ["a name of 65", { name: "n".repeat(65) }, ["warning name format"]],
    ["a name with a dot", { name: "fs.read" }, ["warning name format"]],
    ["no description", { description: undefined }, ["error description required"]],
    ["a blank description", { description: " \n" }, ["error description required"]],
    ["a description of 1,024", { description: "d".repeat(1024) }, []],
    ["a description of 1,025", { description: "d".repeat(1025) }, ["warning description max_length"]],
    ["a description that hides something", { description: "a\u200bb" }, ["error description hidden_text"]],
    ["a description of several lines", { description: "a\nb" }, []],
    ["no schema", { inputSchema: undefined }, ["error inputSchema required"]],
    ["a schema that is none", { inputSchema: { type: "objekt" } }, ["error inputSchema schema_invalid"]],
    [
      "a schema of something else than an object",
      { inputSchema: { type: "string", additionalProperties: false } },
      ["error inputSchema.type type"],
    ],
    [
      "a schema that takes anything",
      { inputSchema: { type: "object" } },
      ["warning inputSchema.additionalProperties open"],
    ],
    [
      "a required argument without a description of it",
      { inputSchema: { ...SCHEMA, required: ["path", "pth"] } },
      ["warning inputSchema.required unknown_field"],
    ],
    [
      "an argument that is not described",
      withPart({ type: "string" }),
      ["warning inputSchema.properties.path undescribed"],
    ],
    [
      "an argument whose description hides something",
      withPart({ description: "a\u202eb" }),
      ["error inputSchema.properties.path.description hidden_text"],
    ],
    ["an argument that may be anything", withPart(true), []],
    ["a default that fits", withPart({ ...DESCRIBED, type: "integer", default: 3 }), []],
    [
      "a default that does not",
      withPart({ ...DESCRIBED, type: "integer", maximum: 2, default: 3 }),
      ["error inputSchema.properties.path.default default"],
    ],
    ["a default of false", withPart({ ...DESCRIBED, type: "boolean", default: false }), []],
    [
      "a default beside a reference, which can't be looked at alone",
      {
        inputSchema: {
          ...SCHEMA,
          properties: { path: { ...DESCRIBED, $ref: "#/$defs/x", default: 1 } },
          $defs: { x: { type: "string" } },
        },
      },
      [],
    ],
    [
      "an argument deep inside",
      withPart({
        ...DESCRIBED,
        type: "array",
        items: { type: "object", properties: { in: { type: "string", default: 1 } } },
      }),
      [
        "warning inputSchema.properties.path.items.properties.in undescribed",
        "error inputSchema.properties.path.items.properties.in.default default",
      ],
    ],
    ["a stranger that calls itself native", { trust: "native", source: "mcp" }, ["error trust claim"]],
    ["a built-in one that is", { trust: "native", source: "builtin" }, []],
    ["a stranger that claims less", { trust: "community", source: "mcp" }, []],
    ["a time in the limits", { timeoutMs: 1 }, []],
    ["no time at all", { timeoutMs: 0 }, ["error timeoutMs range"]],
    ["a time that is none", { timeoutMs: "1" }, ["error timeoutMs range"]],
    ["no effects", { effects: undefined }, ["warning effects unclaimed"]],
    ["effects that are none", { effects: [] }, ["error effects type"]],
    [
      "destroying what can be undone",
      { effects: { destructive: true, reversible: true } },
      ["error effects contradiction"],
    ],
    ["destroying", { effects: { destructive: true, reversible: false } }, []],
    [
      "deleting without destroying",
      { effects: { filesystem: { delete: true }, destructive: false } },
      ["error effects contradiction"],
    ],
    [
      "destroying without touching anything",
      { effects: { filesystem: { write: false, delete: false }, network: false, destructive: true } },
      ["error effects contradiction"],
    ],
    [
      "changing files nowhere",
      { effects: { filesystem: { read: false, write: true, paths: [] } } },
      ["error effects contradiction"],
    ],
    ["billed and free", { effects: { cost: { billable: true, estimate: "free" } } }, ["error effects contradiction"]],
  ])("%s", (_, more, expected) => expect(found(more)).toEqual(expected));

  it("that it is none", () => {
    expect(lintDefinitions([7, GOOD])).toEqual([
      { tool: "#1", level: "error", field: "", rule: "type", message: "a definition has to be an object" },
    ]);
  });
});

describe("names beside each other", () => {
  const rulesOf = (...names: readonly string[]) =>
    lintDefinitions(names.map((name) => ({ ...GOOD, name })))
      .filter(({ rule }) => rule !== "format")
      .map(({ tool, level, rule }) => [tool, level, rule]);

  it.each<[readonly string[], readonly (readonly string[])[]]>([
    [["read_file", "read_files", "write_file"], []],
    [["read_file", "read_file"], [["read_file", "error", "collision"]]],
    [["read_file", "Read-File"], [["Read-File", "warning", "look_alike"]]],
    [["list", "1ist"], [["1ist", "warning", "look_alike"]]],
    [["read", "reаd"], [["reаd", "warning", "look_alike"]]],
    [["form", "forrn"], [["forrn", "warning", "look_alike"]]],
    [
      ["a_b", "ab", "a_b"],
      [
        ["ab", "warning", "look_alike"],
        ["a_b", "error", "collision"],
      ],
    ],
  ])("%j", (names, expected) => expect(rulesOf(...names)).toEqual(expected));
});

it("finds nothing about the tools that the gate brings along", () => {
  const tools = fileTools({
    ...{ files: openFiles({ workspace: "/" }), sandbox: realSandbox("/"), clock: systemClock },
    redactor: redactorFor(),
  });
  expect(lintDefinitions(tools.map(({ definition }) => definition))).toEqual([]);
});
