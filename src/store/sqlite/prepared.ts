import type { DatabaseSync, StatementSync } from "node:sqlite";

/** By the connection, whose statements end with it. */
const STATEMENTS = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** A statement that is used often: preparing one costs more than most of them take. Not for what is iterated slowly. */
export function prepared(db: DatabaseSync, sql: string, rows: "objects" | "arrays" = "objects"): StatementSync {
  const own = STATEMENTS.get(db) ?? new Map<string, StatementSync>();
  STATEMENTS.set(db, own);
  const key = `${rows} ${sql}`;
  const known = own.get(key);
  if (known !== undefined) return known;
  const statement = db.prepare(sql);
  if (rows === "arrays") statement.setReturnArrays(true);
  own.set(key, statement);
  return statement;
}
