import { LIMITS } from "../domain/limits.ts";

export const PATH = {
  type: "string",
  minLength: 1,
  maxLength: LIMITS.pathBytes.maximum,
  "x-unit": "codepoints",
} as const;

export const SECRET_NAME = {
  type: "string",
  minLength: 1,
  maxLength: 64,
  "x-unit": "codepoints",
  "x-because": "it stands in the marker that takes the place of the value",
} as const;
