import type { JsonValue } from "../domain/json.ts";
import type { ConfigProblem } from "./config-problem.ts";
import { readYaml } from "./yaml-source.ts";

export type LeaseFile =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** A file that holds a lease, YAML or JSON. Whether it is one is found out where it is used. */
export function readLeaseFile(path: string): LeaseFile {
  const read = readYaml(path, path);
  return read.ok ? { ok: true, value: read.source.document.value } : { ok: false, problems: read.problems };
}
