import type { DatabaseSync } from "node:sqlite";
import { canonicalJson } from "../../domain/canonical-json.ts";
import {
  type CallSaid,
  type CallTold,
  callFlaw,
  isMove,
  NOTHING_TOLD,
  requestFlaw,
  toldBy,
} from "../../ledger/call-told.ts";
import { callIdTextIn, entryFromText } from "../../ledger/chain.ts";
import type { CallFinding, Finding } from "../../ledger/finding.ts";
import { atOneMoment } from "./at-one-moment.ts";
import { prepared } from "./prepared.ts";
import { type EntryRow, lastRow, readRows, rowAt } from "./segment.ts";
import { ENDED_FROM, stateNamed } from "./state-code.ts";

/** How many entries are held against the table at a time: only their calls stand in memory, however many there are. */
const STRETCH_ENTRIES = 10_000;
/** Of open calls whose last entry is older than the newest. */
const OPEN_MAX = 10_000;
/** Who finds so much wrong need not know all of it. */
const FINDINGS_MAX = 20;
/** After so many entries the event loop gets its turn. */
const ENTRIES_PER_TURN = 1000;

/** `newest`: those that the newest entries are about, and open ones. */
export type WhichCalls = "newest" | "all";

/** Whether the table of calls says what the entries tell, which have to be sound. */
export async function verifyCalls(
  db: DatabaseSync,
  which: WhichCalls,
  stretchEntries = STRETCH_ENTRIES,
): Promise<readonly Finding[]> {
  return await atOneMoment(db, async () => {
    const verifier = new CallVerifier(db, stretchEntries);
    await verifier[which]();
    return verifier.findings.slice(0, FINDINGS_MAX);
  });
}

/** Numbers that only somebody else puts there may be larger than ours can be; so they are read as what is not exact. */
const ROWS = `SELECT call_id, state, tool, first_seq + 0.0 AS first_seq, last_seq + 0.0 AS last_seq, project, session_id
  FROM calls LEFT JOIN origins ON id = origin`;

interface Stretch {
  readonly from: number;
  readonly to: number;
}

class CallVerifier {
  readonly findings: Finding[] = [];
  readonly #named = new Set<string>();
  readonly #db: DatabaseSync;
  readonly #stretchEntries: number;
  readonly #end: number;

  constructor(db: DatabaseSync, stretchEntries: number) {
    this.#db = db;
    this.#stretchEntries = stretchEntries;
    this.#end = lastRow(db)?.[0] ?? 0;
  }

