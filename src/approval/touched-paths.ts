import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { PlannedCall } from "../domain/call.ts";
import { isWithin } from "../domain/is-within.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isFileTouch } from "../domain/touch.ts";
import type { Files } from "../ports/files.ts";
import type { TouchedPath } from "../rules/auto-approval.ts";

/** The arguments that name files, where the plan has no path: a script says only which programs it runs. */
const NAMES = ["path", "file", "uri"] as const;

/** Which files a call is about, canonical. None: nobody can say, and no policy about paths speaks of it. */
export async function touchedPaths(
  { plan }: Pick<PlannedCall, "plan">,
  files: Pick<Files, "locate">,
): Promise<readonly TouchedPath[]> {
  const planned = plan.touches.filter(isFileTouch);
  if (planned.length > 0) return planned.map(({ path, tree }) => ({ path, tree }));
  const named = namedIn(plan.input);
  const base = plan.sandbox?.cwd ?? plan.workspace;
  // In a folder of its own a relative name is a file that only the program sees.
  if (named === null || !isWithin(base, plan.workspace)) return [];
  const located = await Promise.all(named.map((name) => files.locate(resolve(base, name))));
  const paths = located.flatMap((one) => (one.ok ? [{ path: one.value.path }] : []));
  return paths.length === named.length ? paths : [];
}

/** Null: one of them is no name of a file. */
function namedIn(input: JsonObject): readonly string[] | null {
  const names = NAMES.flatMap((name) => (Object.hasOwn(input, name) ? listed(input[name]).map(pathFrom) : []));
  return names.every((name) => name !== null) ? names : null;
}

const listed = (value: JsonValue | undefined): readonly (JsonValue | undefined)[] =>
  Array.isArray(value) ? value : [value];

function pathFrom(value: JsonValue | undefined): string | null {
  if (typeof value !== "string" || value === "" || value.includes("\0")) return null;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(value)) return value;
  try {
    return fileURLToPath(value);
  } catch {
    return null;
  }
}
