import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type BudgetKind, type Hold, NOTHING_SPENT, type Spending, shareOf, type Wanted } from "../../domain/budget.ts";

const COLUMNS = {
  tokens: "tokens",
  calls: "calls",
  timeMs: "time_ms",
  costMicros: "cost_micros",
  bytes: "bytes",
} as const satisfies Record<BudgetKind, string>;

const KINDS = Object.keys(COLUMNS) as readonly BudgetKind[];
const NAMES = Object.values(COLUMNS);
/** More than anybody has, and the most that can be read back: who is told more has used that much. */
const MOST = Number.MAX_SAFE_INTEGER;
const ADD = NAMES.map((name) => `${name} = min(${name} + ?, ${MOST})`).join(", ");
const READ = NAMES.map((name) => `min(${name}, ${MOST}) AS ${name}`).join(", ");

/** Too little of something. */
export interface Exceeded {
  readonly exceeded: BudgetKind;
  readonly limit: number;
}

/**
 * What leases have used up, and what calls under way hold of them. INVARIANT (never overspent): what a call may use is taken
 * in the transaction that starts it, so that calls of all processes together get no more than there is.
 */
export class BudgetRows {
  readonly #taken: StatementSync;
  readonly #heldBy: StatementSync;
  readonly #open: StatementSync;
  readonly #take: StatementSync;
  readonly #hold: StatementSync;
  readonly #held: StatementSync;
  readonly #drop: StatementSync;

  constructor(db: DatabaseSync) {
    this.#taken = db.prepare(`SELECT ${READ} FROM budgets WHERE lease_id = ?`);
    const sums = NAMES.map((name) => `total(${name}) AS ${name}`).join(", ");
    this.#heldBy = db.prepare(`SELECT ${sums} FROM holdings WHERE lease_id = ?`);
    this.#open = db.prepare("INSERT OR IGNORE INTO budgets VALUES (?, 0, 0, 0, 0, 0)");
    this.#take = db.prepare(`UPDATE budgets SET ${ADD} WHERE lease_id = ?`);
    this.#hold = db.prepare("INSERT INTO holdings VALUES (?, ?, ?, ?, ?, ?, ?)");
    this.#held = db.prepare(`SELECT lease_id, ${READ} FROM holdings WHERE call_id = ?`);
    this.#drop = db.prepare("DELETE FROM holdings WHERE call_id = ?");
  }

  /** Used up and held. */
  taken(leaseId: string): Spending {
    const row = this.#taken.get(leaseId);
    return row === undefined ? NOTHING_SPENT : spendingFrom(row);
  }

  /** Used up, without what calls under way hold. */
  used(leaseId: string): Spending {
    const [taken, held] = [this.taken(leaseId), spendingFrom(this.#heldBy.get(leaseId) ?? {})];
    return each((kind) => taken[kind] - held[kind]);
  }

  /** The same amount out of each budget, as much as the smallest of them has; or nothing out of any. What none limits is infinite. */
  hold(callId: string, { budgets, wanted }: Hold): Spending | Exceeded {
    let { atMost } = wanted;
    for (const { leaseId, budget } of budgets) {
      const taken = { taken: this.taken(leaseId), used: () => this.used(leaseId) };
      const share = shareOf(budget, taken, { ...wanted, atMost } satisfies Wanted);
      if (typeof share === "string") return { exceeded: share, limit: budget[share] ?? 0 };
      atMost = each((kind) => (budget[kind] === null ? atMost[kind] : share[kind]));
    }
    for (const { leaseId, budget } of budgets) {
      const held = KINDS.map((kind) => (budget[kind] === null ? 0 : atMost[kind]));
      this.#open.run(leaseId);
      this.#take.run(...held, leaseId);
      this.#hold.run(callId, leaseId, ...held);
    }
    return each((kind) =>
      budgets.every(({ budget }) => budget[kind] === null) ? Number.POSITIVE_INFINITY : atMost[kind],
    );
  }

  /** `held`: what it used nobody knows, and so it used all that it held. */
  settle(callId: string, spent: Spending | "held"): void {
    if (spent !== "held") {
      for (const row of this.#held.all(callId)) {
        const held = spendingFrom(row);
        this.#take.run(...KINDS.map((kind) => spent[kind] - held[kind]), String(row["lease_id"]));
      }
    }
    this.#drop.run(callId);
  }
}

const each = (amount: (kind: BudgetKind) => number): Spending =>
  Object.fromEntries(KINDS.map((kind) => [kind, amount(kind)])) as unknown as Spending;

const spendingFrom = (row: Record<string, unknown>): Spending => each((kind) => Number(row[COLUMNS[kind]]));
