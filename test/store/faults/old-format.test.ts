import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { FORMAT } from "../../../src/store/sqlite/migrations.ts";
import { journalFile } from "../../../src/store/sqlite/open-database.ts";
import { first, mustCommit, next } from "../changes.ts";
import { openJournal, readEntries } from "../sqlite/open-journal.ts";
import { callRows, copyOf, reportOn } from "../state-dir.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures", import.meta.url));
const formats = readdirSync(FIXTURES).filter((name) => name.startsWith("journal-v"));

const stateByTool = (stateDir: string): Record<string, string> => {
  const db = new DatabaseSync(journalFile(stateDir), { readOnly: true });
  const rows = db.prepare("SELECT tool, state FROM calls").all();
  db.close();
  return Object.fromEntries(rows.map((row) => [String(row["tool"]), String(row["state"])]));
};

describe("F30: the journals of all formats", () => {
  it("are kept", () => {
    expect(formats).toEqual(Array.from({ length: FORMAT }, (_, i) => `journal-v${i + 1}`));
  });

  it.each(formats)("%s verifies as it lies there", async (name) => {
    using copy = copyOf(join(FIXTURES, name));
    expect(await reportOn(copy.stateDir)).toMatchObject({
      ok: true,
      checkpoints: 1,
      anchoredTo: 10,
      unanchored: { from: 11, to: 15 },
    });
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
        mustCommit(await journal.commit(next(question?.callId ?? "", "awaiting_approval", "approved")));
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
});
