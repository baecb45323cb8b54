import type { Outcome } from "../../domain/outcome.ts";
import type { ShownPlan } from "../../domain/question.ts";
import type { Progress } from "../../domain/tool.ts";
import type { ProposedRule } from "../../wiring/always.ts";
import type { CallOptions, GivenHere } from "../../wiring/gate.ts";

/** A question that the call has raised. */
export interface Raised {
  readonly shown: ShownPlan;
  readonly approvalId: string;
  readonly deadlineMs: number;
  /** Ends when somebody has answered, here or elsewhere. */
  readonly signal: AbortSignal;
}

export type Event =
  | { readonly kind: "ended"; readonly outcome: Outcome }
  | { readonly kind: "asked"; readonly question: Raised };

/**
 * One call, which may outlive the request that made it: a client of 2026-07-28 answers a question by a second request,
 * and whoever answers elsewhere meanwhile lets it run. Its outcome waits here.
 */
export class OpenCall {
  readonly outcome: Promise<Outcome>;
  /** The rule that its question last offered to save: what was shown is what is saved. */
  offered: ProposedRule | null = null;
  /** Of a call that is asked about, which few are. */
  #question: Raised | null = null;
  #raised = (_question: Raised): void => {};
  #answer: PromiseWithResolvers<GivenHere | null> | null = null;
  readonly #stop = new AbortController();
  #onProgress: (progress: Progress) => void = () => {};

  constructor(make: (options: CallOptions) => Promise<Outcome>) {
    this.outcome = make({
      signal: this.#stop.signal,
      onProgress: (progress) => this.#onProgress(progress),
      approver: {
        ask: (shown, asked, signal) => {
          this.#question ??= { shown, ...asked, signal };
          this.#answer ??= Promise.withResolvers();
          this.#raised(this.#question);
          return this.#answer.promise;
        },
      },
    });
  }

  /** Its question or its end, whichever comes first. */
  next(): Promise<Event> {
    return new Promise((resolve, reject) => {
      this.outcome.then((outcome) => resolve({ kind: "ended", outcome }), reject);
      const asked = (question: Raised) => resolve({ kind: "asked", question });
      this.#raised = asked;
      const question = this.#question;
      // What has ended has ended, whatever it asked before.
      if (question !== null) queueMicrotask(() => asked(question));
    });
  }

  /** The request that waits for it now: hears its progress, and takes it back by its signal. */
  attend(signal: AbortSignal, onProgress: (progress: Progress) => void): Disposable {
    this.#onProgress = onProgress;
    const stop = () => this.#stop.abort();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    return {
      [Symbol.dispose]: () => {
        signal.removeEventListener("abort", stop);
        this.#onProgress = () => {};
      },
    };
  }

  /** Null: nobody answers here, and the question waits for another door. */
  answer(answer: GivenHere | null): void {
    this.#answer?.resolve(answer);
  }

  withdraw(): void {
    this.#stop.abort();
  }
}
