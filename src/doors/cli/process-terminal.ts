import type { Readable, Writable } from "node:stream";
import { once } from "../../domain/once.ts";
import { EXIT } from "./exit-codes.ts";
import { coloured, plain, type Terminal } from "./terminal.ts";

interface TerminalParts {
  readonly noColor: boolean;
  /** How the person starts the program: hints name it so. */
  readonly program?: string;
}

const asStarted = (text: string, program: string): string =>
  text.replaceAll("`toolgate ", `\`${program} `).replaceAll("  usage toolgate ", `  usage ${program} `);

/** The terminal of this process. Colour only where a person looks. */
export function processTerminal({ noColor, program = "toolgate" }: TerminalParts): Terminal {
  const { stdout, stderr } = process;
  // A reader that has gone away (`| head`, a closed window) ends the showing, not the call, which still has to come to
  // its end in the ledger.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") resultsLost(error.code ?? error.message);
  });
  stderr.on("error", () => {});
  // Node opens the input when it is first looked at, which most commands never do.
  const stdin = once(() => process.stdin.on("error", () => {}));
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(program === "toolgate" ? text : asStarted(text, program)),
    paint: stderr.isTTY && !noColor ? coloured : plain,
    outPaint: stdout.isTTY && !noColor ? coloured : plain,
    isInteractive: stderr.isTTY && stdin().isTTY,
    isOutTerminal: Boolean(stdout.isTTY),
    isErrTerminal: Boolean(stderr.isTTY),
    isOutOpen: () => !stdout.destroyed,
    outReady: () => drained(stdout),
    readInput: async () => await (await import("node:stream/consumers")).buffer(stdin()),
    input: (signal) => piecesOf(stdin(), signal),
    question: async (prompt, signal) => {
      const { createInterface } = await import("node:readline/promises");
      await forgetTyped(stdin(), signal);
      if (stdin().readableEnded) return null;
      // The kernel's own line editing: Ctrl-C stays a signal, and a window that is closed meanwhile does not make
      // `readline` throw while it puts the terminal back.
      const lines = createInterface({ input: stdin(), output: stderr, terminal: false });
      try {
        const closed = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
        return await Promise.race([lines.question(prompt, signal ? { signal } : {}), closed]);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== "ABORT_ERR" && code !== "ERR_USE_AFTER_CLOSE") throw error;
        return null;
      } finally {
        lines.close();
      }
    },
  };
}

/** Nobody reads a question and answers it in so short a time; the lines of what was pasted come faster. */
const QUIET_MS = 200;
/** Of the event loop at its input; the first may be one that had begun before. */
const LOOKS = 3;

/**
 * INVARIANT (asked, then answered): what was typed before a question could be read is no answer to it, so it is thrown away.
 * A line that is not ended yet stays: it is whoever types Return behind it that answers.
 */
async function forgetTyped(input: Readable, signal: AbortSignal | undefined): Promise<void> {
  const { setImmediate: turn, setTimeout: sleep } = await import("node:timers/promises");
  let isQuiet = false;
  const heard = () => {
    isQuiet = false;
  };
  // A question before this one has paused it, and a listener alone does not set it going again.
  input.on("data", heard).resume();
  while (!isQuiet && !input.readableEnded && !signal?.aborted) {
    isQuiet = true;
    await sleep(QUIET_MS);
    // On a busy machine the time may be over before the input was looked at once.
    for (let n = 0; n < LOOKS; n++) await turn();
  }
  input.off("data", heard).pause();
}

/** On a full disk: the call has come to its end, but who asked has not got all of it, and must not take it for the whole. */
function resultsLost(reason: string): void {
  process.stderr.write(`error the results could not be written (${reason}), so they are not whole\n`);
  process.once("exit", () => {
    process.exitCode ||= EXIT.fault;
  });
}

async function drained(stream: Writable): Promise<void> {
  if (!stream.writableNeedDrain || stream.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.once("drain", resolve).once("close", resolve);
  await promise;
  stream.off("drain", resolve).off("close", resolve);
}

async function* piecesOf(stream: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
  const stop = () => void stream.destroy();
  signal.addEventListener("abort", stop);
  try {
    yield* stream;
  } catch (error) {
    // Destroyed while it was waited for, which is what a cancel does.
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
