import { isAbsolute, resolve } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { Now } from "../../domain/now.ts";
import type { Touch } from "../../domain/touch.ts";
import { type InputTouches, MAPPED_KINDS, type UpstreamSpec } from "../../domain/upstream.ts";
import { webUrlFrom } from "../../domain/web-target.ts";
import { type Files, reachedBy } from "../../ports/files.ts";

/**
 * What the operator says that inputs name, as touches: so that rules about paths and hosts speak about the tools of others
 * too. Without a folder of its own, paths are those of the workspace.
 */
export function mappedTouches(
  { touches, way }: Pick<UpstreamSpec, "touches"> & { readonly way: UpstreamSpec["way"] | Record<never, never> },
  toolName: string,
  input: JsonObject,
  files: Files,
): Now<readonly Touch[]> {
  const maps = ["*", toolName].flatMap((key) => (Object.hasOwn(touches, key) ? [touches[key] as InputTouches] : []));
  const found: Promise<Touch>[] = [];
  for (const map of maps)
    for (const kind of MAPPED_KINDS)
      for (const name of map[kind] ?? [])
        for (const value of valuesAt(input, name.split(".")))
          found.push(touchFrom(kind, value, files, "cwd" in way ? way.cwd : null));
  return found.length === 0 ? NOTHING : Promise.all(found);
}

const NOTHING: readonly Touch[] = [];

async function touchFrom(
  kind: (typeof MAPPED_KINDS)[number],
  value: JsonValue,
  files: Files,
  cwd: string | null,
): Promise<Touch> {
  if (typeof value !== "string" || value === "") return unreadable(kind);
  if (kind === "connect") {
    const url = webUrlFrom(value);
    return url.ok ? { kind, host: url.value.host, port: url.value.port, scheme: url.value.scheme } : unreadable(kind);
  }
  // As the server itself would find it, from its own folder.
  const named = cwd === null || isAbsolute(value) ? value : `${cwd}/${value}`;
  const located = await files.locate(named);
  if (!located.ok) return unreadable(kind);
  const { path, kind: what } = located.value;
  // `link/..` is one place to the kernel and another to a server that shortens texts: which one it is nobody knows.
  if (value.split("/").includes("..") && !(await isSame(path, shortened(named, files.workspace), files)))
    return unreadable(kind);
  return { kind, path, ...reachedBy(located.value), ...(what === "directory" && { tree: true as const }) };
}

const shortened = (named: string, workspace: string): string => resolve(workspace, named);

async function isSame(path: string, other: string, files: Files): Promise<boolean> {
  const located = await files.locate(other);
  return located.ok && located.value.path === path;
}

/** INVARIANT (nothing said is nothing known): what should name something and can't be read is no harmless input. */
const unreadable = (kind: string): Touch => ({
  kind: "unknown",
  reason: `an input that names what it would ${kind} can't be read`,
});

/** All values at a place; a list stands for each of its items. What is not there names nothing. */
function valuesAt(value: JsonValue | undefined, [name, ...rest]: readonly string[]): readonly JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return value === undefined ? [] : [value];
  return isJsonObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : [];
}
