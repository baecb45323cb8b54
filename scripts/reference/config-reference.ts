import { CONFIG_SCHEMA } from "../../src/config/config-schema.ts";
import { GOVERNORS_FILE_SCHEMA } from "../../src/config/governors-schema.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/domain/json.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { code, GENERATED, table } from "./markdown.ts";

export function configReference(): string {
  const rows = settingRows(CONFIG_SCHEMA, "");
  const isRule = ([key = ""]: readonly string[]) => key.startsWith("`rules[].");
  return `${GENERATED}

# The configuration

All of \`toolgate.yaml\`. A key that is not here is refused, and so is a value outside of its limits; both are told with
their place in the file.

${table(
  HEAD,
  rows.filter((row) => !isRule(row)),
)}

## A rule

Each item of \`rules\`, here and in the files of \`rulesFiles\`.

${table(HEAD, rows.filter(isRule))}

## A file of governors

What \`governors\` names; \`docs/guide/automatic-answers.md\` tells of it.

${table(HEAD, settingRows(GOVERNORS_FILE_SCHEMA, ""))}

## Hard limits

What no configuration changes.

${table(
  ["limit", "default", "from", "to", "unit", "because"],
  Object.entries(LIMITS).map(([name, { unit, default: given, minimum, maximum, because }]) => [
    code(name),
    ...[given, minimum, maximum].map((number) => number.toLocaleString("en")),
    unit,
    because,
  ]),
)}
`;
}

const HEAD = ["key", "is", "default", "means"];

function settingRows(schema: JsonObject, at: string): readonly (readonly string[])[] {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  return Object.entries(properties).flatMap(([name, part]) => {
    if (!isJsonObject(part)) return [];
    const key = at === "" ? name : `${at}.${name}`;
    const own = [code(key), kindOf(part), defaultOf(part), textOf(part["description"])];
    const { items, "x-each": each } = part;
    return [
      own,
      ...settingRows(part, key),
      ...(isJsonObject(items) ? settingRows(items, `${key}[]`) : []),
      ...(isJsonObject(each) ? settingRows(each, `${key}.NAME`) : []),
    ];
  });
}

function kindOf(part: JsonObject): string {
  const { type, enum: words, const: only, items } = part;
  if (Array.isArray(words)) return words.map((word) => code(textOf(word))).join(", ");
  if (only !== undefined) return code(JSON.stringify(only));
  if (type === "array") return `list${atMost(part["maxItems"])}${isJsonObject(items) ? `: ${kindOf(items)}` : ""}`;
  return `${textOf(type)}${atMost(part["maxLength"] ?? part["maximum"], textOf(part["x-unit"]))}`;
}

const atMost = (maximum: JsonValue | undefined, unit = ""): string =>
  typeof maximum === "number" ? ` of at most ${`${maximum.toLocaleString("en")} ${unit}`.trimEnd()}` : "";

const defaultOf = (part: JsonObject): string =>
  part["default"] === undefined ? "" : code(JSON.stringify(part["default"]));

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");
