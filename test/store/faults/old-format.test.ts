import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { EVERYTHING } from "../../../src/domain/lease.ts";
import { checkpointFile } from "../../../src/store/sqlite/checkpoint-file.ts";
import { FORMAT } from "../../../src/store/sqlite/migrations.ts";
import { journalFile, openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { stateFromCode } from "../../../src/store/sqlite/state-code.ts";
import { verifyLedger } from "../../../src/store/sqlite/verify-ledger.ts";
import { rowsOf } from "../../ledger/sample-ledger.ts";
import { answered, first, mustCommit } from "../changes.ts";
import { openJournal, readEntries, readWith } from "../sqlite/open-journal.ts";
import { callRows, copyOf, meddle, outsider, reportOn } from "../state-dir.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures", import.meta.url));
const formats = readdirSync(FIXTURES).filter((name) => name.startsWith("journal-v"));

/** In the first format states were words. */
const stateByTool = (stateDir: string): Record<string, string> => {
  const db = new DatabaseSync(journalFile(stateDir), { readOnly: true });
  const rows = db.prepare("SELECT tool, state FROM calls").all();
  db.close();
  const stateOf = (state: unknown) => (typeof state === "string" ? state : stateFromCode(state));
  return Object.fromEntries(rows.map((row) => [String(row["tool"]), stateOf(row["state"])]));
};

/** How many entries each fixture has, and how many of them are signed for. */
const SIZES: Readonly<Record<string, readonly [signed: number, all: number]>> = {
  "journal-v1": [10, 15],
  "journal-v2": [9, 13],
  "journal-v3": [9, 14],
  "journal-v4": [9, 14],
};

