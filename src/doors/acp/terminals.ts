import type { JsonObject } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { OutputTail } from "./output-tail.ts";

/** A command of the agent's that the gate runs. */
export interface Terminal {
  readonly command: string;
  readonly output: OutputTail;
  readonly stop: AbortController;
  readonly ended: Promise<Outcome>;
  /** Null while it runs. */
  exit: ExitStatus | null;
}

export interface ExitStatus extends JsonObject {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** More than anybody looks at. Released ones don't count. */
const TERMINALS_MAX = 64;

/** The terminals of one session, by ids of ours. */
export class Terminals {
  readonly #open = new Map<string, Terminal>();
  #last = 0;

  get isFull(): boolean {
    return this.#open.size >= TERMINALS_MAX;
  }

  add(terminal: Terminal): string {
    const id = `toolgate-${++this.#last}`;
    this.#open.set(id, terminal);
    return id;
  }

  get(id: unknown): Terminal | undefined {
    return typeof id === "string" ? this.#open.get(id) : undefined;
  }

  /** What still runs is stopped. */
  release(id: string): void {
    this.#open.get(id)?.stop.abort();
    this.#open.delete(id);
  }
}

/** The exit code that a program had, or the signal that was meant to end it. */
export function exitStatusOf(outcome: Outcome): ExitStatus {
  if (outcome.kind === "completed") return { exitCode: outcome.exitCode ?? 0, signal: null };
  const exitCode = outcome.kind === "failed" ? (outcome.error.exitCode ?? null) : null;
  return exitCode === null ? { exitCode, signal: "SIGTERM" } : { exitCode, signal: null };
}
