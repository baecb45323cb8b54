import type { Progress, RunResult } from "../../domain/tool.ts";

type Step = IteratorResult<Progress, RunResult>;

/** Of those that come in one piece. */
const UNHEARD_MAX = 16;

/**
 * What is told of a call, up to its end. Does what a generator does, without a turn of its own for each thing that is told.
 * INVARIANT (no flood): steps that come faster than they are heard are left out. Each is searched for secrets and told to all
 * who listen, and thousands fit into what a program says at once.
 */
export class CallSteps implements AsyncIterator<Progress, RunResult, void> {
  readonly #told: Promise<Step>[] = [];
  #wanted: ((step: Step | Promise<Step>) => void) | null = null;

  next(): Promise<Step> {
    return (
      this.#told.shift() ??
      new Promise((resolve) => {
        this.#wanted = resolve;
      })
    );
  }

  progress(value: Progress): void {
    if (this.#told.length < UNHEARD_MAX) this.#tell({ done: false, value });
  }

  end(value: RunResult): void {
    this.#tell({ done: true, value });
  }

  /** Our own mistake. */
  fail(cause: unknown): void {
    this.#tell(Promise.reject(cause));
  }

  #tell(step: Step | Promise<Step>): void {
    const wanted = this.#wanted;
    this.#wanted = null;
    if (wanted !== null) wanted(step);
    else this.#told.push(Promise.resolve(step));
  }
}
