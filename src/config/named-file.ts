import { dirname, isAbsolute, join, resolve } from "node:path";
import { quoted } from "../domain/visible.ts";
import type { Path } from "../schema/mismatch.ts";
import type { ConfigProblem } from "./config-problem.ts";
import { realPath } from "./real-path.ts";
import { placed, readYaml, type YamlSource } from "./yaml-source.ts";

/** Where in the config a file is named, and what it holds in so many words: `the rules`. */
export interface Naming {
  readonly name: string;
  readonly at: Path;
  readonly holds: string;
}

export interface NamedFile {
  /** As it was named, and what that name leads to: tools may write neither. */
  readonly paths: readonly string[];
  readonly read:
    | { readonly ok: true; readonly source: YamlSource; readonly folder: string }
    | { readonly ok: false; readonly problems: readonly ConfigProblem[] };
}

interface NamedFrom {
  readonly base: string;
  readonly config: YamlSource;
}

/** A YAML file that the config names. One that can't be read is a mistake of the line that names it. */
export function readNamedFile({ name, at, holds }: Naming, { base, config }: NamedFrom): NamedFile {
  const path = resolve(base, name);
  const read = readYaml(path, isAbsolute(name) ? name : join(dirname(config.file), name));
  const paths = pathsOf(path);
  if (read.ok) return { paths, read: { ok: true, source: read.source, folder: dirname(path) } };
  const { unread, problems } = read;
  const ofLine = ({ message }: ConfigProblem) =>
    placed({ path: at, what: "value", message: `${holds} in ${quoted(name)}: ${message}` }, config);
  return { paths, read: { ok: false, problems: unread ? problems.map(ofLine) : problems } };
}

/** The path, and where it leads. */
export function pathsOf(path: string): readonly string[] {
  const real = realPath(path);
  return [...new Set([path, ...(real.ok ? [real.path] : [])])];
}