describe("F30: the journals of all formats", () => {
  it("are kept", () => {
    expect(formats).toEqual(Array.from({ length: FORMAT }, (_, i) => `journal-v${i + 1}`));
  });

  it.each(formats)("%s verifies as it lies there", async (name) => {
    using copy = copyOf(join(FIXTURES, name));
    const [signed = 0, all = 0] = SIZES[name] ?? [];
    for (const threads of [1, 3]) {
      const verified = await verifyLedger({ stateDir: copy.stateDir, threads, entriesPerThread: 1 });
      expect(verified).toMatchObject({
        report: {
          ok: true,
          entries: all,
          checkpoints: 1,
          anchoredTo: signed,
          unanchored: { from: signed + 1, to: all },
        },
      });
    }
    expect(readEntries(copy.stateDir).map(({ seq }) => seq)).toEqual(Array.from({ length: all }, (_, i) => i + 1));
    expect(stateByTool(copy.stateDir)).toEqual({
      count: "completed",
      missing: "refused",
      ask: "awaiting_approval",
      die: "executing",
    });
  });

  it.each(formats)(
    "%s is opened: its question stays open, what was running is unknown, and it verifies",
    async (name) => {
      using copy = copyOf(join(FIXTURES, name));
      const { stateDir } = copy;
      const before = readEntries(stateDir);
      {
        await using journal = openJournal(stateDir, { owner: "owner_later" });
        mustCommit(await journal.commit(first("later", "refused")));
        expect(stateByTool(stateDir)).toMatchObject({ ask: "awaiting_approval", die: "unknown", missing: "refused" });
        expect(readEntries(stateDir).slice(0, before.length)).toEqual(before);
        // Whoever answers the question finds it as it was.
        const question = callRows(stateDir).find(({ state }) => state === "awaiting_approval");
        mustCommit(await journal.commit(answered(question?.callId ?? "", { kind: "approve", who: "ann" })));
      }
      const report = await reportOn(stateDir);
      expect(report).toMatchObject({
        ok: true,
        entries: before.length + 3,
        anchoredTo: before.length + 3,
        checkpoints: 2,
      });
    },
  );

  it.each(formats)("%s proves the same entries by the same checkpoint before and after", async (name) => {
    using copy = copyOf(join(FIXTURES, name));
    const { stateDir } = copy;
    const proofs = () => readWith(stateDir, (reader) => [1, 5, 8].map((seq) => reader.prove(seq)));
    const before = proofs();
    {
      await using journal = openJournal(stateDir, { owner: "owner_later" });
      mustCommit(await journal.commit(first("later", "refused")));
    }
    expect(before).not.toContain(null);
    expect(proofs()).toEqual(before);
  });

  it.each(formats)("%s is reported as broken where it was changed before it was opened, and after", async (name) => {
    for (const seq of [1, 4, 9, 12]) {
      using copy = copyOf(join(FIXTURES, name));
      const { stateDir } = copy;
      const change =
        name === "journal-v1"
          ? `UPDATE entries SET text = replace(text, '"v":1', '"v":2') WHERE seq = ${seq}`
          : `UPDATE segments SET lines = replace(lines, '"seq":${seq},', '"seq":${seq} ,')`;
      meddle(stateDir, change);
      const altered = { ok: false, firstFinding: { kind: "altered", seq, what: "hash" } };
      expect(await reportOn(stateDir)).toMatchObject(altered);
      await using journal = openJournal(stateDir, { owner: "owner_later" });
      await journal.commit(first("later", "refused"));
      expect(await reportOn(stateDir)).toMatchObject(altered);
    }
  });

  it.each(formats.slice(1))(
    "%s keeps the lease of the call that waits, with all that a lease says today",
    async (name) => {
      using copy = copyOf(join(FIXTURES, name));
      await using journal = openJournal(copy.stateDir, { owner: "owner_later" });
      const [question] = await journal.questions.open("default", { limit: 10 });
      expect(question?.kept?.session.lease).toEqual(EVERYTHING);
    },
  );

  it("a lease of format 2 that did not grant everything grants nothing that it had no word for", async () => {
    using copy = copyOf(join(FIXTURES, "journal-v2"));
    meddle(copy.stateDir, `UPDATE questions SET raw = json_set(raw, '$.session.lease.read', json('["./**"]'))`);
    await using journal = openJournal(copy.stateDir, { owner: "owner_later" });
    const [question] = await journal.questions.open("default", { limit: 10 });
    expect(question?.kept?.session.lease).toEqual({
      ...EVERYTHING,
      read: ["./**"],
      hosts: [],
      commands: [],
      models: [],
    });
  });

  it.each(formats.slice(2))("%s keeps its open session", async (name) => {
    using copy = copyOf(join(FIXTURES, name));
    await using journal = openJournal(copy.stateDir, { owner: "owner_later" });
    const found = await journal.sessions.open("default", { limit: 10 });
    expect(found).toMatchObject([{ label: "kept", ended: null, parentId: null, lease: { tools: ["count"] } }]);
  });

  it("the keys of the third are counted when it is opened", async () => {
    using copy = copyOf(join(FIXTURES, "journal-v3"));
    meddle(
      copy.stateDir,
      `INSERT INTO dedupe VALUES ('s', 'a', 'c1', 'o', 'h', 'u', 1, 7, 'outcome'), ('s', 'b', 'c2', 'o', 'h', 'u', 1, 0, NULL),
         ('t', 'a', 'c3', 'o', 'h', 'u', 1, 5, 'said')`,
    );
    await using journal = openJournal(copy.stateDir, { owner: "owner_later" });
    mustCommit(await journal.commit(first("later", "refused")));
    const db = new DatabaseSync(journalFile(copy.stateDir), { readOnly: true });
    const room = db.prepare("SELECT scope, keys, bytes FROM key_room ORDER BY scope").all();
    db.close();
    expect(room.map((row) => Object.values(row))).toEqual([
      ["", 3, 12],
      ["s", 2, 7],
      ["t", 1, 5],
    ]);
  });

  it("the first, with more entries than become one segment: nothing is lost, and a hole stays a hole", async () => {
    const rows = rowsOf(300);
    for (const without of [null, 1, 64, 65, 66, 150]) {
      using copy = copyOf(join(FIXTURES, "journal-v1"));
      const { stateDir } = copy;
      const db = outsider(stateDir);
      db.exec("DELETE FROM entries; DELETE FROM checkpoints; DELETE FROM calls");
      const add = db.prepare("INSERT INTO entries VALUES (?, unhex(?), ?)");
      for (const { seq, hash, text } of rows) if (seq !== without) add.run(seq, hash, text);
      db.close();
      rmSync(checkpointFile(stateDir));
      const before = (await reportOn(stateDir)).firstFinding;
      const opened = openDatabase(stateDir);
      if (opened.kind === "opened") opened.db.close();
      const after = await reportOn(stateDir);
      expect([without, opened.kind, before, after.firstFinding]).toEqual([
        without,
        "opened",
        without === null ? null : { kind: "gap", seq: without, found: without + 1 },
        before,
      ]);
      if (without === null) expect(readEntries(stateDir).map(({ hash }) => hash)).toEqual(rows.map(({ hash }) => hash));
    }
  });
});
