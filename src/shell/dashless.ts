import type { CodeTaker } from "./code-taker.ts";
import type { FlowingWord } from "./flow-uses.ts";
import { writtenWord } from "./flowing-words.ts";

/** `tar cIf x a`: the letters of the first word as options of their own, each with the value that is its. */
export function dashed(taker: CodeTaker, argv: readonly FlowingWord[]): readonly FlowingWord[] {
  const [program, first, ...rest] = argv;
  if (program === undefined || first?.isStatic !== true || !/^[A-Za-z]+$/.test(first.text)) return argv;
  const withValue = `${taker.text ?? ""} ${taker.files ?? ""} ${taker.loads ?? ""} ${taker.values ?? ""}`.split(" ");
  let at = 0;
  const options = [...first.text].flatMap((letter) => {
    const option = writtenWord(`-${letter}`);
    const value = withValue.includes(`-${letter}`) ? rest[at++] : undefined;
    return value === undefined ? [option] : [option, value];
  });
  return [program, ...options, ...rest.slice(at)];
}
