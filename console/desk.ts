import type { Approval } from "../src/client/answers.ts";
import type { ToolgateClient } from "../src/client/connect.ts";
import type { ServerEvent } from "../src/client/event-blocks.ts";
import { ProblemError } from "../src/client/problem-error.ts";
import { coalesced } from "./coalesced.ts";

/** A question, and when its time is over by the clock of this machine, whatever the server's says. */
export interface Asked {
  readonly approval: Approval;
  readonly deadlineMs: number;
}

export type Answered = Pick<Approval, "status" | "resolved_by" | "reason">;

interface DeskParts {
  readonly gate: Pick<ToolgateClient, "listApprovals">;
  readonly failed: (error: unknown) => void;
}

const PAGE = 100;
const PAGES_MAX = 10;
/** After this, what could not be read is read again. */
const AGAIN_MS = 2000;

/** The open questions, the oldest first, as the server has told of them. */
export class Desk {
  readonly #parts: DeskParts;
  readonly #listeners = new Set<() => void>();
  readonly #answered = new Map<string, Answered>();
  #open: readonly Asked[] = [];
  #isLoaded = false;
  #isOld = false;
  #isEnded = false;
  #again: ReturnType<typeof setTimeout> | undefined;
  readonly load: () => void;

  constructor(parts: DeskParts) {
    this.#parts = parts;
    this.load = coalesced(() => this.#load());
  }

  get open(): readonly Asked[] {
    return this.#open;
  }

  /** Whether the server has said what is open. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Something has happened since, and could not be read yet. */
  get isOld(): boolean {
    return this.#isOld;
  }

  /** What is on its way is the last. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#again);
  }

  answerTo(approvalId: string): Answered | null {
    return this.#answered.get(approvalId) ?? null;
  }

  /** Called after each change; what it gives back ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  hear({ event, data }: ServerEvent): void {
    if (event === "tool.approval_request" || event === "ready") this.load();
    const isAnswer = event === "tool.approval_resolved" || event === "tool.approval_timeout";
    if (isAnswer && typeof data["approval_id"] === "string")
      this.close(data["approval_id"], data as unknown as Answered);
  }

  /** It has its answer, and never comes back as open: a list may be older than what was heard. */
  close(approvalId: string, { status, resolved_by = null, reason = null }: Answered): void {
    this.#answered.set(approvalId, { status, resolved_by, reason });
    this.#set(this.#open);
  }

  async #load(): Promise<void> {
    clearTimeout(this.#again);
    try {
      const found: Asked[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < PAGES_MAX && (page === 0 || cursor !== null); page++) {
        const answer: Awaited<ReturnType<ToolgateClient["listApprovals"]>> = await this.#parts.gate.listApprovals({
          limit: PAGE,
          ...(cursor !== null && { cursor }),
        });
        found.push(...answer.approvals.map(askedFrom));
        cursor = answer.next;
      }
      this.#isLoaded = true;
      this.#isOld = false;
      this.#set(found);
    } catch (error) {
      this.#isOld = true;
      this.#set(this.#open);
      // Who may not read it is not let in by asking again.
      const isRefused = error instanceof ProblemError && (error.status === 401 || error.status === 403);
      if (!isRefused && !this.#isEnded) this.#again = setTimeout(this.load, AGAIN_MS);
      this.#parts.failed(error);
    }
  }

  #set(open: readonly Asked[]): void {
    this.#open = open.filter(({ approval }) => !this.#answered.has(approval.approval_id));
    for (const listener of this.#listeners) listener();
  }
}

export const askedFrom = (approval: Approval): Asked => ({
  approval,
  deadlineMs: Date.now() + approval.timeout_seconds * 1000,
});
