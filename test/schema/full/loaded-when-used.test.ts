import { createRequire } from "node:module";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import { compileSchema } from "../../../src/schema/compile-schema.ts";

const { cache } = createRequire(import.meta.url);
const isLoaded = (name: string): boolean => Object.keys(cache).some((file) => file.includes(`/node_modules/${name}/`));
const loaded = (): readonly string[] => ["ajv", "ajv-formats", "re2js"].filter(isLoaded);

function compiled(schema: JsonObject) {
  const result = compileSchema(schema);
  if ("problem" in result) throw new Error(result.problem.message);
  return result;
}

it("loads what is large when a schema needs it, and Ajv when that schema is used", () => {
  compiled({ type: "object", properties: { a: { type: "integer", minimum: 1 } } }).check({ a: 1 });
  const { check } = compiled({ anyOf: [{ required: ["a"] }, { required: ["b"] }] });
  expect(loaded()).toEqual([]);
  check({ a: 1 });
  expect(loaded()).toEqual(["ajv", "ajv-formats"]);
  compiled({ pattern: "a" });
  expect(loaded()).toEqual(["ajv", "ajv-formats", "re2js"]);
});
