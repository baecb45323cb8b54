import { type Document, LineCounter, type Node, parseDocument } from "yaml";
import type { JsonValue } from "../domain/json.ts";
import { visibleLine } from "../domain/visible.ts";
import type { Path } from "../schema/mismatch.ts";
import type { Place } from "./config-problem.ts";
import { offsetAt, offsetInText } from "./yaml-offset.ts";
import { walkProblems, type YamlFinding } from "./yaml-walk.ts";

export interface YamlProblem extends Place {
  readonly message: string;
}

export interface YamlDocument {
  readonly value: JsonValue;
  /** Where the value at a path is written, or its key; what is not there is where its parent is. */
  readonly placeOf: (path: Path, what: "key" | "value", textOffset?: number) => Place;
}

export type ParsedYaml =
  | { readonly ok: true; readonly document: YamlDocument }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

/** After the first few, problems of syntax are echoes of them. */
const SYNTAX_PROBLEMS_MAX = 10;

/**
 * YAML 1.2 with the core schema, and less: one document, no aliases, no tags that need knowing, no key twice.
 * What is refused here is what makes two readers of one file see two configs.
 */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    version: "1.2",
    schema: "core",
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
    logLevel: "error", // `silent` would also silence the error about a second document
    uniqueKeys: false, // compares each key with each: `walkProblems` does it in linear time
  });
  const placeAt = (offset: number): Place => placeFrom(lines.linePos(offset));
  const found = [...syntaxProblems(document), ...walkProblems(document.contents)];
  if (found.length > 0) {
    return { ok: false, problems: found.map(({ offset, message }) => ({ ...placeAt(offset), message })) };
  }
  const root = document.contents as Node | null;
  const value = (document.toJS({ maxAliasCount: 0 }) ?? null) as JsonValue;
  const placeOf: YamlDocument["placeOf"] = (path, what, textOffset) =>
    placeAt(textOffset === undefined ? offsetAt(root, path, what) : offsetInText(text, root, path, textOffset));
  return { ok: true, document: { value, placeOf } };
}

function syntaxProblems(document: Document.Parsed): readonly YamlFinding[] {
  const errors = [...document.errors, ...document.warnings];
  // Once the parser has given up, its other errors are about brackets that it did not read.
  const exhausted = errors.filter(({ code }) => code === "RESOURCE_EXHAUSTION").slice(0, 1);
  return (exhausted.length > 0 ? exhausted : errors)
    .toSorted((a, b) => a.pos[0] - b.pos[0])
    .slice(0, SYNTAX_PROBLEMS_MAX)
    .map(({ code, message, pos }) => ({
      offset: pos[0],
      message: MESSAGES.get(code) ?? `not valid YAML: ${inOurWay(message)}`,
    }));
}

const MESSAGES: ReadonlyMap<string, string> = new Map([
  ["MULTIPLE_DOCS", "a second document begins here, and a config is one document"],
  ["NON_STRING_KEY", "a key must be a string"],
  ["RESOURCE_EXHAUSTION", "the file is nested too deep"],
]);

/** One line, lower case, no full stop. */
function inOurWay(message: string): string {
  const line = visibleLine(message.split("\n", 1)[0] as string).replace(/[.:]$/, "");
  return line.charAt(0).toLowerCase() + line.slice(1);
}

/** A text without any line break has no line that the counter knows of. */
const placeFrom = ({ line, col }: { line: number; col: number }): Place => ({
  line: Math.max(line, 1),
  column: Math.max(col, 1),
});
