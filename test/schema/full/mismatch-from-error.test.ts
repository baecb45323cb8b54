import type { ErrorObject } from "ajv";
import { expect, it } from "vitest";
import { mismatchFromError } from "../../../src/schema/full/mismatch-from-error.ts";

it.each([
  { keyword: "minLength", schema: 1, data: "long enough" },
  { keyword: "keyword of another Ajv", schema: 1, data: 1 },
])("has words for an error that nobody can explain: $keyword", (part) => {
  const error: ErrorObject = { instancePath: "/x/0", schemaPath: "", params: {}, ...part };
  expect(mismatchFromError({ error, inner: [] }, { x: [""] })).toEqual({
    path: ["x", 0],
    rule: "fault",
    says: "is not what the schema asks for",
  });
});
