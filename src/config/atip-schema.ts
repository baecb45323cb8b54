import { LIMITS } from "../domain/limits.ts";
import { PATH, SECRET_NAME } from "./schema-parts.ts";

const ATIP_FILES_MAX = 200;

const TRUSTS = ["vendor", "org", "community", "user", "inferred"] as const;

/** Only what forbids or asks: a policy makes stricter, and what lets commands run is a rule. */
const ATIP_POLICY = {
  description: "What makes its commands stricter, in the words of ATIP; what lets them run is a rule.",
  type: "object",
  additionalProperties: false,
  properties: {
    allowDestructive: {
      description: "False: asks about what is not said to destroy nothing.",
      type: "boolean",
      default: false,
    },
    allowNonReversible: {
      description: "False: asks about what is not said to be reversible.",
      type: "boolean",
      default: true,
    },
    allowBillable: { description: "False: asks about what is not said to be free.", type: "boolean", default: true },
    allowNetwork: {
      description: "False: denies what is not said to do without the network.",
      type: "boolean",
      default: true,
    },
    allowFilesystemWrite: {
      description: "False: denies what is not said to write nothing.",
      type: "boolean",
      default: true,
    },
    allowFilesystemDelete: {
      description: "False: asks about what is not said to delete nothing.",
      type: "boolean",
      default: true,
    },
    allowInteractive: {
      description: "Nothing here has a terminal, whatever this says.",
      type: "boolean",
      default: false,
    },
    minTrustLevel: { description: "The least trust; what has less is denied.", enum: TRUSTS, default: "inferred" },
    maxCostEstimate: {
      description: "Asks about what may cost more.",
      enum: ["free", "low", "medium", "high"],
      default: "high",
    },
  },
} as const;

/** `tools.atip`. */
export const ATIP = {
  description:
    "Programs that are described by ATIP metadata: files, relative to this one. Each of their commands is a tool.",
  type: "array",
  default: [],
  maxItems: ATIP_FILES_MAX,
  "x-unit": "count",
  "x-because": "all of them are read and hashed at every start",
  items: {
    ...PATH,
    type: ["string", "object"],
    "x-because": LIMITS.pathBytes.because,
    required: ["file"],
    additionalProperties: false,
    properties: {
      file: { description: "The file with the metadata.", ...PATH, "x-because": LIMITS.pathBytes.because },
      trust: {
        description: "Whose word the description is. Left out: what the file says, and at most `user`.",
        enum: TRUSTS,
      },
      policy: ATIP_POLICY,
      sha256: {
        description: "SHA-256 of the program; another one of that name is not run.",
        type: "string",
        minLength: 64,
        maxLength: 64,
        "x-unit": "codepoints",
        "x-because": "it has so many hexadecimal digits",
      },
      env: {
        description:
          "Variables of the environment that the program gets. Their values are secrets: redacted everywhere.",
        type: "array",
        default: [],
        maxItems: 20,
        "x-unit": "count",
        "x-because": "no program has more keys",
        items: { ...SECRET_NAME },
      },
      timeoutSeconds: {
        description: "How long a command may take; a description may say less.",
        type: "integer",
        default: LIMITS.atipTimeoutMs.default / 1000,
        minimum: 1,
        maximum: LIMITS.atipTimeoutMs.maximum / 1000,
        "x-unit": "s",
        "x-because": LIMITS.atipTimeoutMs.because,
      },
    },
  },
} as const;
