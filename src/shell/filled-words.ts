import type { FlowingWord } from "./flow-uses.ts";
import { flowOf, merged } from "./value-flow.ts";
import type { Shape } from "./word-shape.ts";

type Values = ReadonlySet<number>;
type Argv = readonly FlowingWord[];

/** What xargs reads becomes words of the command: behind the others, or in the place of a mark. */
export function withInput(argv: Argv, own: Argv, fed: Values): Argv {
  const filled: FlowingWord = {
    ...{ text: "…", raw: "…", shape: ANYTHING, isStatic: false, isMany: false },
    ...{ flow: flowOf(fed), isValue: false },
  };
  const marks = own.flatMap((word, at) => {
    const [, glued] = /^(?:-[0rtpxo]*I|--replace=?)(.*)$/s.exec(word.text) ?? [];
    if (glued === undefined) return [];
    const named = glued === "" ? own[at + 1] : word;
    // A mark that is known only at run time may be any part of any word.
    return [named?.isStatic === false ? "" : glued === "" ? (named?.text ?? "{}") : glued];
  });
  if (marks.length === 0) return [...argv, filled, filled];
  return argv.map((word) => (marks.some((mark) => word.raw.includes(mark)) ? withFlow(word, fed) : word));
}

/** A word that is known only at run time. */
export const ANYTHING: Shape = [{ raw: "…", name: null, isMany: true }];

export const withFlow = (word: FlowingWord, holds: Values): FlowingWord => ({
  ...word,
  isStatic: false,
  flow: merged(word.flow, flowOf(holds)),
});
