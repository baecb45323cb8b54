import { plain, type Terminal } from "../../src/doors/cli/terminal.ts";

/** A terminal that writes everything down. */
export interface PaperTerminal extends Terminal {
  readonly outText: () => string;
  readonly errText: () => string;
}

export interface PaperOptions {
  /** What the person answers, in order; null = closes the terminal. No answers = nobody is there. */
  readonly answers?: readonly (string | null)[];
  readonly input?: string | Uint8Array;
  readonly isOutTerminal?: boolean;
  readonly isErrTerminal?: boolean;
}

export function paperTerminal({
  answers,
  input = "",
  isOutTerminal = false,
  isErrTerminal = false,
}: PaperOptions = {}): PaperTerminal {
  const out: (string | Uint8Array)[] = [];
  const err: string[] = [];
  const left = [...(answers ?? [])];
  return {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    paint: plain,
    outPaint: plain,
    isInteractive: answers !== undefined,
    isOutTerminal,
    isErrTerminal,
    isOutOpen: () => true,
    outReady: async () => {},
    readInput: async () => Buffer.from(input),
    input: async function* () {
      yield Buffer.from(input);
    },
    question: async (prompt) => {
      err.push(prompt);
      return left.shift() ?? null;
    },
    outText: () => out.map((part) => Buffer.from(part).toString()).join(""),
    errText: () => err.join(""),
  };
}
