import { ABSENT, MISSING, VALUES } from "../../shell/slot-names.ts";

/** What bash does before the script. `mark` = whether a value may be missing, which is told through a marked line. */
export function prelude({ openFiles, mark }: { readonly openFiles: number; readonly mark: boolean }): string {
  const limits = `ulimit -n ${openFiles}`;
  // -d '': bash reads a file in blocks and keeps every byte; what holds no NUL can't end early.
  const values = `mapfile -d '' -t ${VALUES}`;
  // Also from within a subshell or with its errors sent elsewhere, it is this shell that ends.
  const missing = `exec {__toolgate_e}>&2; ${MISSING}() { printf '%s %s\\n' "\${${VALUES}[-1]}" "$1" >&"$__toolgate_e"; kill -KILL "$$"; }`;
  return [limits, values, ...(mark ? [missing] : [])].join("; ");
}

/** Whether the script can come to a value that is not there. */
export const mayMiss = (script: string): boolean => script.includes(ABSENT);
