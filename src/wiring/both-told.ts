import type { Progress } from "../domain/tool.ts";

/** Who follows all calls, and who follows this one. */
export const bothTold =
  (told: (callId: string, step: Progress) => void, onProgress: (step: Progress) => void) =>
  (callId: string, step: Progress) => {
    told(callId, step);
    onProgress(step);
  };
