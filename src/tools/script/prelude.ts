import { ABSENT, MISSING, VALUES } from "../../shell/slot-names.ts";

export interface PreludeParts {
  readonly openFiles: number;
  /** Whether a value may be missing, which is told through a marked line. */
  readonly mark: boolean;
  /** Variables whose values differ for each call. They come behind the values of the slots. */
  readonly perCall: readonly string[];
}

/** What bash does before the script. */
export function prelude({ openFiles, mark, perCall }: PreludeParts): string {
  const limits = `ulimit -n ${openFiles}`;
  // -d '': bash reads a file in blocks and keeps every byte; what holds no NUL can't end early.
  const values = `mapfile -d '' -t ${VALUES}`;
  // Also from within a subshell or with its errors sent elsewhere, it is this shell that ends.
  const missing = `exec {__toolgate_e}>&2; ${MISSING}() { printf '%s %s\\n' "\${${VALUES}[-1]}" "$1" >&"$__toolgate_e"; kill -KILL "$$"; }`;
  const behind = perCall.length + (mark ? 1 : 0);
  const exported = perCall.map((name, at) => `${name}="\${${VALUES}[${at - behind}]}"`);
  return [
    limits,
    values,
    ...(exported.length > 0 ? [`export ${exported.join(" ")}`] : []),
    ...(mark ? [missing] : []),
  ].join("; ");
}

/** Whether the script can come to a value that is not there. */
export const mayMiss = (script: string): boolean => script.includes(ABSENT);
