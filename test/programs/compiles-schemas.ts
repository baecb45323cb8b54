// Says after each step which of the large packages are loaded by now: node compiles-schemas.ts

import { createRequire } from "node:module";
import type { JsonObject } from "../../src/domain/json.ts";
import { compileSchema } from "../../src/schema/compile-schema.ts";

const { cache } = createRequire(import.meta.url);
const isLoaded = (name: string): boolean => Object.keys(cache).some((file) => file.includes(`/node_modules/${name}/`));
const say = (): void => console.log(["ajv", "ajv-formats", "re2js"].filter(isLoaded).join(" "));

function compiled(schema: JsonObject) {
  const result = compileSchema(schema);
  if ("problem" in result) throw new Error(result.problem.message);
  return result;
}

compiled({ type: "object", properties: { a: { type: "integer", minimum: 1 } } }).check({ a: 1 });
const { check } = compiled({ anyOf: [{ required: ["a"] }, { required: ["b"] }] });
say();
check({ a: 1 });
say();
compiled({ pattern: "a" });
say();
