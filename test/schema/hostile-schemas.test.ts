import { expect, it } from "vitest";
import { compileSchema } from "../../src/schema/compile-schema.ts";
import { HOSTILE } from "./hostile-schemas.ts";

/** A24: refused when it is loaded, or checked in bounded time. What is not bounded does not come back from here. */
it.each(HOSTILE)("$name: $verdict", ({ schema, input, verdict }) => {
  const compiled = compileSchema(schema);
  if ("problem" in compiled) return expect(compiled.problem.code).toBe(verdict);
  const [error] = compiled.check(compiled.coerce(input));
  expect(error?.rule ?? "good").toBe(verdict);
});
