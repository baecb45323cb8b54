import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { EVERYTHING } from "../../../src/domain/lease.ts";
import { checkpointFile } from "../../../src/store/sqlite/checkpoint-file.ts";
import { LedgerReader } from "../../../src/store/sqlite/ledger-reader.ts";
import { FORMAT } from "../../../src/store/sqlite/migrations.ts";
import { journalFile, openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { STATE_CODE, stateFromCode } from "../../../src/store/sqlite/state-code.ts";
import { verifyLedger } from "../../../src/store/sqlite/verify-ledger.ts";
import { draftOf, rowsOf } from "../../ledger/sample-ledger.ts";
import { answered, asked, codeOf, first, keptCall, mustCommit, next, questionOf } from "../changes.ts";
import { openJournal, readEntries } from "../sqlite/open-journal.ts";
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
  "journal-v5": [9, 14],
};

const ADDED = 60;
const callOf = (n: number): string => `c${String(n).padStart(2, "0")}`;

/**
 * Puts questions beside the one that is there, every third approved and the others open, asked in another order than that
 * of their names. What they keep is from a few bytes to several pages long.
 */
function addQuestions(stateDir: string): void {
  const db = outsider(stateDir);
  const origin = db.prepare("SELECT origin FROM calls WHERE tool = 'ask'").get()?.["origin"] ?? null;
  const addCall = db.prepare("INSERT INTO calls VALUES (?, ?, ?, 'added', 1, 3)");
  const add = db.prepare(
    "INSERT INTO questions (approval_id, call_id, project, deadline_ms, shown, raw, answer, answer_seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  for (let at = 0; at < ADDED; at++) {
    const n = (at * 7) % ADDED;
    const callId = callOf(n);
    const isApproved = n % 3 === 1;
    const raw = JSON.stringify(keptCall(`s3cr3t-${callId.slice(1)} `.repeat(1 + ((n * 37) % 900))));
    const answer = isApproved ? JSON.stringify({ kind: "approve", who: "ann" }) : null;
    const project = n % 2 === 0 ? "default" : "other";
    const { shown, deadlineMs } = questionOf(callId);
    addCall.run(callId, isApproved ? STATE_CODE.approved : STATE_CODE.awaiting_approval, origin);
    add.run(`q_${callId}`, callId, project, deadlineMs + n, JSON.stringify(shown), raw, answer, isApproved ? 3 : null);
  }
  db.close();
}

function questionRows(stateDir: string): readonly Record<string, unknown>[] {
  const db = outsider(stateDir);
  const rows = db
    .prepare(
      "SELECT approval_id, call_id, project, deadline_ms, answer_seq, answer, shown, raw FROM questions ORDER BY approval_id",
    )
    .all();
  db.close();
  return rows;
}

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
    const proofs = async () => {
      using reader = LedgerReader.open(stateDir);
      return await Array.fromAsync([1, 5, 8], (seq) => reader?.prove(seq) ?? null);
    };
    const before = await proofs();
    {
      await using journal = openJournal(stateDir, { owner: "owner_later" });
      mustCommit(await journal.commit(first("later", "refused")));
    }
    expect(before).not.toContain(null);
    expect(await proofs()).toEqual(before);
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

  it("the questions of the fourth are all there when it is opened, in their order, and with all that they say", async () => {
    using copy = copyOf(join(FIXTURES, "journal-v4"));
    addQuestions(copy.stateDir);
    const before = questionRows(copy.stateDir);
    expect(before.filter(({ answer_seq }) => answer_seq === null)).toHaveLength(41);
    await using journal = openJournal(copy.stateDir, { owner: "owner_later" });
    const ids = async (project: string) =>
      (await journal.questions.open(project, { limit: 100 })).map(({ approvalId }) => approvalId);
    const openOf = (project: string) =>
      before.filter((row) => row["project"] === project && row["answer_seq"] === null).map((row) => row["approval_id"]);
    expect([await ids("default"), await ids("other")]).toEqual([openOf("default"), openOf("other")]);
    expect(questionRows(copy.stateDir)).toEqual(before);
    // Each is found by either name, and a name is still given only once.
    for (const { approval_id, call_id } of before) {
      const found = await journal.questions.find(String(approval_id));
      expect(await journal.questions.ofCall(String(call_id))).toEqual(found);
    }
    expect(codeOf(await journal.commit(asked("another", { approvalId: "q_c07" })))).toBe("FAULT");
    expect(codeOf(await journal.commit(asked("c07")))).toBe("ILLEGAL_TRANSITION");
  });

  it("an answer that is in the fourth is given to who asks for it, and an open question can be answered", async () => {
    using copy = copyOf(join(FIXTURES, "journal-v4"));
    addQuestions(copy.stateDir);
    await using journal = openJournal(copy.stateDir, { owner: "owner_later" });
    const { signal } = new AbortController();
    const given = await journal.questions.answered("q_c01", signal);
    expect(given).toMatchObject({ state: "approved", answer: { kind: "approve", who: "ann" }, receipt: { seq: 3 } });
    const waiting = journal.questions.answered("q_c00", signal);
    const receipt = mustCommit(await journal.commit(answered("c00", { kind: "reject", who: "bob" })));
    expect(await waiting).toMatchObject({ state: "rejected", answer: { kind: "reject", who: "bob" }, receipt });
  });

  it("nothing of the calls of the fourth is left in any file once they have been started or have ended", async () => {
    using copy = copyOf(join(FIXTURES, "journal-v4"));
    const { stateDir } = copy;
    addQuestions(stateDir);
    const left = () => {
      meddle(stateDir, "PRAGMA wal_checkpoint(TRUNCATE)");
      const files = [journalFile(stateDir), `${journalFile(stateDir)}-wal`].map((path) => readFileSync(path, "latin1"));
      return new Set(files.join("").match(/s3cr3t-\d\d/g));
    };
    await using journal = openJournal(stateDir, { owner: "owner_later" });
    for (let n = 0; n < ADDED; n += 3) {
      mustCommit(await journal.commit(answered(callOf(n), { kind: "reject", who: "bob" })));
    }
    const rest = Array.from({ length: ADDED }, (_, n) => n).filter((n) => n % 3 !== 0);
    expect([...left()].toSorted()).toEqual(rest.map((n) => `s3cr3t-${callOf(n).slice(1)}`));
    for (const n of rest) {
      const end = n % 3 === 1 ? next(callOf(n), "approved", "executing") : answered(callOf(n), { kind: "expired" });
      mustCommit(await journal.commit(end));
    }
    expect([...left()]).toEqual([]);
  });

  it("the first, with more entries than become one segment: nothing is lost, and a hole stays a hole", async () => {
    const rows = rowsOf(300, { draft: (n) => ({ ...draftOf(n), callId: null }) });
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
