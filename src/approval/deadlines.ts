import { LIMITS } from "../domain/limits.ts";
import type { Question } from "../domain/question.ts";
import type { Clock } from "../ports/clock.ts";
import type { Faults } from "../ports/faults.ts";
import type { DeadlinePage, OpenDeadline } from "../ports/journal-view.ts";
import type { ApprovalDesk } from "./desk.ts";

export interface DeadlinesParts {
  readonly clock: Clock;
  readonly desk: Pick<ApprovalDesk, "find" | "expire">;
  /** The open questions of this page, in the order in which they were asked. */
  readonly open: (page: DeadlinePage) => readonly OpenDeadline[];
  /** Told of a question that can be answered only a little longer. */
  readonly warn: (question: Question) => void;
  readonly faults: Faults;
}

const LOOK_EVERY_MS = 1000;
/** So many at a time share a commit. */
const AT_ONCE = 128;

const WARNED_MS = LIMITS.approvalWarningMs.default;
/** Clocks of several processes may differ. */
const SLACK_MS = 60_000;
/**
 * Questions come in the order in which they were asked, and each can be answered for as long as one of two limits says: behind one
 * whose deadline is this far off none is due, however many there are.
 */
const FAR_OFF_MS = LIMITS.approvalHighMs.default - LIMITS.approvalMs.default + WARNED_MS + SLACK_MS;

/**
 * Closes questions whose deadline is over, and warns before. Without it a question that nobody looks at would stay open.
 * It keeps no list: each look asks the journal, whichever process asked the question.
 * INVARIANT (expiry never runs anything): all it writes is `expired`.
 */
export class Deadlines {
  readonly #parts: DeadlinesParts;
  /** Those that were warned about, as long as they are open. */
  #warned: ReadonlySet<string> = new Set();
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
    const nowMs = this.#parts.clock.nowMs();
    const warned = new Set<string>();
    try {
      for (let after = ""; ; ) {
        const page = this.#parts.open({ after, limit: AT_ONCE });
        await this.#expire(page.filter(({ deadlineMs }) => deadlineMs <= nowMs));
        for (const { approvalId } of page.filter((one) => isNear(one, nowMs))) {
          if (!this.#warned.has(approvalId)) await this.#warn(approvalId);
          warned.add(approvalId);
        }
        after = page.at(-1)?.approvalId ?? "";
        if (page.length < AT_ONCE || page.some(({ deadlineMs }) => deadlineMs > nowMs + FAR_OFF_MS)) break;
      }
      this.#warned = warned;
    } catch (cause) {
      this.#parts.faults.report(cause, { stage: "desk" });
      this.#warned = new Set([...this.#warned, ...warned]);
    }
  }

  async #warn(approvalId: string): Promise<void> {
    const { clock, desk, warn } = this.#parts;
    const question = await desk.find(approvalId);
    if (question?.answer === null && question.deadlineMs > clock.nowMs()) warn(question);
  }

  async #expire(due: readonly OpenDeadline[]): Promise<void> {
    await Promise.allSettled(due.map(({ approvalId }) => this.#parts.desk.expire(approvalId)));
  }
}

const isNear = ({ deadlineMs }: OpenDeadline, nowMs: number): boolean =>
  deadlineMs > nowMs && deadlineMs <= nowMs + WARNED_MS;
