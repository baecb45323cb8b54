import { LIMITS } from "../domain/limits.ts";
import type { Question } from "../domain/question.ts";
import type { Clock } from "../ports/clock.ts";
import type { OpenDeadline } from "../ports/journal-view.ts";
import type { ApprovalDesk } from "./desk.ts";

export interface DeadlinesParts {
  readonly clock: Clock;
  readonly desk: Pick<ApprovalDesk, "find" | "expire">;
  /** The questions that have come up since it was asked last. */
  readonly asked?: () => AsyncIterable<OpenDeadline>;
  /** Told of a question that can be answered only a little longer. */
  readonly warn: (question: Question) => void;
}

const LOOK_EVERY_MS = 1000;
/** So many at a time share a commit. */
const AT_ONCE = 128;

type Kind = "warn" | "expire";

/**
 * Closes questions whose deadline is over, and warns before. Without it a question that nobody looks at would stay open.
 * INVARIANT (expiry never runs anything): all it writes is `expired`.
 */
export class Deadlines {
  readonly #parts: DeadlinesParts;
  /** By the second in which they are due. */
  readonly #due = new Map<number, { readonly kind: Kind; readonly approvalId: string }[]>();
  #seconds: number[] = [];
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

  add({ approvalId, deadlineMs }: OpenDeadline): void {
    this.#plan("warn", approvalId, deadlineMs - LIMITS.approvalWarningMs.default);
    this.#plan("expire", approvalId, deadlineMs);
  }

  /** What is due by now. */
  async look(): Promise<void> {
    await this.#hear();
    const now = Math.floor(this.#parts.clock.nowMs() / 1000);
    while ((this.#seconds[0] ?? now) < now) {
      const second = this.#seconds.shift() ?? now;
      const due = this.#due.get(second) ?? [];
      this.#due.delete(second);
      for (let at = 0; at < due.length; at += AT_ONCE) {
        await Promise.all(due.slice(at, at + AT_ONCE).map(({ kind, approvalId }) => this.#settle(kind, approvalId)));
      }
    }
  }

  /** What can't be read now is read a second later. */
  async #hear(): Promise<void> {
    try {
      for await (const question of this.#parts.asked?.() ?? []) this.add(question);
    } catch {
      // the journal is busy, or closed
    }
  }

  #plan(kind: Kind, approvalId: string, dueMs: number): void {
    const second = Math.floor(dueMs / 1000);
    const due = this.#due.get(second);
    if (due) due.push({ kind, approvalId });
    else {
      this.#due.set(second, [{ kind, approvalId }]);
      const at = this.#seconds.findLastIndex((other) => other < second);
      this.#seconds.splice(at + 1, 0, second);
    }
  }

  /** What can't be written now is tried again a little later: a question must not stay open because of a busy disk. */
  async #settle(kind: Kind, approvalId: string): Promise<void> {
    const { clock, desk, warn } = this.#parts;
    try {
      if (kind === "warn") {
        const question = await desk.find(approvalId);
        if (question !== null && question.answer === null && question.deadlineMs > clock.nowMs()) warn(question);
        return;
      }
      const expired = await desk.expire(approvalId);
      if (expired.kind === "failed") this.#plan(kind, approvalId, clock.nowMs() + LOOK_EVERY_MS);
    } catch {
      this.#plan(kind, approvalId, clock.nowMs() + LOOK_EVERY_MS);
    }
  }
}
