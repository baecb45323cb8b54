import type { Terminal } from "./terminal.ts";

/** Often enough to look alive, and seldom enough to cost nothing. */
const EVERY_MS = 100;
const CLEAR = "\r\u001b[2K";

/** How far long work has come: one line on a person's screen that replaces itself, and nothing anywhere else. */
export interface ProgressLine extends Disposable {
  /** `text` is made only when it is shown. */
  readonly tell: (text: () => string) => void;
}

const SILENT: ProgressLine = { tell: () => {}, [Symbol.dispose]: () => {} };

export function progressLine(
  { isErrTerminal, isOutTerminal, err, paint }: Terminal,
  nowMs: () => number = () => performance.now(),
): ProgressLine {
  // Results that run over the same screen show well enough that it goes on.
  if (!isErrTerminal || isOutTerminal) return SILENT;
  let shownMs = Number.NEGATIVE_INFINITY;
  return {
    tell: (text) => {
      if (nowMs() - shownMs < EVERY_MS) return;
      shownMs = nowMs();
      err(`${CLEAR}${paint("dim", text())}`);
    },
    [Symbol.dispose]: () => {
      if (shownMs !== Number.NEGATIVE_INFINITY) err(CLEAR);
    },
  };
}
