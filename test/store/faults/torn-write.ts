import { type AfterCrash, acknowledgedBefore, type CrashImage } from "./crash-image.ts";

// Without vitest: threads use it.

/** Where the last five commits begin in the log. */
export const lastFiveFrom = ({ marks }: CrashImage): number => marks.at(-7)?.logBytes ?? 0; // five, one checkpoint, one before

/**
 * F03, I4: the log was right up to `soundBytes`. Everything acknowledged by then is there, and nothing else than a
 * prefix of what was written; what a checkpoint covers is there, or its loss is reported and the ledger not written to.
 * Null: so it is.
 */
export function silentLoss(image: CrashImage, soundBytes: number, after: AfterCrash): object | null {
  const { texts, reported, refused } = after;
  const there = texts?.length ?? -1;
  const facts = {
    acknowledgedIsThere: there >= acknowledgedBefore(image, soundBytes),
    isPrefix: texts?.every((text, i) => text === image.texts[i]) ?? false,
    lossReported: there >= image.signed || (reported && refused),
    // All entries may be there and the checkpoint's row not: that is no reason to refuse, but it is told.
    noFalseAlarm: !(there >= image.signed && (refused || (reported && soundBytes >= image.signedLogBytes))),
  };
  return Object.values(facts).every((holds) => holds) ? null : { soundBytes, ...facts };
}

/** With the 512 bytes from `at` on as zeros, or as many as there are. */
export const withoutSector = (file: Buffer, at: number): Buffer =>
  Buffer.from(file).fill(0, at, Math.min(at + 512, file.length));
