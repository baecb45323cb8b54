import { setImmediate as turn } from "node:timers/promises";
import { LIMITS } from "../domain/limits.ts";
import type { Progress } from "../domain/tool.ts";
import type { JournalView } from "../ports/journal-view.ts";
import { Bell } from "./bell.ts";
import { type EventFacts, eventFromEntry, withoutWords } from "./event-from-entry.ts";
import { Follower } from "./follower.ts";
import type { GateEvent } from "./gate-event.ts";

export interface FeedParts {
  readonly view: JournalView;
  readonly project: string;
  readonly workspace: string;
  readonly nowIso: () => string;
}

export interface FollowOptions {
  /** The last event that was heard; null = none yet. */
  readonly after: number | null;
  /** Only those of this session. */
  readonly sessionId?: string;
  readonly signal: AbortSignal;
  /** Whether what this call is given and prints is for them. Left out: of every call that they hear of. */
  readonly isShown?: (callId: string) => boolean;
  /** Told how to tell this one alone, when it has come; what it gives back is called when it has gone. */
  readonly joined?: (tell: TellOne) => () => void;
}

export type TellOne = (name: string, data: GateEvent["data"]) => void;

/** The last entries are read by everybody who listens, and so only once. */
const RECENT_MAX = 2048;
const FACTS_MAX = 4096;
/** Who comes back is sent little at first: whoever was cut off once may be cut off again. */
const FIRST_PAGE = 16;
const PAGE = 256;
/** The one event that has what a tool prints in it. */
const PROGRESS = "tool.progress";
/** Open questions that somebody new is told of. */
const OPEN_SHOWN_MAX = 1000;

/**
 * The ledger as a stream of events. Whoever listens has a place of their own in it, so a slow one holds up nobody and
 * needs no buffer. INVARIANT (prefix): the events with a number are the ledger's entries in their order, without a gap.
 */
export class Feed {
  readonly #parts: FeedParts;
  readonly #followers = new Set<Follower>();
  readonly #recent = new Map<number, GateEvent>();
  readonly #facts = new Map<string, EventFacts>();
  #unwatch: (() => void) | null = null;
  #lastSeq: number | null = null;
  readonly #bell = new Bell(() => this.#ring());
  /** Told at the next ring. */
  #waiting: GateEvent[] = [];

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  get listeners(): number {
    return this.#followers.size;
  }

