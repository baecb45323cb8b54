import type { ExecTouch } from "../domain/touch.ts";

/** `maybe`: only at run time it is known whether the rule covers the touch. It may tighten then, and never let through. */
export type Coverage = "yes" | "maybe" | "no";

/**
 * What a rule says about one kind of touch, compiled. Its subject is the text that names what is touched: a path,
 * `host:port`, or a tool's name; of a command it is all of the touch.
 */
export interface Pattern {
  /** As the rule writes it. */
  readonly text: string;
  readonly matches: (subject: string) => boolean;
  /** Of patterns for commands, which are more than a text. */
  readonly covers?: (touch: ExecTouch) => Coverage;
  /** Of patterns for hosts: it names one host, without a wildcard. */
  readonly isExact?: true;
  /** The steps that every matching subject begins with: see `stepsOf`. Where the index keeps the pattern. */
  readonly head: readonly string[];
  /** The last step of every matching subject; null = none is sure. */
  readonly last: string | null;
}
