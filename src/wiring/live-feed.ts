import { Deadlines } from "../approval/deadlines.ts";
import type { ApprovalDesk } from "../approval/desk.ts";
import { isoTime } from "../domain/iso-time.ts";
import { Feed } from "../events/feed.ts";
import type { GateEvent } from "../events/gate-event.ts";
import type { Clock } from "../ports/clock.ts";
import type { JournalView, OpenDeadline } from "../ports/journal-view.ts";

export type { Feed, GateEvent };

export interface LiveFeedParts {
  readonly view: JournalView;
  readonly project: string;
  readonly workspace: string;
  readonly clock: Clock;
  readonly desk: ApprovalDesk;
}

/** The feed of a process that stays, and the deadlines that it looks after. */
export interface LiveFeed {
  readonly feed: Feed;
  readonly stop: () => void;
}

export function openLiveFeed({ view, project, workspace, clock, desk }: LiveFeedParts): LiveFeed {
  const feed = new Feed({ view, project, workspace, nowIso: () => isoTime(clock.nowMs()) });
  const deadlines = new Deadlines({
    clock,
    desk,
    asked: newQuestions(view, project),
    warn: ({ approvalId, callId, shown, deadlineMs, sessionId }) =>
      feed.tell(
        "tool.approval_warning",
        {
          approval_id: approvalId,
          tool_id: callId,
          tool_name: shown.plan.tool,
          risk_level: shown.risk,
          remaining_seconds: Math.max(0, Math.ceil((deadlineMs - clock.nowMs()) / 1000)),
          deadline: isoTime(deadlineMs),
        },
        sessionId,
      ),
  });
  deadlines.start();
  return { feed, stop: () => deadlines.stop() };
}

const PAGE = 256;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The questions that are open, and then those that have come up since, whichever process asked them. Looked for when
 * deadlines are, a page at a time, and not at every commit: nobody who waits is held up by it, however many there are.
 */
function newQuestions(view: JournalView, project: string): () => AsyncGenerator<OpenDeadline> {
  let seen = view.lastSeq();
  let lastOpen: string | null = "";
  return async function* () {
    for (; lastOpen !== null; await turn()) {
      const open = view.deadlines(project, lastOpen, PAGE);
      yield* open;
      lastOpen = open.at(-1)?.approvalId ?? null;
    }
    for (const last = view.lastSeq(); seen < last; await turn()) {
      const entries = view.entries(seen + 1, Math.min(seen + PAGE, last));
      seen = entries.at(-1)?.seq ?? last;
      for (const { body, project: of } of entries) {
        if (body["decision"] !== "ask" || of !== project) continue;
        yield { approvalId: String(body["approvalId"]), deadlineMs: Date.parse(String(body["deadline"])) };
      }
    }
  };
}