  /** Pages of events, for as long as the signal lets it. Who is new, or was away too long, hears of open questions first. */
  async *follow(options: FollowOptions): AsyncGenerator<readonly GateEvent[], void, void> {
    const { after, sessionId, signal, isShown, joined } = options;
    const { project } = this.#parts;
    const isHeard = (event: GateEvent) => isShown === undefined || isShown(String(event.data["tool_id"]));
    const isWanted = (event: GateEvent) =>
      event.project === project &&
      (sessionId === undefined || event.sessionId === sessionId) &&
      (event.name !== PROGRESS || isHeard(event));
    const told = (event: GateEvent) => (isHeard(event) ? event : withoutWords(event));
    const follower = this.#join(signal);
    const left = joined?.((name, data) => follower.pushOwn(this.#live(name, data, null)));
    // Whoever has gone is nobody's to be told from then on, also while nobody asks for the next page.
    if (left !== undefined) signal.addEventListener("abort", left, { once: true });
    try {
      const last = this.lastSeq();
      const lost = lossOf(after, last);
      let seen = after === null || lost !== null ? last : after;
      // INVARIANT (told whole): who is cut off before `ready` hears of what is left. So `reset` has no number, and the
      // questions come in the order of theirs: behind each of them are the entries of all that follow.
      if (lost !== null) yield [this.#live("reset", { reason: lost, last_event_id: last }, null)];
      if (after === null || lost !== null) {
        yield [
          ...this.#openQuestions(last).filter(isWanted).map(told),
          this.#live("ready", { last_event_id: last }, last),
        ];
      }
      for (let size = FIRST_PAGE; !signal.aborted; size = Math.min(size * 2, PAGE)) {
        const page = this.#page(seen, size);
        const isLast = page.length < size;
        seen = page.at(-1)?.id ?? seen;
        const wanted = follower.among(page, isLast).filter(isWanted).map(told);
        const events = [...wanted, ...follower.takenOwn()];
        if (events.length > 0) yield events;
        else if (isLast) await follower.rung();
        // A long way to where this follower is wanted: others go in between, however fast it takes what it is sent.
        if (!isLast) await turn();
      }
    } finally {
      left?.();
      this.#leave(follower);
    }
  }

  /** Tells those who listen right now, and nobody later. */
  tell(name: string, data: GateEvent["data"], sessionId = ""): void {
    if (this.#followers.size === 0) return;
    const event = { ...this.#live(name, data, null), sessionId };
    // Its place is that of now: the end of a call may be written in this very turn, and its progress comes before.
    const behind = this.#lastKnown();
    for (const follower of this.#followers) follower.push(event, behind);
    this.#bell.soon();
  }

  /** As `tell`, where it is behind what was written already and may come behind more: its place is looked up once for all. */
  tellLater(name: string, data: GateEvent["data"], sessionId = ""): void {
    if (this.#followers.size === 0) return;
    this.#waiting.push({ ...this.#live(name, data, null), sessionId });
    this.#bell.soon();
  }

  progress(callId: string, { message, done, total }: Progress): void {
    if (this.#followers.size === 0) return;
    const call = this.#parts.view.call(callId);
    const counted = { ...(done !== undefined && { done }), ...(total !== undefined && { total }) };
    this.tell(PROGRESS, { tool_id: callId, tool_name: call?.tool ?? "", message, ...counted }, call?.sessionId);
  }

  lastSeq(): number {
    this.#lastSeq ??= this.#parts.view.lastSeq();
    const last = this.#lastSeq;
    if (this.#unwatch === null) this.#lastSeq = null; // nobody would tell us of the next one
    return last;
  }

  /** Whoever tells something need not hear that the ledger can't be read: then it comes before all that is read later. */
  #lastKnown(): number {
    try {
      return this.lastSeq();
    } catch {
      return 0;
    }
  }

  #join(signal: AbortSignal): Follower {
    const follower = new Follower(signal);
    this.#followers.add(follower);
    this.#unwatch ??= this.#parts.view.watch((lastSeq) => {
      // Where another process has written since the last look, what this one wrote says nothing of how far it goes.
      this.#lastSeq = lastSeq === null || this.#lastSeq === null ? null : Math.max(lastSeq, this.#lastSeq);
      this.#bell.soon();
    });
    return follower;
  }

  #ring(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const behind = waiting.length === 0 || this.#followers.size === 0 ? 0 : this.#lastKnown();
    for (const follower of this.#followers) {
      for (const event of waiting) follower.push(event, behind);
      follower.ring();
    }
  }

  #leave(follower: Follower): void {
    follower.leave();
    this.#followers.delete(follower);
    if (this.#followers.size > 0) return;
    this.#unwatch?.();
    this.#unwatch = null;
    this.#lastSeq = null;
    this.#recent.clear();
  }

  /** The events behind `seen`, a page of them. */
  #page(seen: number, size: number): readonly GateEvent[] {
    const to = Math.min(this.lastSeq(), seen + size);
    const known: GateEvent[] = [];
    for (let seq = seen + 1; seq <= to; seq++) {
      const event = this.#recent.get(seq);
      if (event === undefined) return [...known, ...this.#read(seq, to)];
      known.push(event);
    }
    return known;
  }

  #read(from: number, to: number): readonly GateEvent[] {
    const events = this.#parts.view.entries(from, to).map((entry) => this.#eventOf(entry));
    const isRecent = to > this.lastSeq() - RECENT_MAX;
    for (const event of isRecent ? events : []) {
      this.#recent.set(event.id ?? 0, event);
      this.#recent.delete((event.id ?? 0) - RECENT_MAX);
    }
    return events;
  }

  #eventOf(entry: ReturnType<JournalView["entries"]>[number]): GateEvent {
    return eventFromEntry(entry, entry.callId === null ? null : this.#factsOf(entry.callId), this.#parts.workspace);
  }

  #factsOf(callId: string): EventFacts | null {
    const known = this.#facts.get(callId);
    // A call's row and its question are written together: what was there once does not change.
    if (known !== undefined) return known;
    const call = this.#parts.view.call(callId);
    if (call === null) return null;
    this.#facts.set(callId, call);
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > FACTS_MAX && oldest !== undefined) this.#facts.delete(oldest);
    return call;
  }

  #openQuestions(last: number): readonly GateEvent[] {
    const { view, project } = this.#parts;
    return view
      .askedCalls(project, OPEN_SHOWN_MAX)
      .flatMap((callId) => view.stepsOf(callId).filter(({ body, seq }) => body["decision"] === "ask" && seq <= last))
      .map((entry) => this.#eventOf(entry))
      .sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
  }

  #live(name: string, data: GateEvent["data"], id: number | null): GateEvent {
    const { project, nowIso } = this.#parts;
    return { id, name, project, sessionId: "", data: { ...data, timestamp: nowIso() } };
  }
}

/** Why somebody who comes back can't go on where they were; null = they can. */
function lossOf(after: number | null, last: number): string | null {
  if (after === null) return null;
  if (after > last) return "this ledger has no such event";
  return last - after > LIMITS.replayedEntries.default ? "too much has happened since" : null;
}
