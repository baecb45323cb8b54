import type { Path } from "../schema/mismatch.ts";
import type { RawConfig } from "./config-shape.ts";
import { readNamedFile } from "./named-file.ts";
import { type Policies, policiesIn } from "./policies-in.ts";
import type { SourcesPlace } from "./tool-sources.ts";

/** What `autoApprovals` of the config names. */
export interface AutoApprovalsFile extends Policies {
  /** What the operator accepts with the config. */
  readonly content: readonly { readonly name: string; readonly text: string }[];
  readonly paths: readonly string[];
}

const NONE: AutoApprovalsFile = { content: [], paths: [], policies: [], rules: [], objections: [], problems: [] };

const AT: Path = ["autoApprovals"];

/** All problems at once; a file with a problem answers nothing, and the config does not load. */
export function readAutoApprovals(
  { autoApprovals: name }: RawConfig,
  place: Omit<SourcesPlace, "variables">,
): AutoApprovalsFile {
  if (name === undefined) return NONE;
  const { paths, read } = readNamedFile({ name, at: AT, holds: "the policies" }, place);
  if (!read.ok) return { ...NONE, paths, problems: read.problems };
  return { content: [{ name, text: read.source.text }], paths, ...policiesIn(read.source, place.workspace) };
}
