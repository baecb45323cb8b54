import type { JsonValue } from "../domain/json.ts";

/** Where in a value something is: keys and indices, from the root. */
export type Path = readonly (string | number)[];

export type MismatchRule =
  | "required"
  | "type"
  | "enum"
  | "const"
  | "max_length"
  | "min_length"
  | "max_value"
  | "min_value"
  | "max_items"
  | "min_items"
  | "unknown_field"
  // Of users' schemas only:
  | "pattern"
  | "format"
  | "multiple_of"
  | "unique_items"
  | "contains"
  | "min_fields"
  | "max_fields"
  | "field_name"
  | "any_of"
  | "one_of"
  | "not"
  | "forbidden"
  /** The check took too many steps. */
  | "max_work"
  /** The check itself went wrong, which is never taken for a yes. */
  | "fault";

/** One thing in which a value differs from its schema. */
export interface Mismatch {
  readonly path: Path;
  readonly rule: MismatchRule;
  /** A sentence without its subject: `must be a string, not a number`. */
  readonly says: string;
}

/** INVARIANT (good is free): a good value gives back `NONE` itself, so checking it allocates nothing. */
export type Check = (value: JsonValue) => readonly Mismatch[];

export const NONE: readonly Mismatch[] = Object.freeze([]);

/** More tell nobody anything new, and an input of a million bad items must not become an answer of a million lines. */
export const MISMATCHES_MAX = 100;

export const mismatch = (rule: MismatchRule, says: string): readonly [Mismatch] => [{ path: [], rule, says }];

export const below = (step: string | number, found: readonly Mismatch[]): readonly Mismatch[] =>
  found.map(({ path, rule, says }) => ({ path: [step, ...path], rule, says }));

export const joined = (a: readonly Mismatch[], b: readonly Mismatch[]): readonly Mismatch[] =>
  a === NONE ? b : b === NONE ? a : [...a, ...b];
