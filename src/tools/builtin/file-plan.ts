import { CODES } from "../../domain/codes.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Operand, Plan } from "../../domain/plan.ts";
import type { RunResult } from "../../domain/tool.ts";
import { isFileTouch } from "../../domain/touch.ts";
import { quoted } from "../../domain/visible.ts";
import { type CheckedPath, type FileFault, type FileKind, type FileResult, fault } from "../../ports/files.ts";

/** What the file system said while the call was planned: nothing ran. */
export const fileRefusal = (fault: FileFault): Refusal => ({ ...fault, stage: "plan" });

/** What it said while the call ran. */
export const failedResult = ({ code, message, hint }: FileFault): RunResult => ({
  kind: "failed",
  error: { code, message, retryable: CODES[code].retryable, ...(hint !== undefined && { detail: hint }) },
  content: [],
});

/** INVARIANT (judged = run): a file tool opens the path of its touch, never the path of its input. */
export function judgedPath({ touches: [touch] }: Plan): CheckedPath {
  if (!isFileTouch(touch)) throw new TypeError("the plan of a file tool begins with a file touch");
  return touch.path as CheckedPath;
}

/** The only operand of a tool that changes one file. */
export function judgedOperand({ operands: [operand] }: Plan): Operand {
  if (operand === undefined) throw new TypeError("the plan of a tool that changes a file has an operand");
  return operand;
}

/** `nosuch/../a` can't be reached by the kernel, and is judged and opened as `a`. */
export const MAY_BE_FILE: ReadonlySet<FileKind> = new Set<FileKind>(["file", "unreachable"]);

export const changedSince = (shownPath: string): FileResult<never> =>
  fault("CONFLICT", `${labelled(shownPath)} changed since it was judged`, "read the file again and repeat the call");

/** A path inside a message: its end, where the name is, if it is long. */
export const labelled = (shownPath: string): string => quoted(shownPath, { max: 200, keep: "end" });
