// Takes the write lock of a journal, says so, and holds it until its input ends.
// node holds-write-lock.ts <journal.db>

import { DatabaseSync } from "node:sqlite";

const db = new DatabaseSync(process.argv[2] ?? "", { timeout: 5000 });
db.exec("BEGIN EXCLUSIVE");
process.stdin.on("end", () => db.close()).resume();
process.stdout.write("held\n");
