import { Ajv2020 } from "ajv/dist/2020.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/domain/json.ts";
import type { FormatName } from "../../src/formats/formats.ts";

/** What each provider demands of the tools of a request, written down from their documentation and not from our code. */
export const TOOL_RULES: Readonly<Record<FormatName, (tools: unknown) => readonly string[]>> = {
  anthropic: (tools) => [
    ...uniqueNames(tools, ({ name }) => name),
    ...each(tools, (tool) => [
      ...allowedKeys(tool, ["name", "description", "input_schema", "strict"]),
      ...name(tool["name"], /^[a-zA-Z0-9_-]{1,128}$/),
      ...description(tool["description"], 10_000),
      ...objectRoot(tool["input_schema"]),
    ]),
  ],
  openai: (tools) => [
    ...uniqueNames(tools, ({ function: made }) => (made as JsonObject)["name"]),
    ...each(tools, (tool) => [
      ...allowedKeys(tool, ["type", "function"]),
      ...(tool["type"] === "function" ? [] : ["type is not function"]),
      ...openAiFunction(tool["function"], []),
    ]),
  ],
  "openai-responses": (tools) => [
    ...uniqueNames(tools, ({ name }) => name),
    ...each(tools, (tool) => [
      ...(tool["type"] === "function" ? [] : ["type is not function"]),
      ...openAiFunction(tool, ["type"]),
    ]),
  ],
  gemini: (tools) =>
    each(tools, (tool) => [
      ...allowedKeys(tool, ["functionDeclarations"]),
      ...uniqueNames(tool["functionDeclarations"], ({ name }) => name),
      ...each(tool["functionDeclarations"], (made) => [
        ...allowedKeys(made, ["name", "description", "parametersJsonSchema"]),
        ...name(made["name"], /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/),
        ...description(made["description"], 1024),
        ...objectRoot(made["parametersJsonSchema"], /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/),
        ...geminiSubset(made["parametersJsonSchema"] as JsonObject),
      ]),
    ]),
  mistral: (tools) => [
    ...uniqueNames(tools, ({ function: made }) => (made as JsonObject)["name"]),
    ...each(tools, (tool) => [
      ...allowedKeys(tool, ["type", "function"]),
      ...mistralFunction(tool["function"] as JsonObject),
    ]),
  ],
  bedrock: (tools) => [
    ...uniqueNames(tools, ({ toolSpec }) => (toolSpec as JsonObject)["name"]),
    ...each(tools, (tool) => {
      const spec = tool["toolSpec"] as JsonObject;
      return [
        ...allowedKeys(tool, ["toolSpec"]),
        ...allowedKeys(spec, ["name", "description", "inputSchema"]),
        ...name(spec["name"], /^[a-zA-Z0-9_-]{1,64}$/),
        ...description(spec["description"], 1024),
        ...objectRoot((spec["inputSchema"] as JsonObject)["json"]),
      ];
    }),
  ],
  mcp: (tools) => [
    ...uniqueNames(tools, ({ name }) => name),
    ...each(tools, (tool) => [
      ...name(tool["name"], /^[A-Za-z0-9_.-]{1,128}$/),
      ...description(tool["description"], 10_000),
      ...((tool["inputSchema"] as JsonObject)["type"] === "object" ? [] : ["root is no object"]),
      ...validSchema(tool["inputSchema"]),
    ]),
  ],
  "a2a-acp": (tools) => [
    ...uniqueNames(tools, ({ id }) => id),
    ...each(tools, (tool) => allowedKeys(tool, ["id", "description", "parameters"])),
  ],
};

const each = (list: unknown, check: (item: JsonObject) => readonly string[]): readonly string[] =>
  Array.isArray(list)
    ? list.flatMap((item: unknown, n) =>
        isJsonObject(item) ? check(item).map((found) => `[${n}] ${found}`) : [`[${n}]`],
      )
    : ["no list"];

const uniqueNames = (list: unknown, nameOf: (item: JsonObject) => unknown): readonly string[] => {
  const names = (list as readonly JsonObject[]).map(nameOf);
  return new Set(names).size === names.length ? [] : ["two tools have one name"];
};

const allowedKeys = (item: JsonObject, keys: readonly string[]): readonly string[] =>
  Object.keys(item)
    .filter((key) => !keys.includes(key))
    .map((key) => `extra member ${key}`);

const name = (given: unknown, legal: RegExp): readonly string[] =>
  typeof given === "string" && legal.test(given) ? [] : [`bad name ${given}`];

const description = (given: unknown, max: number): readonly string[] =>
  typeof given === "string" && given.length > 0 && given.length <= max && given.isWellFormed()
    ? []
    : [`bad description of ${String(given).length}`];

const NOT_AT_ROOT = ["anyOf", "oneOf", "allOf", "not", "enum"];

/** Of objects in objects and lists; those in a choice nobody looks at. */
function badArguments(schema: JsonValue | undefined, legal: RegExp): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const named = Object.entries((schema["properties"] ?? {}) as JsonObject);
  return [
    ...named.filter(([argument]) => !legal.test(argument)).map(([argument]) => `bad argument ${argument}`),
    ...named.flatMap(([, part]) => badArguments(part, legal)),
    ...badArguments(schema["items"], legal),
  ];
}

