import { Deadlines } from "../approval/deadlines.ts";
import type { ApprovalDesk } from "../approval/desk.ts";
import { isoTime } from "../domain/iso-time.ts";
import { Feed, type FollowOptions, type TellOne } from "../events/feed.ts";
import type { GateEvent } from "../events/gate-event.ts";
import type { Clock } from "../ports/clock.ts";
import type { Faults } from "../ports/faults.ts";
import type { JournalView } from "../ports/journal-view.ts";

export type { Feed, FollowOptions, GateEvent, TellOne };

export interface LiveFeedParts {
  readonly view: JournalView;
  readonly project: string;
  readonly workspace: string;
  readonly clock: Clock;
  readonly desk: ApprovalDesk;
  readonly faults: Faults;
}

/** The feed of a process that stays, and the deadlines that it looks after. */
export interface LiveFeed {
  readonly feed: Feed;
  readonly stop: () => void;
}

export function openLiveFeed({ view, project, workspace, clock, desk, faults }: LiveFeedParts): LiveFeed {
  const feed = new Feed({ view, project, workspace, nowIso: () => isoTime(clock.nowMs()) });
  const deadlines = new Deadlines({
    clock,
    desk,
    faults,
    open: (page) => view.deadlines(project, page),
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
