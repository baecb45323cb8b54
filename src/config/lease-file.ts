import type { JsonValue } from "../domain/json.ts";
import type { ConfigProblem, Place } from "./config-problem.ts";
import { readYaml } from "./yaml-source.ts";

export type LeaseFile =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /** Where a field such as `read[2]` is written; what is not there is where its parent is. */
      readonly placeOf: (field: string) => Place;
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** A file that holds a lease, YAML or JSON. Whether it is one is found out where it is used. */
export function readLeaseFile(path: string): LeaseFile {
  const read = readYaml(path, path);
  if (!read.ok) return { ok: false, problems: read.problems };
  const { value, placeOf } = read.source.document;
  return { ok: true, value, placeOf: (field) => placeOf(pathFromField(field), "key") };
}

/** `budget.calls` and `read[2]` as steps. */
const pathFromField = (field: string): readonly (string | number)[] =>
  field
    .split(/[.[\]]/)
    .filter((step) => step !== "")
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