function objectRoot(schema: unknown, argument = /^[a-zA-Z0-9_.-]{1,64}$/): readonly string[] {
  if (!isJsonObject(schema)) return ["no schema"];
  return [
    ...(schema["type"] === "object" ? [] : ["root is no object"]),
    ...(isJsonObject(schema["properties"]) ? [] : ["no properties"]),
    ...NOT_AT_ROOT.filter((keyword) => schema[keyword] !== undefined).map((keyword) => `${keyword} at the root`),
    ...badArguments(schema, argument),
    ...arraysWithoutItems(schema),
    ...validSchema(schema),
  ];
}

const AJV = new Ajv2020({ strict: false });

function validSchema(schema: unknown): readonly string[] {
  return AJV.validateSchema(schema as JsonObject) ? [] : ["not JSON Schema 2020-12"];
}

/** Every schema inside a schema, with the schema itself. */
function* partsOf(schema: JsonValue | undefined, level = 1): Generator<{ part: JsonObject; level: number }> {
  if (!isJsonObject(schema)) return;
  yield { part: schema, level };
  for (const keyword of ["properties", "$defs", "patternProperties"])
    for (const inner of Object.values((schema[keyword] ?? {}) as JsonObject)) yield* partsOf(inner, level + 1);
  for (const keyword of ["items", "additionalProperties"]) yield* partsOf(schema[keyword], level + 1);
  for (const keyword of ["anyOf", "oneOf", "allOf", "prefixItems"])
    for (const inner of (schema[keyword] ?? []) as readonly JsonValue[]) yield* partsOf(inner, level + 1);
}

const arraysWithoutItems = (schema: JsonObject): readonly string[] =>
  [...partsOf(schema)].some(({ part }) => [part["type"]].flat().includes("array") && part["items"] === undefined)
    ? ["an array without items"]
    : [];

function openAiFunction(made: unknown, more: readonly string[]): readonly string[] {
  if (!isJsonObject(made)) return ["no function"];
  const { parameters, strict } = made;
  return [
    ...allowedKeys(made, ["name", "description", "parameters", "strict", ...more]),
    ...name(made["name"], /^[a-zA-Z0-9_-]{1,64}$/),
    ...description(made["description"], 1024),
    ...objectRoot(parameters),
    ...(typeof strict === "boolean" ? [] : ["strict is not said"]),
    ...(strict === true ? strictRules(parameters as JsonObject) : []),
  ];
}

const STRICT_KEYWORDS = new Set(
  "type properties required additionalProperties items enum anyOf description format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems".split(
    " ",
  ),
);

/** The rules of structured outputs. */
function strictRules(schema: JsonObject): readonly string[] {
  const parts = [...partsOf(schema)];
  const names = parts.flatMap(({ part }) => Object.keys((part["properties"] ?? {}) as JsonObject));
  const values = parts.flatMap(({ part }) => (part["enum"] ?? []) as readonly JsonValue[]);
  return [
    ...parts.flatMap(({ part }) => strictPart(part)),
    ...(names.length <= 5000 ? [] : ["over 5000 properties"]),
    ...(values.length <= 1000 + names.length ? [] : ["over 1000 enum values"]),
    // The union with null around an optional object is no level of the tool's own.
    ...(Math.max(...parts.map(({ level }) => level)) <= 20 ? [] : ["over 10 levels"]),
    ...(JSON.stringify(schema).length <= 120_000 ? [] : ["over 120,000 characters"]),
  ];
}

function strictPart(part: JsonObject): readonly string[] {
  const foreign = Object.keys(part).filter((keyword) => !STRICT_KEYWORDS.has(keyword));
  const isObject = part["type"] === "object";
  const names = Object.keys((part["properties"] ?? {}) as JsonObject);
  const required = (part["required"] ?? []) as readonly string[];
  return [
    ...foreign.map((keyword) => `${keyword} in a strict schema`),
    ...(part["type"] === undefined && part["anyOf"] === undefined ? ["neither type nor anyOf"] : []),
    ...(isObject && part["additionalProperties"] !== false ? ["an open object"] : []),
    ...(isObject && names.toSorted().join() !== required.toSorted().join() ? ["not all required"] : []),
  ];
}

const GEMINI_KEYWORDS = new Set(
  "$defs $ref type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required".split(
    " ",
  ),
);

const geminiSubset = (schema: JsonObject): readonly string[] =>
  [...partsOf(schema)].flatMap(({ part }) => [
    ...Object.keys(part)
      .filter((keyword) => !GEMINI_KEYWORDS.has(keyword))
      .map((keyword) => `${keyword} is none of Gemini's`),
    ...(part["$ref"] !== undefined && Object.keys(part).length > 1 ? ["a reference that does not stand alone"] : []),
    ...((part["required"] ?? []) as readonly string[])
      .filter((needed) => !Object.hasOwn((part["properties"] ?? {}) as JsonObject, needed))
      .map((needed) => `${needed} is required and not defined`),
  ]);

const mistralFunction = (made: JsonObject): readonly string[] => [
  ...allowedKeys(made, ["name", "description", "parameters"]),
  ...name(made["name"], /^[a-zA-Z0-9_-]{1,64}$/),
  ...description(made["description"], 1024),
  ...objectRoot(made["parameters"]),
];
