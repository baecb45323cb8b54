import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { canonicalJson } from "../../../src/domain/canonical-json.ts";
import { checkpointFile } from "../../../src/store/sqlite/checkpoint-file.ts";
import { readEntries, writeLedger } from "../sqlite/open-journal.ts";
import { openScratch } from "../state-dir.ts";
import { type CrashImage, openCrashSite } from "./crash-image.ts";

/** A small journal that was closed: everything is in the database, and signed for. */
export async function closedImage(): Promise<CrashImage> {
  using scratch = openScratch();
  const { stateDir } = scratch;
  await writeLedger(stateDir, 6);
  const read = (name: string) => readFileSync(join(stateDir, name));
  const entries = readEntries(stateDir);
  return {
    db: read("journal.db"),
    log: Buffer.alloc(0),
    checkpoints: readFileSync(checkpointFile(stateDir)),
    keys: { "ledger.key": read("ledger.key"), "ledger.pub": read("ledger.pub") },
    marks: [{ logBytes: 0, entries: entries.length }],
    signed: entries.length,
    signedLogBytes: 0,
    texts: entries.map(({ hash, ...entry }) => canonicalJson(entry)),
  };
}

/** F31: each damaged byte is reported, or what the ledger says is the same to the byte. Gives how many were reported. */
export async function expectRotFound(
  image: CrashImage,
  places: Iterable<number>,
  damage: (byte: number, at: number) => number,
): Promise<number> {
  using site = openCrashSite();
  let found = 0;
  for (const at of places) {
    const db = Buffer.from(image.db);
    db[at] = damage(db[at] as number, at);
    const { reported, refused, texts } = await site.restart(image, { db });
    if (reported || refused) found += 1;
    else expect({ at, texts }).toEqual({ at, texts: image.texts });
  }
  return found;
}

export function* every(step: number, length: number): Generator<number> {
  for (let at = 0; at < length; at += step) yield at;
}
