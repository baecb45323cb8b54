import type { Readable } from "node:stream";
import type { OutputChunk } from "../ports/sandbox.ts";

/** Both outputs as they come. Reads no faster than the caller takes: a program that writes more than that has to wait. */
export async function* mergedOutput(stdout: Readable, stderr: Readable): AsyncGenerator<OutputChunk> {
  const open = new Map<OutputChunk["from"], Readable>([
    ["stdout", stdout],
    ["stderr", stderr],
  ]);
  let next = Promise.withResolvers<void>();
  const wake = (): void => next.resolve();
  for (const stream of open.values()) for (const event of EVENTS) stream.on(event, wake);
  try {
    while (open.size > 0) {
      next = Promise.withResolvers<void>();
      let isQuiet = true;
      for (const [from, stream] of open) {
        const bytes: Uint8Array | null = stream.read();
        if (bytes !== null) {
          isQuiet = false;
          yield { from, bytes };
        } else if (stream.readableEnded || stream.destroyed) {
          isQuiet = false;
          open.delete(from);
        }
      }
      if (isQuiet) await next.promise;
    }
  } finally {
    for (const stream of [stdout, stderr]) {
      for (const event of EVENTS) stream.off(event, wake);
      stream.resume(); // a reader that breaks off leaves the rest, and its end is part of the end
    }
  }
}

/**
 * The same without an iterator: passes each chunk on in the turn in which it comes, until both outputs have ended. An
 * output is not read while the promise of its last chunk is open.
 */
export async function listenToBoth(
  stdout: Readable,
  stderr: Readable,
  hear: (chunk: OutputChunk) => Promise<void> | void,
): Promise<void> {
  await Promise.all([listenTo(stdout, "stdout", hear), listenTo(stderr, "stderr", hear)]);
}

function listenTo(
  stream: Readable,
  from: OutputChunk["from"],
  hear: (chunk: OutputChunk) => Promise<void> | void,
): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => void stream.resume();
    stream.on("data", (bytes: Uint8Array) => {
      const busy = hear({ from, bytes });
      if (busy === undefined) return;
      stream.pause();
      busy.then(goOn, goOn);
    });
    for (const event of ["end", "close", "error"] as const) stream.once(event, () => resolve());
    if (stream.readableEnded || stream.destroyed) resolve();
  });
}

const EVENTS = ["readable", "end", "close", "error"] as const;
