import type { ParsedScript } from "unbash";
import { staticText } from "./static-text.ts";

/** The program that prints a number, or digits, whatever it is given: `wc -l < f`, `date +%s`, `stat -c %s f`, `basenc --base16`. */
export function printsNumber(script: ParsedScript | undefined): string | null {
  const [only, ...others] = script?.commands ?? [];
  const last = only?.command.type === "Pipeline" ? only.command.commands.at(-1) : only?.command;
  if (last?.type !== "Command" || others.length > 0 || last.prefix.length > 0) return null;
  const words = [last.name, ...last.args].map((word) => (word === undefined ? null : staticText(word.text)));
  const [called, first, second] = words;
  const isNumber =
    (called === "wc" && words.length === 2 && /^-[lcwm]$/.test(first ?? "")) ||
    (called === "date" && words.length === 2 && /^\+(?:%[sYmdHMSjuNW])+$/.test(first ?? "")) ||
    (called === "nproc" && words.length === 1) ||
    (called === "basenc" && words.length === 3 && first === "--base16" && /^(?:-w|--wrap=)0$/.test(second ?? "")) ||
    (called === "stat" &&
      first === "-c" &&
      /^%[sYXZWhiug]$/.test(second ?? "") &&
      words[3] === "--" &&
      words.length === 5);
  return isNumber ? called : null;
}
