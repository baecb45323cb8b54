import type { ExecTouch, Word } from "../domain/touch.ts";
import { possibleCommands } from "../shell/possible-commands.ts";

/** How the index walks to a subject. */
export interface Steps {
  /** From the general to the special: folders, labels of a host from the right, words of a command, or one name. */
  readonly steps: readonly string[];
  /** The steps are only how it begins: what follows is not known. */
  readonly isOpen?: boolean;
}

/** Longer beginnings are not told apart by the index, only by the patterns. */
export const STEPS_MAX = 4;

export const baseName = (text: string): string => (text.includes("/") ? text.slice(text.lastIndexOf("/") + 1) : text);

/** The words of a command as the index walks them, its program without a folder. */
export function commandSteps(argv: readonly Word[]): Required<Steps> {
  const end = Math.min(argv.length, STEPS_MAX);
  // Of its full length from the start: this is made for each command, and a list that grows takes room for sixteen more.
  const steps = new Array<string>(end);
  for (let at = 0; at < end; at++) {
    const { text, known } = argv[at] as Word;
    if (!known) return { steps: steps.slice(0, at), isOpen: true };
    steps[at] = at === 0 ? baseName(text) : text;
  }
  return { steps, isOpen: false };
}

/** The commands that a touch is as well: those it comes through, and those it may start. */
export function alsoCommands({ argv, via }: ExecTouch): readonly (readonly Word[])[] {
  const possible = possibleCommands(argv);
  if (via === undefined) return possible;
  return possible.length === 0 ? via : [...via, ...possible];
}

/** The same command by the name of the file that it runs, and the commands that it comes through or may start. */
export function moreCommandSteps(touch: ExecTouch): readonly Steps[] | null {
  const { argv, program } = touch;
  const first = argv[0]?.text ?? "";
  const isOther = program !== null && !program.endsWith(first);
  const also = alsoCommands(touch);
  if (!isOther && also.length === 0) return null;
  const own = isOther ? [commandSteps([{ text: program, known: true }, ...argv.slice(1)])] : [];
  return [...own, ...also.map(commandSteps)];
}
