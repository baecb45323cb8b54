import type { DatabaseSync, StatementSync } from "node:sqlite";
import { budgetExceeded, type Hold, type Spending } from "../../domain/budget.ts";
import type { Digest } from "../../domain/digest.ts";
import type { EntryDraft, EntryKind } from "../../domain/entry.ts";
import type { Receipt } from "../../domain/outcome.ts";
import { deskFull, type FullDesk, type NewQuestion } from "../../domain/question.ts";
import { mayFollow } from "../../domain/state.ts";
import { GENESIS_HASH, Sealer } from "../../ledger/chain.ts";
import type { Faults } from "../../ports/faults.ts";
import type { Change, Committed } from "../../ports/journal.ts";
import type { SessionChange } from "../../ports/sessions.ts";
import { BudgetRows, type Exceeded } from "./budget-rows.ts";
import { CallRows } from "./call-rows.ts";
import { KeyRows } from "./key-rows.ts";
import { QuestionRows } from "./question-rows.ts";
import { inSegments, lastRow, lineOf } from "./segment.ts";
import { SessionRows } from "./session-rows.ts";
import { GONE, illegal, RENEWED, UNWRITABLE } from "./unwritten.ts";

/** What the ledger is told without a call changing. */
export interface Note {
  readonly callId?: never;
  readonly kind: EntryKind;
  readonly entries: () => readonly [EntryDraft];
}

/** One thing to be written. */
export type Told = Change | Note | (SessionChange & { readonly callId?: never });

/** Told of the entries that were committed, in their order. */
type Written = (firstSeq: number, hashes: readonly Digest[], lines: readonly string[]) => void;

/** Writes changes, many in one transaction. Throws what SQLite throws; then nothing of the batch is written. */
export class Writer {
  readonly #db: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #addSegment: StatementSync;
  readonly #calls: CallRows;
  readonly #questions: QuestionRows;
  readonly #sessions: SessionRows;
  readonly #budgets: BudgetRows;
  readonly #keys: KeyRows;
  readonly #addNote: StatementSync;
  readonly #sealer = new Sealer();
  readonly #written: Written;
  readonly #faults: Faults | undefined;
  /** The head as this process left it. */
  #known: Receipt | null = null;

  constructor(db: DatabaseSync, written: Written = () => {}, faults?: Faults) {
    this.#db = db;
    this.#faults = faults;
    this.#written = written;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.#addSegment = db.prepare("INSERT INTO segments (first_seq, lines) VALUES (?, ?)");
    this.#addNote = db.prepare("INSERT OR REPLACE INTO notes (kind, last_seq) VALUES (?, ?)");
    this.#calls = new CallRows(db);
    this.#questions = new QuestionRows(db);
    this.#sessions = new SessionRows(db);
    this.#budgets = new BudgetRows(db);
    this.#keys = new KeyRows(db);
  }

  write(changes: readonly Told[]): readonly Committed[] {
    try {
      return this.#writeTogether(changes);
    } catch (error) {
      // INVARIANT (own trouble): a change that has no place in the tables keeps no other of its batch from being written.
      if (!isOwnTrouble(error)) throw error;
      return this.#transaction(changes, null, (change, segment) => this.#applyAlone(change, segment));
    }
  }

