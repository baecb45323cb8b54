import type { DatabaseSync } from "node:sqlite";

/** Others go on writing: all is read as it is at one moment. */
export async function atOneMoment<T>(db: DatabaseSync, read: () => Promise<T>): Promise<T> {
  db.exec("BEGIN");
  try {
    return await read();
  } finally {
    db.exec("ROLLBACK");
  }
}
