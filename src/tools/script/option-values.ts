import type { ScriptParameter } from "../../domain/script-tool.ts";
import type { BoundScript } from "../../shell/bind-slots.ts";
import type { Piece } from "../../shell/unroll-template.ts";

/**
 * The parameter whose value a program would take for an option: it begins with `-`, and so does the word that it is in.
 * Not where `--` stands before it, nor where the parameter allows it. Null = there is none.
 */
export function optionValue(
  { slots }: BoundScript,
  pieces: readonly Piece[],
  parameters: readonly ScriptParameter[],
): string | null {
  const mayBeOption = new Set(parameters.filter(({ allowsDash }) => allowsDash).map(({ name }) => name));
  const begun = new Set<number>();
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") continue;
    const { place, parameter } = slots[at++] ?? {};
    const argument = place?.argument;
    if (argument == null || !argument.isHead || begun.has(argument.word) || piece.value === null) continue;
    if (piece.value === "") continue; // the next one of the same word begins it
    begun.add(argument.word);
    const isFree = argument.isBehindDashes || (mayBeOption.has(parameter ?? "") && !argument.isTested);
    if (piece.value.startsWith("-") && !isFree) return parameter ?? piece.slot.name;
  }
  return null;
}
