import type { ScriptParameter } from "../../domain/script-tool.ts";
import type { BoundSlot } from "../../shell/bind-slots.ts";
import type { FilledSlot } from "../../shell/unroll-template.ts";
import type { FilledScript } from "./script-template.ts";

/**
 * The parameter whose value a program would take for an option: it begins with `-`, and so does the word that it is in, or
 * that a variable carries it to. Not where `--` stands before it, nor where the parameter allows it. Null = there is none.
 */
export function optionValue(
  { script, pieces, heads }: Extract<FilledScript, { ok: true }>,
  parameters: readonly ScriptParameter[],
): string | null {
  const begun = new Set<number>();
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") continue;
    const bound = script.slots[at];
    const index = script.indexes[at++] ?? -1;
    if (piece.value === null || piece.value === "" || bound === undefined) continue; // of one word, the next one begins it
    const isCarried = heads.has(index);
    const isHead = isAtHead(bound, begun);
    if (!piece.value.startsWith("-") || isOwn(piece, parameters)) continue;
    const isAllowed = parameters.some(
      ({ name, allowsDash, values }) => name === bound.parameter && (allowsDash || values !== null),
    );
    const isRefused = isHead && !bound.place?.argument?.isBehindDashes;
    if (isRefused && (!isAllowed || bound.place?.argument?.isTested)) return bound.parameter;
    if (isCarried && !isAllowed) return bound.parameter;
  }
  return null;
}

function isAtHead({ place }: BoundSlot, begun: Set<number>): boolean {
  const argument = place?.argument;
  if (argument == null || !argument.isHead || begun.has(argument.word)) return false;
  begun.add(argument.word);
  return true;
}

/** What the author wrote out is no model's choice. */
const isOwn = ({ value, parameter, isFallback }: FilledSlot, parameters: readonly ScriptParameter[]): boolean =>
  isFallback === true ||
  parameters.some(({ name, fallback }) => name === parameter && fallback !== undefined && String(fallback) === value);
