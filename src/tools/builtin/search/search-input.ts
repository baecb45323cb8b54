import { LIMITS } from "../../../domain/limits.ts";
import type { InputError } from "../../../domain/outcome.ts";
import { inputError, type Sound } from "../with-check.ts";

export type SearchInput = {
  readonly query: string;
  readonly path?: string;
  readonly regex?: boolean;
  readonly caseSensitive?: boolean;
  readonly includePattern?: string;
  readonly excludePattern?: string;
  readonly contextLines?: number;
  readonly limit?: number;
  readonly limitBytes?: number;
  readonly timeoutMs?: number;
};

const numberWithin = ({ minimum, maximum, default: given }: (typeof LIMITS)[keyof typeof LIMITS], says: string) =>
  ({ type: "integer", minimum, maximum, description: `${says}, ${given} if not given` }) as const;

const GLOB = { type: "string", maxLength: LIMITS.pathBytes.maximum } as const;

export const SEARCH_SCHEMA = {
  type: "object",
  properties: {
    query: {
      type: "string",
      minLength: 1,
      maxLength: LIMITS.patternLength.default,
      description: "the text to look for, within a line",
    },
    path: {
      type: "string",
      minLength: 1,
      description: "folder or file, relative to the workspace or absolute; the workspace if not given",
    },
    regex: { type: "boolean", description: "`query` is a regular expression (Rust syntax, no look-around)" },
    caseSensitive: { type: "boolean", description: "whether upper and lower case differ, true if not given" },
    includePattern: {
      ...GLOB,
      description: "search only files that it matches: `*.{ts,tsx}` a name, `src/**` a path below `path`",
    },
    excludePattern: { ...GLOB, description: "pass over files and folders that it matches, written alike" },
    contextLines: numberWithin(LIMITS.searchContextLines, "lines to show before and behind each match"),
    limit: numberWithin(LIMITS.searchMatches, "matching lines at the most"),
    limitBytes: numberWithin(LIMITS.searchBytes, "bytes of text at the most"),
    timeoutMs: numberWithin(LIMITS.searchMs, "milliseconds after which the search ends with what was found"),
  },
  required: ["query"],
  additionalProperties: false,
} as const;

/** What the schema can't say. */
export function searchErrors(input: Sound<SearchInput>): readonly InputError[] {
  const texts = ["query", "includePattern", "excludePattern"] as const;
  const unusable = texts.flatMap((field) => {
    const text = input[field] ?? "";
    if (text.includes("\0")) return [inputError(field, "format", `\`${field}\` holds a NUL character`)];
    return text.isWellFormed() ? [] : [inputError(field, "format", `\`${field}\` is not well-formed Unicode`)];
  });
  const isLines = /[\n\r]/.test(input.query ?? "");
  const isNegated = input.includePattern?.startsWith("!") === true;
  return [
    ...unusable,
    ...(isLines ? [inputError("query", "format", "`query` holds a line end; lines are searched one by one")] : []),
    ...(isNegated
      ? [inputError("includePattern", "format", "`includePattern` begins with `!`; use `excludePattern` instead")]
      : []),
  ];
}
