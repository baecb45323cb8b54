import type { JsonObject } from "../../domain/json.ts";
import type { Content } from "../../domain/outcome.ts";
import { quoted } from "../../domain/visible.ts";
import type { Files } from "../../ports/files.ts";
import type { HeldBack } from "./running-programs.ts";

const NAMED_MAX = 5;

type Shown = Pick<Files, "shown">;

/** For who reads a result: what was taken away, and where a person finds it. */
export function heldBackContent(places: readonly HeldBack[], files: Shown): readonly Content[] {
  const line = heldBackLine(places, files);
  return line === null ? [] : [{ type: "text", text: `[toolgate: ${line}]\n` }];
}

/** Null: nothing was. */
export function heldBackLine(places: readonly HeldBack[], files: Shown): string | null {
  if (places.length === 0) return null;
  const named = places.slice(0, NAMED_MAX).map((place) => `${quoted(files.shown(place.path))} ${fateOf(place, files)}`);
  const more = places.length > NAMED_MAX ? `; and ${places.length - NAMED_MAX} more` : "";
  return `the rules let no program make this: ${named.join("; ")}${more}`;
}

function fateOf({ to, left }: HeldBack, files: Shown): string {
  if (left !== undefined) return `is still there and could not be moved (${left}): delete it`;
  return to === null ? "was deleted, as it was too large to be kept" : `was moved to ${quoted(files.shown(to))}`;
}

export const heldBackFacts = (places: readonly HeldBack[], files: Shown): JsonObject =>
  places.length === 0
    ? {}
    : {
        heldBack: places.slice(0, NAMED_MAX * 10).map(({ path, to, left }) => ({
          path: files.shown(path),
          to: to === null ? null : files.shown(to),
          ...(left !== undefined && { left }),
        })),
      };