  #writeTogether(changes: readonly Told[]): readonly Committed[] {
    const known = this.#known;
    const apply = (change: Told, segment: Segment) => this.#apply(change, segment);
    try {
      return this.#transaction(changes, known, apply);
    } catch (error) {
      // INVARIANT (chain): the number of a segment's first entry is a primary key, so who goes on from a head that is no
      // longer the last collides with what another process has written since, and goes on from there.
      if (known === null || !isTaken(error)) throw error;
      return this.#transaction(changes, null, apply);
    }
  }

  head(): Receipt {
    const row = lastRow(this.#db);
    return row === null ? { seq: 0, hash: GENESIS_HASH } : { seq: row[0], hash: row[1] };
  }

  #transaction(
    changes: readonly Told[],
    known: Receipt | null,
    apply: (change: Told, segment: Segment) => Committed,
  ): readonly Committed[] {
    this.#known = null;
    this.#begin.run();
    try {
      const before = known ?? this.head();
      const segment = new Segment(before);
      const results = changes.map((change) => apply(change, segment));
      this.#addEntries(before.seq + 1, segment.lines);
      this.#commit.run();
      this.#known = segment.head;
      if (segment.hashes.length > 0) this.#written(before.seq + 1, segment.hashes, segment.lines);
      return results;
    } catch (error) {
      this.#calls.forget();
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  /** All of it or nothing, whatever becomes of the others. */
  #applyAlone(change: Told, segment: Segment): Committed {
    this.#db.exec("SAVEPOINT alone");
    try {
      return this.#apply(change, segment);
    } catch (error) {
      if (!isOwnTrouble(error)) throw error;
      this.#calls.forget();
      this.#db.exec("ROLLBACK TO alone");
      return UNWRITABLE;
    } finally {
      if (this.#db.isTransaction) this.#db.exec("RELEASE alone");
    }
  }

  #apply(change: Told, segment: Segment): Committed {
    if (change.callId !== undefined && !isLegal(change)) return illegal(change);
    const firstSeq = segment.head.seq + 1;
    const sealed = this.#seal(change, segment.head);
    if (sealed === null) return UNWRITABLE;
    if (change.callId !== undefined) return this.#applyToCall(change, firstSeq, sealed, segment);
    if ("sessionId" in change) {
      if (!this.#sessions.apply(change)) return this.#sessions.isOpen(change.sessionId) ? RENEWED : GONE;
    } else this.#addNote.run(change.kind, sealed.head.seq);
    segment.add(sealed);
    return { kind: "committed", receipt: sealed.head };
  }

  #applyToCall(change: Change, firstSeq: number, sealed: Sealed, segment: Segment): Committed {
    const { question, hold } = change;
    const moved =
      hold !== undefined
        ? this.#start(change, hold, firstSeq, sealed)
        : question === undefined
          ? this.#move(change, firstSeq, sealed)
          : this.#ask(change, question, firstSeq, sealed);
    if (moved === "illegal") return illegal(change);
    if (typeof moved === "object" && "full" in moved) return { kind: "failed", refusal: deskFull(moved.full) };
    if (moved === "unwritable") return UNWRITABLE;
    if (typeof moved === "object" && "exceeded" in moved)
      return { kind: "failed", refusal: budgetExceeded(moved.exceeded, moved.limit) };
    if (change.replay !== undefined) this.#keys.end(change.callId, change.replay, change.replayUntilMs);
    if (change.spent !== undefined) this.#budgets.settle(change.callId, change.spent);
    segment.add(sealed);
    const committed = { kind: "committed", receipt: sealed.head } as const;
    // Of most calls there is no more to say, and they are spared the copies.
    if (moved === "moved" && !("answer" in change)) return committed;
    return {
      ...committed,
      ...("answer" in change && { first: sealed.first }),
      ...(moved !== "moved" && { held: moved }),
    };
  }

  /** What a call may use up is held in the transaction that starts it, or it does not start. */
  #start(change: Change, hold: Hold, firstSeq: number, sealed: Sealed): Moved | Spending | Exceeded {
    this.#db.exec("SAVEPOINT start");
    try {
      const moved = this.#move(change, firstSeq, sealed);
      if (moved !== "moved") return moved;
      const held = this.#budgets.hold(change.callId, hold);
      if ("exceeded" in held) {
        this.#calls.forget();
        this.#db.exec("ROLLBACK TO start");
      }
      return held;
    } finally {
      if (this.#db.isTransaction) this.#db.exec("RELEASE start");
    }
  }

  #move(change: Change, firstSeq: number, { head }: Sealed): Moved {
    if (!this.#calls.apply(change, firstSeq, head.seq)) return "illegal";
    this.#questions.apply(change, firstSeq);
    return "moved";
  }

  /** A question that can't be kept (its id is taken, it has no JSON) is its asker's trouble, and none of the others'. */
  #ask(change: Change, question: NewQuestion, firstSeq: number, sealed: Sealed): Moved | Full {
    const full = this.#questions.fullness(question, change.created?.sessionId ?? "");
    if (full !== null) return { full };
    this.#db.exec("SAVEPOINT ask");
    try {
      return this.#move(change, firstSeq, sealed);
    } catch (error) {
      if (!isOwnTrouble(error)) throw error;
      this.#calls.forget();
      this.#db.exec("ROLLBACK TO ask");
      return "unwritable";
    } finally {
      if (this.#db.isTransaction) this.#db.exec("RELEASE ask");
    }
  }

  /** Null: what it tells has no canonical form. That is its own trouble, and none of the others in its batch. */
  #seal(change: Told, before: Receipt): Sealed | null {
    let head = before;
    let first: Receipt | null = null;
    const lines: string[] = [];
    const hashes: Digest[] = [];
    try {
      for (const draft of change.entries()) {
        const seq = head.seq + 1;
        const { text, hash } = this.#sealer.seal(draft, seq, head.hash);
        head = { seq, hash };
        first ??= head;
        lines.push(lineOf(hash, text));
        hashes.push(hash);
      }
      return { head, first: first ?? head, lines, hashes };
    } catch (cause) {
      // What has no canonical form is a TypeError.
      if (!(cause instanceof TypeError)) this.#faults?.report(cause, { stage: "journal" });
      return null;
    }
  }

  #addEntries(firstSeq: number, lines: readonly string[]): void {
    for (const [seq, text] of inSegments(firstSeq, lines)) {
      const { changes } = this.#addSegment.run(seq, text);
      // INVARIANT (ledger first): an entry that is not there was not written, whatever kept it out.
      if (Number(changes) !== 1) throw new Error("the ledger did not take the entries");
    }
  }
}

/** The entries of one transaction. */
class Segment {
  head: Receipt;
  readonly lines: string[] = [];
  readonly hashes: Digest[] = [];

  constructor(head: Receipt) {
    this.head = head;
  }

  add({ head, lines, hashes }: Sealed): void {
    this.head = head;
    for (const line of lines) this.lines.push(line);
    for (const hash of hashes) this.hashes.push(hash);
  }
}

interface Sealed {
  readonly head: Receipt;
  readonly first: Receipt;
  readonly lines: readonly string[];
  readonly hashes: readonly Digest[];
}

type Moved = "moved" | "illegal" | "unwritable";

interface Full {
  readonly full: FullDesk;
}

/** SQLITE_CONSTRAINT and its kinds, and whatever does not come from SQLite. */
function isOwnTrouble(error: unknown): boolean {
  const errcode = (error as { errcode?: unknown } | null)?.errcode;
  return typeof errcode !== "number" || (errcode & 0xff) === 19;
}

/** SQLITE_CONSTRAINT_PRIMARYKEY, and _ROWID for a key that is the row's own number. */
const isTaken = (error: unknown): boolean => [1555, 2579].includes(Number((error as { errcode?: unknown }).errcode));

const isLegal = (change: Change): boolean =>
  mayFollow(change.from, change.to, "answer" in change && change.answer?.kind === "approve");
