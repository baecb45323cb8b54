import type { ExecTouch, Word } from "../domain/touch.ts";
import type { Subject } from "./subject.ts";

/** Longer beginnings are not told apart by the index, only by the patterns. */
export const STEPS_MAX = 8;

export const baseName = (text: string): string => text.slice(text.lastIndexOf("/") + 1);

/** The words of a command as the index walks them, its program without a folder. */
export function commandSteps(argv: readonly Word[]): Subject {
  const steps: string[] = [];
  for (const { text, known } of argv) {
    if (steps.length === STEPS_MAX) break;
    if (!known) return { text: "", steps, isOpen: true };
    steps.push(steps.length === 0 ? baseName(text) : text);
  }
  return { text: "", steps };
}

/** The same command by the name of the file that it runs, and the commands that it comes through or starts. */
export function moreCommandSteps({ argv, program, also }: ExecTouch): readonly Subject[] | null {
  const [first, ...rest] = argv;
  const isOther = program !== null && first !== undefined && baseName(program) !== baseName(first.text);
  if (!isOther && also === undefined) return null;
  const own = isOther ? [commandSteps([{ text: program, known: true }, ...rest])] : [];
  return [...own, ...(also ?? []).map(commandSteps)];
}
