import { isJsonObject, type JsonValue } from "../domain/json.ts";
import { type Leaf, leavesOf } from "./leaf.ts";
import { lintMetadata } from "./lint-metadata.ts";
import type { AtipTool } from "./metadata.ts";
import { METADATA } from "./metadata-shape.ts";
import type { MetadataProblem, Report } from "./shape.ts";

/** Metadata that can be used, with the commands that can be called. */
export interface ReadTool {
  readonly tool: AtipTool;
  readonly leaves: readonly Leaf[];
}

export type ReadMetadata = (({ readonly ok: true } & ReadTool) | { readonly ok: false }) & {
  readonly problems: readonly MetadataProblem[];
};

/** More than any program has; a catalog of this size is searched as fast as a small one. */
const LEAVES_MAX = 20_000;
const PROBLEMS_MAX = 50;

const SEPARATOR = "_";

/** All problems at once. What only is doubtful comes along with a tool that can be used. */
export function readMetadata(value: JsonValue, separator = SEPARATOR): ReadMetadata {
  const problems: MetadataProblem[] = [];
  const report: Report = (level, path, message) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ level, path, message });
  };
  const hasErrors = () => problems.some(({ level }) => level === "error");
  METADATA(value, [], report);
  if (hasErrors() || !isJsonObject(value)) return { ok: false, problems };
  // The cast is what the shape has found out.
  const tool = value as unknown as AtipTool;
  const leaves = leavesOf(tool, separator, report);
  if (leaves.length > LEAVES_MAX) report("error", ["commands"], `has ${leaves.length} commands, at most ${LEAVES_MAX}`);
  if (hasErrors()) return { ok: false, problems };
  lintMetadata(tool, report);
  return { ok: true, tool, leaves, problems };
}
