import { CODES } from "../../domain/codes.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Plan } from "../../domain/plan.ts";
import type { RunResult } from "../../domain/tool.ts";
import { isFileTouch } from "../../domain/touch.ts";
import type { CheckedPath, FileFault } from "../../ports/files.ts";

/** What the file system said while the call was planned: nothing ran. */
export const fileRefusal = (fault: FileFault): Refusal => ({ ...fault, stage: "plan" });

/** What it said while the call ran. */
export const failedResult = ({ code, message }: FileFault): RunResult => ({
  kind: "failed",
  error: { code, message, retryable: CODES[code].retryable },
  content: [],
});

/** INVARIANT (judged = run): a file tool opens the path of its touch, never the path of its input. */
export function judgedPath({ touches: [touch] }: Plan): CheckedPath {
  if (!isFileTouch(touch)) throw new TypeError("the plan of a file tool begins with a file touch");
  return touch.path as CheckedPath;
}
