import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { type FileTouchKind, isFileTouch, type Touch } from "../../domain/touch.ts";
import { webUrlFrom } from "../../domain/web-target.ts";
import { type FileResult, type Files, type Located, reachedBy } from "../../ports/files.ts";
import { commandTouches } from "./command-touches.ts";
import { diffsIn, locationsIn, partsIn } from "./tool-call-parts.ts";
import type { ToolCallPlace } from "./tool-call-place.ts";

/** What a kind of call does to the files that it names. */
const DOES: Readonly<Record<string, readonly FileTouchKind[]>> = {
  read: ["read"],
  search: ["read"],
  edit: ["write"],
  delete: ["delete"],
  move: ["delete", "write"],
};

/**
 * What an agent's own call touches, by all that it says of it.
 * INVARIANT (nothing said is nothing known): what a kind leaves open, or says in a way that can't be read, is `unknown`.
 */
export async function toolCallTouches(
  call: JsonObject,
  cwd: string,
  { files, programs }: ToolCallPlace,
): Promise<readonly [Touch, ...Touch[]]> {
  const kind = typeof call["kind"] === "string" ? call["kind"] : "other";
  const parts = partsIn(call);
  const does = (Object.hasOwn(DOES, kind) ? DOES[kind] : undefined) ?? ["read"];
  const named = [...locationsIn(call), ...parts.paths];
  const diffs = diffsIn(call).map((diff) => (isJsonObject(diff) ? (diff["path"] ?? null) : null));
  const touches = [
    ...(await Promise.all(named.flatMap((path) => does.map((each) => fileTouch(each, path, cwd, files))))),
    ...(await Promise.all(diffs.map((path) => fileTouch("write", path, cwd, files)))),
    ...parts.urls.map(connectTouch),
    ...(parts.isReadable ? [] : [UNREADABLE_INPUT]),
    ...(await commandTouches(parts, cwd, { files, programs })),
  ];
  const open = whatIsOpen(kind, touches);
  const [first, ...rest] = distinct(open === null ? touches : [...touches, { kind: "unknown", reason: open }]);
  return [first ?? { kind: "unknown", reason: "the agent says nothing of what it would do" }, ...rest];
}

/** What a call of this kind does, and has not said; null = it has. */
function whatIsOpen(kind: string, touches: readonly Touch[]): string | null {
  const has = (one: Touch["kind"]) => touches.some((touch) => touch.kind === one);
  if (Object.hasOwn(DOES, kind))
    return touches.some(isFileTouch) ? null : `the agent does not say which files it would ${kind}`;
  if (kind === "execute") return has("exec") ? null : "the agent does not say which command it would run";
  if (kind === "fetch") return has("connect") ? null : "the agent does not say where it would connect to";
  return "the agent does not say, in a way that can be read, what it would do";
}

const UNREADABLE_INPUT: Touch = { kind: "unknown", reason: "the input of the call can't be read" };

async function fileTouch(kind: FileTouchKind, value: JsonValue, cwd: string, files: Files): Promise<Touch> {
  const path = pathFrom(value, cwd);
  const located = path === null ? null : await files.locate(path);
  // `link/..` is one place to the kernel and another to who shortens texts: which one the agent means nobody knows.
  const isDoubtful = path?.split("/").includes("..") === true && !(await isSame(located, resolve(path), files));
  if (located?.ok !== true || isDoubtful)
    return { kind: "unknown", reason: `a path that it would ${kind} can't be read` };
  const { path: checked, kind: what } = located.value;
  return { kind, path: checked, ...reachedBy(located.value), ...(what === "directory" && { tree: true as const }) };
}

async function isSame(located: FileResult<Located> | null, path: string, files: Files): Promise<boolean> {
  const other = await files.locate(path);
  return located?.ok === true && other.ok && other.value.path === located.value.path;
}

function pathFrom(value: JsonValue, cwd: string): string | null {
  if (typeof value !== "string" || value === "") return null;
  if (!value.startsWith("file:")) return isAbsolute(value) ? value : `${cwd}/${value}`;
  try {
    return fileURLToPath(value);
  } catch {
    return null;
  }
}

function connectTouch(value: JsonValue): Touch {
  const url = typeof value === "string" ? webUrlFrom(value) : null;
  if (url?.ok !== true) return { kind: "unknown", reason: "an address that it would connect to can't be read" };
  const { host, port, scheme } = url.value;
  return { kind: "connect", host, port, scheme };
}

function distinct(touches: readonly Touch[]): readonly Touch[] {
  return [...new Map(touches.map((touch) => [JSON.stringify(touch), touch])).values()];
}
