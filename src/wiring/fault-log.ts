import { errorCode } from "../config/system-error.ts";
import { visibleText } from "../domain/visible.ts";
import type { Fault, Faults } from "../ports/faults.ts";
import type { Redactor } from "../redact/redactor.ts";

export type { Fault };

export type OnFault = (fault: Fault) => void;

/** Causes are chained, and a chain may be a circle. */
const CAUSES_MAX = 5;
const CHARS_MAX = 16_384;

/**
 * The fault log of one gate.
 * INVARIANT (redact first): an error's text may hold arguments and results, so nothing leaves before the redactor has seen it.
 */
export class FaultLog implements Faults {
  readonly #redactor: Pick<Redactor, "message">;
  /** The last one is told. */
  readonly #listeners: OnFault[];

  constructor(redactor: Pick<Redactor, "message">, onFault: OnFault = warn) {
    this.#redactor = redactor;
    this.#listeners = [onFault];
  }

  /** In the place of whoever was told before, until the function is called that is given back. */
  tell(onFault: OnFault): () => void {
    this.#listeners.push(onFault);
    return () => void this.#listeners.splice(this.#listeners.indexOf(onFault), 1);
  }

  report(cause: unknown, { stage, callId = null }: Parameters<Faults["report"]>[1]): void {
    const code = errorCode(cause);
    const fault = {
      callId,
      stage,
      code: code === "UNKNOWN" ? null : shown(code, this.#redactor),
      cause: shown(textOf(cause), this.#redactor),
    };
    try {
      this.#listeners.at(-1)?.(fault);
    } catch (failure) {
      // The operator's callback failed. The fault and the failure are warnings then.
      warn(fault);
      warn({ ...fault, code: null, cause: shown(textOf(failure), this.#redactor) });
    }
  }
}

/** A fault as lines of text: the facts, then the stack. */
export const faultText = ({ callId, stage, code, cause }: Fault): string =>
  `fault in ${stage}${callId === null ? "" : ` of ${callId}`}${code === null ? "" : ` (${code})`}\n${cause}`;

/** For a program that listens to no faults: a warning of Node's own, which it prints to stderr. */
function warn(fault: Fault): void {
  process.emitWarning(faultText(fault), { type: "ToolgateFault" });
}

function shown(text: string, redactor: Pick<Redactor, "message">): string {
  try {
    return visibleText(redactor.message(text.toWellFormed()).slice(0, CHARS_MAX));
  } catch (failure) {
    // INVARIANT (no secrets): what the redactor can't look at is not shown.
    return `the error's text could not be redacted (${nameOf(failure)}), and is not shown`;
  }
}

function textOf(thrown: unknown): string {
  const texts: string[] = [];
  let cause = thrown;
  for (let depth = 0; depth < CAUSES_MAX && cause !== undefined && cause !== null; depth++) {
    texts.push(oneText(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return texts.length === 0 ? String(thrown) : texts.join("\ncaused by: ");
}

/** A foreign object may throw when it is looked at. */
function oneText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? (thrown.stack ?? `${thrown.name}: ${thrown.message}`) : String(thrown);
  } catch (failure) {
    return `something that can't be shown as text (${nameOf(failure)})`;
  }
}

/** The class of an error, if it is one of the language's own. */
const nameOf = (error: unknown): string => {
  const name = error instanceof Error ? error.constructor.name : typeof error;
  return /^[A-Za-z]{1,40}$/.test(name) ? name : "error";
};
