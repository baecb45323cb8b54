import type { ParsedScript } from "unbash";
import { staticText } from "./static-text.ts";

/** A number, whatever it is given: `wc -l < f`, `date +%s`, `stat -c %s f`. */
export function printsNumber(script: ParsedScript | undefined): boolean {
  const [only, ...others] = script?.commands ?? [];
  const last = only?.command.type === "Pipeline" ? only.command.commands.at(-1) : only?.command;
  if (last?.type !== "Command" || others.length > 0 || last.prefix.length > 0) return false;
  const words = [last.name, ...last.args].map((word) => (word === undefined ? null : staticText(word.text)));
  const [called, first, second] = words;
  if (called === "wc") return words.length === 2 && /^-[lcwm]$/.test(first ?? "");
  if (called === "date") return words.length === 2 && /^\+(?:%[sYmdHMSjuNW])+$/.test(first ?? "");
  if (called === "stat")
    return first === "-c" && /^%[sYXZWhiug]$/.test(second ?? "") && words[3] === "--" && words.length === 5;
  return called === "nproc" && words.length === 1;
}
