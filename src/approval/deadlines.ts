import { LIMITS } from "../domain/limits.ts";
import type { Question } from "../domain/question.ts";
import type { Clock } from "../ports/clock.ts";
import type { DeadlinePage, OpenDeadline } from "../ports/journal-view.ts";
import type { ApprovalDesk } from "./desk.ts";

export interface DeadlinesParts {
  readonly clock: Clock;
  readonly desk: Pick<ApprovalDesk, "find" | "expire">;
  /** The open questions of this page, the soonest first. */
  readonly open: (page: DeadlinePage) => readonly OpenDeadline[];
  /** Told of a question that can be answered only a little longer. */
  readonly warn: (question: Question) => void;
}

const LOOK_EVERY_MS = 1000;
/** So many at a time share a commit. */
const AT_ONCE = 128;

const FROM_THE_FIRST: OpenDeadline = { approvalId: "", deadlineMs: 0 };

/**
 * Closes questions whose deadline is over, and warns before. Without it a question that nobody looks at would stay open.
 * It keeps no list: each look asks the journal for what is due, whichever process asked it and however many are not.
 * INVARIANT (expiry never runs anything): all it writes is `expired`.
 */
export class Deadlines {
  readonly #parts: DeadlinesParts;
  /** The last one that was warned about. */
  #warned: OpenDeadline | null = null;
  #disarm: (() => void) | null = null;

  constructor(parts: DeadlinesParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#disarm = this.#parts.clock.after(LOOK_EVERY_MS, () => {
      void this.look().finally(() => {
        if (this.#disarm !== null) this.start();
      });
    });
  }

  stop(): void {
    this.#disarm?.();
    this.#disarm = null;
  }

  /** What is due by now. What can't be read or written now is tried at the next look: a busy disk leaves nothing open. */
  async look(): Promise<void> {
    try {
      await this.#warn();
      await this.#expire();
    } catch {
      // the journal is busy, or closed
    }
  }

  async #warn(): Promise<void> {
    const { clock, desk, open, warn } = this.#parts;
    const nowMs = clock.nowMs();
    this.#warned ??= { approvalId: "", deadlineMs: nowMs };
    for (;;) {
      const untilMs = nowMs + LIMITS.approvalWarningMs.default;
      const page = open({ after: this.#warned, untilMs, limit: AT_ONCE });
      for (const due of page) {
        const question = await desk.find(due.approvalId);
        this.#warned = due;
        if (question?.answer === null && question.deadlineMs > clock.nowMs()) warn(question);
      }
      if (page.length < AT_ONCE) return;
    }
  }

  async #expire(): Promise<void> {
    const { clock, desk, open } = this.#parts;
    for (let after = FROM_THE_FIRST; ; ) {
      const page = open({ after, untilMs: clock.nowMs(), limit: AT_ONCE });
      await Promise.allSettled(page.map(({ approvalId }) => desk.expire(approvalId)));
      after = page.at(-1) ?? after;
      if (page.length < AT_ONCE) return;
    }
  }
}
