/**
 * What a rule says about one kind of touch, compiled. Its subject is the text that names what is touched: a path,
 * `host:port`, or a tool's name.
 */
export interface Pattern {
  /** As the rule writes it. */
  readonly text: string;
  readonly matches: (subject: string) => boolean;
  /** The steps that every matching subject begins with: see `stepsOf`. Where the index keeps the pattern. */
  readonly head: readonly string[];
  /** The last step of every matching subject; null = none is sure. */
  readonly last: string | null;
}
