import type { RawCall } from "../domain/call.ts";
import type { EntryDraft } from "../domain/entry.ts";
import type { CallState } from "../domain/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { UnwrittenYes } from "../ports/desk.ts";
import type { Change, Committed, Journal } from "../ports/journal.ts";
import type { Probe } from "../ports/probe.ts";
import { TAKEN } from "./own-refusals.ts";
import * as record from "./record.ts";
import { withYes } from "./with-yes.ts";

/** What the ledger is told, asked for while it is written: so the times of the entries are in the order of the entries. */
export type Entries = () => readonly [EntryDraft, ...EntryDraft[]];

export interface CallRowPorts {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly probe: Probe;
}

/** Where a call goes, and all that is written along with it. */
export interface Step {
  readonly to: CallState;
  readonly entries: Entries;
  readonly more: Pick<Change, "question" | "hold" | "spent" | "replay" | "replayUntilMs"> | null;
}

/** The row of a call in the journal: where it stands, and its way from there. */
export class CallRow {
  readonly #raw: RawCall;
  readonly #ports: CallRowPorts;
  /** Another process asked about it, or nobody waited, and this one goes on. */
  readonly isTakenOver: boolean;
  #state: CallState | "received";
  /** To be written with the next change, which it lets happen. */
  #yes: UnwrittenYes | null;

  constructor(raw: RawCall, ports: CallRowPorts, from: "received" | "approved", yes: UnwrittenYes | null) {
    this.#raw = raw;
    this.#ports = ports;
    this.isTakenOver = from === "approved";
    this.#state = from;
    this.#yes = yes;
  }

  get state(): CallState | "received" {
    return this.#state;
  }

  /** The desk has written the yes. */
  approved(): void {
    this.#state = "approved";
  }

  /** The first change of a call brings its row along. */
  #bareChange(to: CallState, entries: Entries): Change {
    const { callId } = this.#raw;
    const from = this.#state;
    if (from === "received") return { callId, to, entries, from, created: record.newCall(this.#raw) };
    if (this.#yes !== null) return withYes(this.#yes, { callId, to, entries }, this.#raw, this.#ports);
    if (from === "awaiting_approval") return { callId, to, entries, from, answer: { kind: "cancelled" } };
    return this.isTakenOver && to === "executing"
      ? { callId, to, entries, from, takenBy: record.newCall(this.#raw) }
      : { callId, to, entries, from };
  }

  /** `then`: what follows from its being written or not. Said here, so that it costs no promise of its own. */
  commit<T>(step: Step, then: (committed: Committed) => T): Promise<T> {
    const yes = this.#yes;
    if (yes === null) return this.#write(this.#change(step), then);
    const apart = yes.apart();
    return apart === null ? this.#writeYes(yes, step, then) : this.#writeBehind(apart, step).then(then);
  }

  #change({ to, entries, more }: Step): Change {
    const change = this.#bareChange(to, entries);
    return more === null ? change : { ...change, ...more };
  }

  #write<T>(change: Change, then: (committed: Committed) => T): Promise<T> {
    return this.#ports.journal.commit(change).then((committed) => {
      if (committed.kind === "committed") this.#state = change.to;
      return then(committed);
    });
  }

  #writeYes<T>(yes: UnwrittenYes, step: Step, then: (committed: Committed) => T): Promise<T> {
    const change = this.#change(step);
    return this.#write(change, (committed) => {
      if (committed.kind === "committed") {
        this.#yes = null;
        this.#ports.probe.reached("answered", change.callId);
        yes.written(committed.first ?? committed.receipt, change.to);
      }
      return then(committed);
    });
  }

  /** A yes that is written by itself. */
  async #writeBehind(yes: Promise<boolean>, step: Step): Promise<Committed> {
    if (!(await yes)) return { kind: "failed", refusal: TAKEN };
    this.#yes = null;
    return await this.#write(this.#change(step), itself);
  }
}

/** For who has nothing more to say. */
export const itself = (committed: Committed): Committed => committed;