  async newest(): Promise<void> {
    const from = Math.max(1, this.#end - this.#stretchEntries + 1);
    await this.#verifyOpenBefore(from);
    const stretch = { from, to: this.#end };
    const calls = await this.#toldIn(stretch);
    for (const [callId, told] of calls) {
      const said = this.#compare(callId, told, stretch);
      if (said !== null && told.first === null) this.#compareRequest(said);
    }
    for (const said of this.#rows("WHERE last_seq >= ?1 OR first_seq >= ?1", from)) {
      if (!calls.has(said.callId)) this.#add(invented(said));
    }
  }

  async all(): Promise<void> {
    let begun = 0;
    for (let from = 1; from <= this.#end && !this.#isEnough; from += this.#stretchEntries) {
      const stretch = { from, to: Math.min(this.#end, from + this.#stretchEntries - 1) };
      for (const [callId, told] of await this.#toldIn(stretch)) {
        if (told.first !== null) begun++;
        this.#compare(callId, told, stretch);
      }
    }
    const { rows } = this.#db.prepare("SELECT count(*) AS rows FROM calls").get() as { readonly rows: number };
    if (rows !== begun) await this.#findInvented();
  }

  /** Also that nothing has happened to them since: who puts a call back to an earlier state could have it go on from there. */
  async #verifyOpenBefore(from: number): Promise<void> {
    const open = [...this.#rows(`WHERE state < ${ENDED_FROM} AND last_seq < ?1 LIMIT ${OPEN_MAX}`, from)];
    if (open.length === 0) return;
    const oldest = open.reduce((least, { lastSeq }) => Math.min(least, lastSeq), from);
    const stretch = { from: Math.max(1, oldest), to: from - 1 };
    const calls = await this.#toldIn(stretch, new Set(open.map(({ callId }) => canonicalJson(callId))));
    for (const said of open) {
      this.#compare(said.callId, calls.get(said.callId) ?? NOTHING_TOLD, stretch);
      this.#compareRequest(said);
    }
  }

  /** `only`: the ids that are looked for, as JSON. */
  async #toldIn({ from, to }: Stretch, only?: ReadonlySet<string>): Promise<ReadonlyMap<string, CallTold>> {
    const calls = new Map<string, CallTold>();
    for (const row of readRows(this.#db, from, to)) {
      if (row[0] % ENTRIES_PER_TURN === 0) await nextTurn();
      if (only?.has(callIdTextIn(row[2])) === false) continue;
      const entry = this.#entryIn(row);
      if (entry?.callId) calls.set(entry.callId, toldBy(entry, calls.get(entry.callId)));
    }
    return calls;
  }

  #compare(callId: string, told: CallTold, { from, to }: Stretch): CallSaid | null {
    const said = this.#rowOf(callId);
    if (said === null) {
      // A note may be about a call that never got a row.
      if (told.lastSeq !== null) this.#add(missing(callId, told.lastSeq));
      return null;
    }
    const isOver = told.lastSeq === null && said.lastSeq < from;
    const goesOn = said.lastSeq > to && said.lastSeq <= this.#end && this.#isMovedBy(callId, said.lastSeq);
    this.#add(isOver || goesOn ? requestFlaw(told, said) : callFlaw(told, said));
    return said;
  }

  #compareRequest(said: CallSaid): void {
    const row = rowAt(this.#db, said.firstSeq);
    const entry = row && this.#entryIn(row);
    const told = entry?.callId === said.callId ? toldBy(entry) : NOTHING_TOLD;
    this.#add(told.first === null ? notItsRequest(said) : requestFlaw(told, said));
  }

  #isMovedBy(callId: string, seq: number): boolean {
    const row = rowAt(this.#db, seq);
    const entry = row && this.#entryIn(row);
    return entry !== null && entry.callId === callId && isMove(entry);
  }

  /** Entries and rows in the same order, so that both are read once. */
  async #findInvented(): Promise<void> {
    const entries = readRows(this.#db, 1, this.#end);
    let entry = entries.next().value;
    for (const said of this.#rows("ORDER BY first_seq")) {
      if (this.#isEnough) return;
      for (; entry !== undefined && entry[0] < said.firstSeq; entry = entries.next().value) {
        if (entry[0] % ENTRIES_PER_TURN === 0) await nextTurn();
      }
      const isTold = entry?.[0] === said.firstSeq && callIdTextIn(entry[2]) === canonicalJson(said.callId);
      if (!isTold) this.#add(invented(said));
    }
  }

  #entryIn([seq, hash, text]: EntryRow) {
    try {
      return entryFromText(text, hash);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.findings.push({ kind: "altered", seq, what: "form" });
      return null;
    }
  }

  /** One finding a call: what else is wrong with it follows from that. */
  #add(found: CallFinding | null): void {
    if (found === null || this.#isEnough || this.#named.has(found.callId)) return;
    this.#named.add(found.callId);
    this.findings.push(found);
  }

  get #isEnough(): boolean {
    return this.findings.length >= FINDINGS_MAX;
  }

  #rowOf(callId: string): CallSaid | null {
    const row = prepared(this.#db, `${ROWS} WHERE call_id = ?`).get(callId);
    return row === undefined ? null : saidIn(row);
  }

  *#rows(which: string, ...values: readonly number[]): Generator<CallSaid> {
    for (const row of this.#db.prepare(`${ROWS} ${which}`).iterate(...values)) yield saidIn(row);
  }
}

const saidIn = (row: Readonly<Record<string, unknown>>): CallSaid => ({
  callId: String(row["call_id"]),
  state: stateNamed(row["state"]),
  tool: String(row["tool"]),
  project: textOrNull(row["project"]),
  sessionId: textOrNull(row["session_id"]),
  firstSeq: Number(row["first_seq"]),
  lastSeq: Number(row["last_seq"]),
});

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

const missing = (callId: string, seq: number): CallFinding => ({
  kind: "call",
  callId,
  seq,
  what: "missing",
  told: seq,
  said: null,
});

const notItsRequest = ({ callId, lastSeq: seq, firstSeq }: CallSaid): CallFinding => ({
  kind: "call",
  callId,
  seq,
  what: "first-entry",
  told: null,
  said: firstSeq,
});

const invented = ({ callId, lastSeq: seq }: CallSaid): CallFinding => ({
  kind: "call",
  callId,
  seq,
  what: "invented",
  told: null,
  said: null,
});

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
