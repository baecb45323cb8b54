import type { Progress, RunResult } from "../../domain/tool.ts";

type Step = IteratorResult<Progress, RunResult>;

/** What is told of a call, up to its end. Does what a generator does, without a turn of its own for each thing that is told. */
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
    this.#tell({ done: false, value });
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
