import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { compileSchema } from "../../schema/compile-schema.ts";
import { error, type Finding, warning } from "./definition-problem.ts";
import { hiddenIn } from "./lint-texts.ts";

/** What is wrong with the arguments that a tool says it takes. */
export function lintSchema(schema: unknown): readonly Finding[] {
  if (!isJsonObject(schema))
    return [error("inputSchema", "required", "the tool does not say which arguments it takes")];
  const compiled = compileSchema(schema);
  if ("problem" in compiled) {
    const { code, message } = compiled.problem;
    return [error("inputSchema", code.toLowerCase(), message)];
  }
  return [
    ...(schema["type"] === "object"
      ? []
      : [error("inputSchema.type", "type", "arguments are an object, so the schema has to say `type: object`")]),
    ...(schema["additionalProperties"] === false
      ? []
      : [
          warning(
            "inputSchema.additionalProperties",
            "open",
            "it takes arguments that it does not name; `additionalProperties: false` refuses a misspelt one",
          ),
        ]),
    ...unnamedRequired(schema),
    ...lintParts(schema, "inputSchema"),
  ];
}

function unnamedRequired({ required, properties }: JsonObject): readonly Finding[] {
  const named = isJsonObject(properties) ? properties : {};
  const missing = (Array.isArray(required) ? required : []).filter((name) => !Object.hasOwn(named, String(name)));
  return missing.map((name) =>
    warning("inputSchema.required", "unknown_field", `\`${name}\` is required and none of \`properties\``),
  );
}

/** Of every argument: that a model is told what it is for, and that its default is one that would be taken. */
function lintParts({ properties, items }: JsonObject, at: string): readonly Finding[] {
  const named = isJsonObject(properties) ? Object.entries(properties) : [];
  const parts: [string, JsonValue][] = named.map(([name, part]) => [`${at}.properties.${name}`, part]);
  return [
    ...parts.flatMap(([field, part]) => (isJsonObject(part) ? lintPart(part, field) : [])),
    ...(isJsonObject(items) ? lintParts(items, `${at}.items`) : []),
  ];
}

function lintPart(part: JsonObject, field: string): readonly Finding[] {
  const { description } = part;
  return [
    ...(typeof description === "string"
      ? hiddenIn(`${field}.description`, description)
      : [warning(field, "undescribed", "nobody tells a model what this argument is for")]),
    ...lintDefault(part, field),
    ...lintParts(part, field),
  ];
}

function lintDefault(part: JsonObject, field: string): readonly Finding[] {
  const value = part["default"];
  if (value === undefined) return [];
  const compiled = compileSchema({ type: "object", properties: { value: part } });
  // One that refers to the schema around it can't be looked at alone.
  if ("problem" in compiled) return [];
  return compiled
    .check({ value })
    .map(({ message }) => error(`${field}.default`, "default", `the default would be refused: ${message}`));
}
