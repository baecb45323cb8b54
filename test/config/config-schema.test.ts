import { expect, it } from "vitest";
import { CONFIG_SCHEMA } from "../../src/config/config-schema.ts";
import { GOVERNORS_FILE_SCHEMA } from "../../src/config/governors-schema.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/domain/json.ts";
import { compileCheck } from "../../src/schema/compile-schema.ts";

const LIMITS = ["maxLength", "maxItems", "maximum"];

function schemasIn(schema: JsonObject, at: string): { at: string; schema: JsonObject }[] {
  const properties = (schema["properties"] ?? {}) as JsonObject;
  const inner = Object.entries(properties).flatMap(([key, value]) => schemasIn(value as JsonObject, `${at}.${key}`));
  const items: JsonValue = schema["items"] ?? null;
  return [{ at, schema }, ...inner, ...(isJsonObject(items) ? schemasIn(items, `${at}[]`) : [])];
}

const ALL = [...schemasIn(CONFIG_SCHEMA, "config"), ...schemasIn(GOVERNORS_FILE_SCHEMA, "governors")];

it.each([CONFIG_SCHEMA, GOVERNORS_FILE_SCHEMA])("is one that our engine knows", (schema) =>
  expect(compileCheck(schema)).toHaveProperty("check"),
);

it.each(ALL)("$at says what a limit is for, and in what unit", ({ schema }) => {
  if (!LIMITS.some((limit) => limit in schema)) return;
  expect(schema).toMatchObject({ "x-unit": expect.any(String), "x-because": expect.any(String) });
});

/** Its keys are the operator's own names, and its values have a schema of their own. */
const isMap = ({ schema }: { schema: JsonObject }) => schema["x-map"] === true;

it.each(ALL.filter(({ schema }) => schema["type"] === "object").filter((one) => !isMap(one)))(
  "$at refuses unknown keys and describes the known",
  ({ schema }) => {
    expect(schema["additionalProperties"]).toBe(false);
    for (const property of Object.values(schema["properties"] as JsonObject))
      expect(property).toHaveProperty("description");
  },
);

it.each(ALL.filter(({ schema }) => "default" in schema))("$at has a default that is good", ({ schema }) => {
  const compiled = compileCheck({ properties: { value: schema } });
  if ("unsupported" in compiled) throw new Error(compiled.unsupported);
  expect(compiled.check({ value: schema["default"] as JsonValue })).toEqual([]);
});
