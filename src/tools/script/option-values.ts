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
  // What the author wrote out is no model's choice.
  const mayBeOption = new Set(
    parameters.filter(({ allowsDash, values }) => allowsDash || values !== null).map(({ name }) => name),
  );
  const isDefault = (value: string, parameter: string | undefined): boolean =>
    parameters.some(({ name, fallback }) => name === parameter && fallback !== undefined && String(fallback) === value);
  const begun = new Set<number>();
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") continue;
    const { place, parameter } = slots[at++] ?? {};
    const argument = place?.argument;
    if (argument == null || !argument.isHead || begun.has(argument.word) || piece.value === null) continue;
    if (piece.value === "") continue; // the next one of the same word begins it
    begun.add(argument.word);
    const isOwn = piece.isFallback === true || isDefault(piece.value, parameter);
    const isFree = argument.isBehindDashes || isOwn || (mayBeOption.has(parameter ?? "") && !argument.isTested);
    if (piece.value.startsWith("-") && !isFree) return parameter ?? piece.slot.name;
  }
  return null;
}
