import { Buffer, isUtf8 } from "node:buffer";
import type { RE2JS } from "re2js";
import { quoted } from "../domain/visible.ts";
import { isMarkerName } from "./marker.ts";
import type { RedactProblem } from "./problem.ts";
import type { Span } from "./span.ts";

export interface PatternSource {
  readonly name: string;
  readonly pattern: string;
}

export interface UserPattern {
  readonly name: string;
  /** A `RegExp` is a program's own, of whoever runs it, and may take its time; a config's is linear. */
  readonly expression: RE2JS | RegExp;
}

const LF = 10;
const CR = 13;
const PATTERN_LENGTH_MAX = 1000;
/** Instructions of the compiled pattern. Time is linear in the text, with this as its factor. */
const PROGRAM_SIZE_MAX = 2000;
/** A pattern that finds nothing at all in one of these would put a marker between any two characters. */
const PROBES = ["", "a", " a ", "0", "-", "\t"];

type Compiled =
  | { readonly ok: true; readonly patterns: readonly UserPattern[] }
  | { readonly ok: false; readonly problems: readonly RedactProblem[] };

/** The engine, loaded when there is a pattern: it costs as much as a third of Node's own start. */
export type PatternEngine = () => { readonly RE2JS: typeof RE2JS };

export function compileUserPatterns(sources: readonly PatternSource[], load: PatternEngine): Compiled {
  if (sources.length === 0) return { ok: true, patterns: [] };
  const { RE2JS: engine } = load();
  const results = sources.map((source) => compiled(source, engine));
  const problems = results.filter((result) => "message" in result);
  const patterns = results.filter((result) => "expression" in result);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, patterns };
}

function compiled({ name, pattern }: PatternSource, engine: typeof RE2JS): UserPattern | RedactProblem {
  const problem = (message: string, hint: string): RedactProblem => ({ kind: "pattern", subject: name, message, hint });
  const named = `the redaction pattern ${quoted(name)}`;
  if (!isMarkerName(name)) {
    return problem(
      `${named} has a name that can't stand in a marker`,
      "use up to 64 letters, digits, `_`, `-` and `.`",
    );
  }
  if (pattern.length > PATTERN_LENGTH_MAX) {
    return problem(`${named} is longer than ${PATTERN_LENGTH_MAX} characters`, "split it into several");
  }
  const expression = parsed(pattern, engine);
  if (typeof expression === "string") {
    return problem(
      `${named} can't be read: ${expression}`,
      "lookaround and backreferences are not supported (RE2 syntax)",
    );
  }
  if (expression.programSize() > PROGRAM_SIZE_MAX) {
    return problem(`${named} is too complex`, "use smaller repetition counts");
  }
  if (PROBES.some((probe) => findsNothing(expression, probe))) {
    return problem(`${named} matches the empty text`, "make at least one part of it required, e.g. `+` instead of `*`");
  }
  return { name, expression };
}

function parsed(pattern: string, engine: typeof RE2JS): RE2JS | string {
  try {
    return engine.compile(pattern);
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^error parsing regexp: /, () => "") : "unknown error";
  }
}

function findsNothing(expression: RE2JS, probe: string): boolean {
  const matcher = expression.matcher(probe);
  return matcher.find() && matcher.start() === matcher.end();
}

/** Each line by itself: in a stream it can't be known how much of the text behind a line end there will be. */
export function userSpans(patterns: readonly UserPattern[], bytes: Uint8Array): readonly Span[] {
  return patterns.length === 0 ? [] : linesOf(bytes).flatMap((line) => patterns.flatMap((each) => spansIn(line, each)));
}

interface Line {
  readonly start: number;
  readonly text: string;
  /** How the text stands for the bytes: a line that is no UTF-8 is read byte by byte. */
  readonly encoding: "utf8" | "latin1";
}

function linesOf(bytes: Uint8Array): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0, at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) continue;
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, at - start);
    const encoding = isUtf8(line) ? "utf8" : "latin1";
    if (line.length > 0) lines.push({ start, text: line.toString(encoding), encoding });
    start = at + 1;
  }
  return lines;
}

function spansIn({ start: lineAt, text, encoding }: Line, { name, expression }: UserPattern): readonly Span[] {
  const bytesOf = (from: number, to: number): number => Buffer.byteLength(text.slice(from, to), encoding);
  return placesIn(text, expression).flatMap(([from, to]) => {
    const start = lineAt + bytesOf(0, from);
    const length = bytesOf(from, to);
    return length > 0 ? [{ start, end: start + length, rule: name }] : [];
  });
}

function placesIn(text: string, expression: UserPattern["expression"]): readonly (readonly [number, number])[] {
  if (expression instanceof RegExp)
    return [...text.matchAll(expression)].map(({ 0: found, index }) => [index, index + found.length]);
  if (!expression.test(text)) return [];
  const matcher = expression.matcher(text);
  const places: [number, number][] = [];
  while (matcher.find()) places.push([matcher.start(), matcher.end()]);
  return places;
}
