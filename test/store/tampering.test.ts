import { generateKeyPairSync } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkpointFile } from "../../src/store/sqlite/checkpoint-file.ts";
import { journalFile } from "../../src/store/sqlite/open-database.ts";
import { bitsOf } from "./flips.ts";
import { copyOf, meddle, reportOn, type Scratch } from "./state-dir.ts";
import { expectFlipFound, expectNamed, expectRebuilt, expectTruncated, MOVES } from "./tampering.ts";
import { firstFinding, type WrittenLedger, writeLedgerByGate } from "./written-ledger.ts";

const SIZE = 120;
const SIGNED_AT = [39, 81, SIZE];
/** Both ends, both sides of the checkpoints, and some between. */
const PLACES = [1, 2, 3, 38, 39, 40, 41, 61, 80, 81, 82, 117, 118, 119, 120];

let ledger: WrittenLedger;
beforeAll(async () => {
  ledger = await writeLedgerByGate(SIZE, SIGNED_AT);
});
afterAll(() => ledger[Symbol.asyncDispose]());

describe("an entry that was", () => {
  it.each(MOVES)("$name is named (A56)", async (move) => {
    await expectNamed(move, ledger, PLACES);
  });

  it("changed in one bit is named (A55)", async () => {
    for (const seq of PLACES) {
      for (let bit = seq; bit < bitsOf(ledger, seq); bit += 97) await expectFlipFound(ledger, seq, bit);
    }
  });
});

describe("a ledger", () => {
  it.each([1, 2, 40, 41, 119, 120])("without its last %d entries is truncated (A57)", async (k) => {
    await expectTruncated(ledger, k);
  });

  it.each([1, 38, 39, 40, 81, 82, 120])("rebuilt from entry %d on is not what was signed (A58)", async (seq) => {
    await expectRebuilt(ledger, seq, SIGNED_AT);
  });

  it("that nobody touched is sound", async () => {
    expect(await reportOn(ledger.stateDir)).toMatchObject({
      ok: true,
      entries: SIZE,
      anchoredTo: SIZE,
      checkpoints: 3,
    });
  });

  it("that is not signed for to its end says so", async () => {
    const unsigned = "DELETE FROM main.checkpoints WHERE size > 39";
    using copy = openCopy();
    const kept = readFileSync(checkpointFile(copy.stateDir), "utf8").split("\n")[0];
    writeFileSync(checkpointFile(copy.stateDir), `${kept}\n`);
    copy.run(unsigned);
    expect(await reportOn(copy.stateDir)).toMatchObject({
      ok: true,
      anchoredTo: 39,
      unanchored: { from: 40, to: SIZE },
    });
  });
});

describe("beside the entries", () => {
  const otherKey = () => generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" });
  const strangers = { kind: "bad-checkpoint", where: "row 1 of the store", reason: "it was signed with another key" };
  const editLine = (dir: string, edit: (line: string) => string) => {
    const lines = readFileSync(checkpointFile(dir), "utf8").split("\n");
    writeFileSync(checkpointFile(dir), lines.with(1, edit(lines[1] ?? "")).join("\n"));
  };

  const withoutKeys = (dir: string) => {
    for (const name of ["ledger.pub", "ledger.key"]) rmSync(join(dir, name));
  };

  it.each<[string, (stateDir: string) => void, unknown]>([
    ["no journal", (dir) => rmSync(journalFile(dir)), expect.stringContaining("MISSING")],
    [
      "another file in its place",
      (dir) => renameSync(checkpointFile(dir), journalFile(dir)),
      expect.stringContaining("not a database"),
    ],
    ["no checkpoint file", (dir) => rmSync(checkpointFile(dir)), { kind: "missing", what: "checkpoint-file" }],
    [
      "an empty checkpoint file",
      (dir) => writeFileSync(checkpointFile(dir), ""),
      { kind: "missing", what: "filed-checkpoint", size: 39 },
    ],
    ["no public key and no key to derive it from", withoutKeys, { kind: "missing", what: "public-key" }],
    ["another public key", (dir) => writeFileSync(join(dir, "ledger.pub"), otherKey()), strangers],
    [
      "a forged line in the checkpoint file",
      (dir) => editLine(dir, (line) => line.replace('"size":81', '"size":79')),
      { kind: "bad-checkpoint", where: "line 2 of the file", reason: "its signature is wrong" },
    ],
    [
      "a line taken out of the checkpoint file",
      (dir) =>
        writeFileSync(
          checkpointFile(dir),
          readFileSync(checkpointFile(dir), "utf8").split("\n").toSpliced(1, 1).join("\n"),
        ),
      { kind: "missing", what: "filed-checkpoint", size: 81 },
    ],
  ])("%s is found", async (_, harm, found) => {
    using copy = openCopy();
    harm(copy.stateDir);
    expect(await firstFinding(copy.stateDir)).toEqual(found);
  });

  it("a checkpoint row that was changed is found", async () => {
    const found = await ledger.foundAfter((db) =>
      db.exec("UPDATE main.checkpoints SET text = replace(text, '\"size\":81', '\"size\":82') WHERE size = 81"),
    );
    expect(found).toEqual({ kind: "bad-checkpoint", where: "row 2 of the store", reason: "its signature is wrong" });
  });

  it("a checkpoint that stands under another size is found", async () => {
    const found = await ledger.foundAfter((db) => db.exec("UPDATE main.checkpoints SET size = 82 WHERE size = 81"));
    const reason = "it is of 81 entries and stands under 82";
    expect(found).toEqual({ kind: "bad-checkpoint", where: "row 2 of the store", reason });
  });

  it("a bit flipped anywhere in a line of the checkpoint file is found", async () => {
    using copy = openCopy();
    const whole = readFileSync(checkpointFile(copy.stateDir));
    const end = whole.indexOf("\n");
    for (let at = 0; at < end; at++) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      writeFileSync(checkpointFile(copy.stateDir), bytes);
      expect(await firstFinding(copy.stateDir)).not.toBeNull();
    }
  });
});

/** The ledger at another place; nobody has it open there. */
function openCopy(): Scratch & { readonly run: (sql: string) => void } {
  const copy = copyOf(ledger.untouched);
  return Object.assign(copy, { run: (sql: string) => meddle(copy.stateDir, sql.replaceAll("main.", "")) });
}
