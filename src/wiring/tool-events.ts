import { setImmediate as turn } from "node:timers/promises";
import type { RawCall } from "../domain/call.ts";
import { isoTime } from "../domain/iso-time.ts";
import { isJsonObject, type JsonObject } from "../domain/json.ts";
import { NEVER } from "../domain/never.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Feed } from "../events/feed.ts";
import type { GateEvent } from "../events/gate-event.ts";
import type { ToolEvent } from "../formats/a2a-acp/tool-event.ts";
import type { Clock } from "../ports/clock.ts";
import type { JournalView } from "../ports/journal-view.ts";
import type { Outcomes } from "../ports/outcomes.ts";
import type { Redactor } from "../redact/redactor.ts";
import { shownParams } from "./shown-params.ts";
import { WatchedCalls } from "./watched-calls.ts";

export type { ToolEvent };

export interface ToolEventsParts {
  readonly view: JournalView;
  readonly project: string;
  readonly outcomes: Outcomes;
  readonly ports: { readonly workspace: string; readonly clock: Clock; readonly redactor: Redactor };
}

export interface ToolEventsOptions {
  /** Go on behind the entry of this number. Left out = from now on. */
  readonly after?: number | null;
  /** Only of these calls. */
  readonly tasks?: readonly string[];
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
  /** Whether arguments and results of this call are for whoever listens; of others the ledger tells. Left out: of all. */
  readonly isShown?: (callId: string) => boolean;
}

/**
 * The event `tool_execution` of A2A-ACP: started, completed or failed, once each for every call that was executed. A view
 * of the ledger like all events; arguments and results, which are not in there, are told of calls of this process.
 */
export class ToolEvents {
  readonly #parts: ToolEventsParts;
  /** Of the others the ledger and what is kept tell. */
  readonly #watched = new WatchedCalls();
  #feed: Feed | null = null;
  #followers = 0;

  constructor(parts: ToolEventsParts) {
    this.#parts = parts;
  }

  /** A call on its way. Costs nothing while nobody listens. */
  watch(raw: RawCall, outcome: Promise<Outcome>): Promise<Outcome> {
    if (this.#followers > 0) this.#watched.add(raw, outcome);
    return outcome;
  }

  /** Until the signal says so, or whoever listens leaves the loop. */
  async *follow(options: ToolEventsOptions = {}): AsyncGenerator<ToolEvent, void, void> {
    for await (const [{ data }] of this.pages(options)) yield data as unknown as ToolEvent;
  }

  /** The same as events with a number. */
  async *pages({
    after = null,
    tasks,
    sessionId,
    signal = NEVER,
    isShown = () => true,
  }: ToolEventsOptions): AsyncGenerator<readonly [GateEvent], void, void> {
    // From here on, and not from when all is loaded.
    this.#followers++;
    const from = after ?? this.#parts.view.lastSeq();
    try {
      const feed = await this.#opened();
      const shape = await import("../formats/a2a-acp/tool-event.ts");
      for await (const events of feed.follow({ after: from, signal, ...(sessionId !== undefined && { sessionId }) })) {
        for (const event of events) {
          const callId = String(event.data["tool_id"] ?? "");
          const isAsked = tasks === undefined || tasks.includes(callId);
          if (event.id === null || !isAsked || !(isStart(event) || isEnd(event))) continue;
          await turn(); // each is looked up by itself, and who comes back may have missed thousands: others go in between
          const told = isShown(callId) ? await this.#told(event, callId, shape) : this.#recorded(event, callId, shape);
          if (told !== null) yield [{ ...event, name: told.event, data: told as unknown as JsonObject }];
        }
      }
    } finally {
      this.#followers--;
      if (this.#followers === 0) this.#watched.clear();
    }
  }

  async #opened(): Promise<Feed> {
    const { Feed } = await import("../events/feed.ts");
    const { view, project, ports } = this.#parts;
    const { workspace, clock } = ports;
    this.#feed ??= new Feed({ view, project, workspace, nowIso: () => isoTime(clock.nowMs()) });
    return this.#feed;
  }

  async #told(event: GateEvent, callId: string, shape: Shape): Promise<ToolEvent | null> {
    const watched = this.#watched.find(callId);
    const { outcomes, ports } = this.#parts;
    if (!isEnd(event)) {
      const input = watched === undefined ? {} : shownParams(watched.raw.rawInput, ports.redactor);
      return this.#recorded(event, callId, shape, isJsonObject(input) ? input : {});
    }
    const outcome = await (watched?.outcome ?? outcomes.find(callId).then((kept) => kept?.outcome));
    this.#watched.forget(callId);
    const at = String(event.data["timestamp"]);
    const ended = outcome === undefined ? null : shape.endedEvent(outcome, at, this.#attempts(callId));
    return ended ?? this.#recorded(event, callId, shape);
  }

  /** What the ledger alone tells. */
  #recorded(event: GateEvent, callId: string, shape: Shape, input: JsonObject = {}): ToolEvent | null {
    const { data } = event;
    const tool = String(data["tool_name"]);
    const at = String(data["timestamp"]);
    const { project } = this.#parts;
    return isEnd(event)
      ? shape.recordedEnd(callId, tool, at, data)
      : shape.startedEvent({ callId, tool, project, at, input });
  }

  #attempts(callId: string): number {
    const counted = this.#parts.view.entriesOf(callId).map(({ body }) => Number(body["attempt"] ?? 1));
    return Math.max(1, ...counted);
  }
}

const isEnd = ({ name }: GateEvent): boolean => name === "tool.executed";
const isStart = ({ name, data }: GateEvent): boolean => name === "tool.started" && data["attempt"] === 1;

type Shape = typeof import("../formats/a2a-acp/tool-event.ts");
