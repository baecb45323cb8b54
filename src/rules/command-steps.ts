import type { ExecTouch, Word } from "../domain/touch.ts";
import { namedCommands } from "../shell/named-commands.ts";
import { possibleCommands } from "../shell/possible-commands.ts";

/** Longer beginnings are not told apart by the index, only by the patterns. */
export const STEPS_MAX = 4;

export const baseName = (text: string): string => (text.includes("/") ? text.slice(text.lastIndexOf("/") + 1) : text);

/** The commands that a touch is as well: those it comes through, those it may start, and those that a variable names. */
export function alsoCommands({ argv, via, env }: ExecTouch): readonly (readonly Word[])[] {
  const possible = possibleCommands(argv);
  if (env === undefined) return via === undefined ? possible : [...via, ...possible];
  // `PAGER='ls x' git log`
  return [...(via ?? []), ...possible, ...env.flatMap(namedCommands)];
}

/** The same command by the name of the file that it runs, and the commands that it comes through or may start. */
export function moreCommands(touch: ExecTouch): readonly (readonly Word[])[] {
  const { argv, program } = touch;
  const first = argv[0]?.text ?? "";
  const also = alsoCommands(touch);
  if (program === null || program.endsWith(first)) return also;
  return [[{ text: program, known: true }, ...argv.slice(1)], ...also];
}
