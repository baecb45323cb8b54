import { Buffer } from "node:buffer";
import { quoted } from "../domain/visible.ts";
import { FORMAT_RULES } from "./format-finder.ts";
import { KnownValues, type NamedSecret } from "./known-values.ts";
import { isMarkerName, markerOf } from "./marker.ts";
import type { RedactProblem } from "./problem.ts";
import { Redactor } from "./redactor.ts";
import { ShapeFinder } from "./shape-finder.ts";
import { compileUserPatterns, type PatternEngine, type PatternSource } from "./user-patterns.ts";

export interface RedactorOptions {
  readonly secrets: readonly NamedSecret[];
  readonly patterns: readonly PatternSource[];
  /** Patterns of a program that embeds the gate, with the flag `g`. Line by line, like the others. */
  readonly expressions?: readonly RegExp[];
  /** Our own rules for shapes of secrets. Secrets and patterns of the user are redacted in any case. */
  readonly builtin: "on" | "off";
  readonly engine: PatternEngine;
}

export type BuiltRedactor =
  | { readonly ok: true; readonly redactor: Redactor }
  | { readonly ok: false; readonly problems: readonly RedactProblem[] };

/** Five characters occur everywhere by chance; a text with each of them redacted can't be read. */
const VALUE_BYTES_MIN = 6;
/** The largest keys are a tenth of it. A stream holds back up to three times as much. */
const VALUE_BYTES_MAX = 64 * 1024;

/** Once per gate: its tables, built when the first text needs them, are shared by all texts and streams. */
export function buildRedactor({
  secrets,
  patterns,
  expressions = [],
  builtin,
  engine,
}: RedactorOptions): BuiltRedactor {
  const compiled = compileUserPatterns(patterns, engine);
  const markers = secrets.length === 0 ? "" : allMarkers([...secrets, ...patterns]);
  const problems = [
    ...secrets.flatMap((secret) => problemsOf(secret, markers)),
    ...(compiled.ok ? [] : compiled.problems),
  ];
  if (problems.length > 0 || !compiled.ok) return { ok: false, problems };
  const known = new KnownValues(secrets);
  const own = [...compiled.patterns, ...expressions.map((expression) => ({ name: "pattern", expression }))];
  const patternsOnly = new ShapeFinder("off", own);
  const certain = new Redactor({ known, shapes: patternsOnly, memberNames: "ignored" });
  if (builtin === "off") return { ok: true, redactor: certain };
  const shapes = new ShapeFinder("on", own);
  return { ok: true, redactor: new Redactor({ known, shapes, memberNames: "tell", certain }) };
}

const allMarkers = (named: readonly { readonly name: string }[]): string =>
  [...named.map(({ name }) => name), ...FORMAT_RULES.map(({ id }) => id)].map(markerOf).join(" ");

function problemsOf({ name, value }: NamedSecret, markers: string): readonly RedactProblem[] {
  const problem = (message: string, hint: string) => [{ kind: "secret" as const, subject: name, message, hint }];
  const named = `the secret ${quoted(name)}`;
  const revealed = value.reveal();
  const bytes = Buffer.byteLength(revealed.replace(/[\r\n]/g, () => ""));
  if (!isMarkerName(name)) {
    return problem(
      `${named} has a name that can't stand in a marker`,
      "use up to 64 letters, digits, `_`, `-` and `.`",
    );
  }
  if (bytes < VALUE_BYTES_MIN) {
    return problem(
      `${named} has fewer than ${VALUE_BYTES_MIN} bytes`,
      "so short a value is in every text by chance; use a longer one",
    );
  }
  if (bytes > VALUE_BYTES_MAX) {
    return problem(`${named} has more than ${VALUE_BYTES_MAX} bytes`, "name the secret part of it only");
  }
  if (markers.includes(revealed)) {
    return problem(
      `${named} has a value that occurs in the markers for redacted text`,
      "use another name or another value",
    );
  }
  return [];
}
