import { digestOfText } from "../domain/digest.ts";
import type { GovernorSpecs } from "../domain/governor-spec.ts";
import type { Path } from "../schema/mismatch.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { RawConfig } from "./config-shape.ts";
import { governorsIn } from "./governors-in.ts";
import { readNamedFile } from "./named-file.ts";
import { NO_GOVERNORS } from "./no-governors.ts";
import type { ScriptSecret } from "./script-environment.ts";
import type { SourcesPlace } from "./tool-sources.ts";

/** The file that `governors` names: what it holds, and where it lies. */
export interface GovernorsFile {
  readonly governors: GovernorSpecs;
  /** What the operator accepts with the config. */
  readonly content: readonly { readonly name: string; readonly text: string }[];
  /** The file, and what the commands in it name: tools may write none of them. */
  readonly paths: readonly string[];
  readonly secrets: readonly ScriptSecret[];
  readonly problems: readonly ConfigProblem[];
  readonly notes: readonly ConfigProblem[];
}

const NO_FILE: GovernorsFile = {
  ...{ governors: NO_GOVERNORS, content: [] },
  ...{ paths: [], secrets: [], problems: [], notes: [] },
};

const AT: Path = ["governors"];

/** Everything about it, all problems at once; a file with a problem brings no governor along. */
export function readGovernorsFile({ governors: name }: RawConfig, place: SourcesPlace): GovernorsFile {
  if (name === undefined) return NO_FILE;
  const { paths, read } = readNamedFile({ name, at: AT, holds: "the governors" }, place);
  if (!read.ok) return { ...NO_FILE, paths, problems: read.problems };
  const { text } = read.source;
  const found = governorsIn(read.source, place);
  return {
    governors: { ...found.governors, hash: digestOfText(text) },
    content: [{ name, text }],
    paths: [...paths, ...found.paths],
    secrets: found.secrets.map((secret) => ({ ...secret, file: null, at: AT })),
    problems: found.problems,
    notes: found.notes,
  };
}
