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

/** A key that one service only is sent. `means`: whose it is, and who needs one. */
export const secretKey = <Means extends string>(means: Means) =>
  ({
    description: means,
    type: "object",
    required: ["secret"],
    additionalProperties: false,
    properties: {
      secret: {
        description: "The variable of the environment that holds it.",
        type: "string",
        minLength: 1,
        maxLength: 64,
        "x-unit": "codepoints",
        "x-because": "it is a name, and never the key itself",
      },
    },
  }) as const;
