import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { PlannedCall } from "../domain/call.ts";
import { isNoFileUrl } from "../domain/file-url.ts";
import { isWithin } from "../domain/is-within.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isFileTouch, type Touch } from "../domain/touch.ts";
import type { Files, Located } from "../ports/files.ts";
import type { TouchedPath } from "../rules/auto-approval.ts";

type Locating = Pick<Files, "locate">;

/** The arguments that name files, for where the plan does not have all of them. */
const NAMES = ["path", "file", "uri"] as const;

/** Which files a call is about, canonical. None: nobody can say, and no policy about paths speaks of it. */
export async function touchedPaths(
  { plan, tool }: Pick<PlannedCall, "plan" | "tool">,
  files: Locating,
): Promise<readonly TouchedPath[]> {
  const planned = plan.touches.filter(isFileTouch).map(({ path, tree }) => ({ path, tree }));
  if (planned.length === plan.touches.length) return planned;
  // No argument of a shell says which files its command is about: `rm -rf src > docs/log` plans to write the log.
  if (tool.definition.source === "builtin") return [];
  const named = await namedPaths({ plan }, files);
  if (named === null || (named.length === 0 && plan.touches.some(isHiding))) return [];
  return [...planned, ...named];
}

/** What opens files of which the plan knows nothing. */
const isHiding = ({ kind }: Touch): boolean => kind === "exec" || kind === "git" || kind === "unknown";

/**
 * All that the arguments may mean, where the plan does not say it: for who objects, which is not to be got around by a name
 * that means two things.
 */
export async function possiblePaths(
  { plan }: Pick<PlannedCall, "plan">,
  files: Locating,
): Promise<readonly TouchedPath[]> {
  const base = plan.sandbox?.cwd ?? plan.workspace;
  const names = NAMES.flatMap((name) =>
    Object.hasOwn(plan.input, name) ? listed(plan.input[name]).map(pathFrom) : [],
  );
  const ways = names.flatMap((name) => (name === null ? [] : [walkedFrom(base, name), resolve(base, name)]));
  const located = await Promise.all(ways.map((way) => files.locate(way)));
  return located.flatMap((one) => (one.ok ? [touchedAt(one.value)] : []));
}

/** Those that the arguments name. Null: one of them is no name of a file, or not of one that can be told. */
async function namedPaths(
  { plan }: Pick<PlannedCall, "plan">,
  files: Locating,
): Promise<readonly TouchedPath[] | null> {
  const named = namedIn(plan.input);
  if (named === null || named.length === 0) return named && [];
  const base = plan.sandbox?.cwd ?? plan.workspace;
  // In a folder of its own a relative name is a file that only the program sees.
  if (!isWithin(base, plan.workspace)) return null;
  const located = await Promise.all(named.map((name) => pathOf(name, base, files)));
  return located.every((one) => one !== null) ? located : null;
}

/** Behind a link `..` leads elsewhere for the kernel than for who takes names apart: it has to be the same for both. */
async function pathOf(name: string, base: string, files: Locating): Promise<TouchedPath | null> {
  const [walked, apart] = await Promise.all([files.locate(walkedFrom(base, name)), files.locate(resolve(base, name))]);
  if (!walked.ok || !apart.ok || walked.value.path !== apart.value.path) return null;
  return touchedAt(walked.value);
}

/** As the kernel walks it. */
const walkedFrom = (base: string, name: string): string => (name.startsWith("/") ? name : `${base}/${name}`);

/** What a program does to a folder it may do to all that is in it. */
const touchedAt = ({ path, kind }: Located): TouchedPath => (kind === "directory" ? { path, tree: true } : { path });

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
  } catch (error) {
    if (!isNoFileUrl(error)) throw error;
    return null;
  }
}
