import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../../../src/domain/canonical-json.ts";
import { checkpointFile } from "../../../src/store/sqlite/checkpoint-file.ts";
import { journalFile } from "../../../src/store/sqlite/open-database.ts";
import { readEntries, writeLedger } from "../sqlite/open-journal.ts";
import { isReported, openScratch, outsider, verify } from "../state-dir.ts";
import { type CrashImage, isRefused, openCrashSite } from "./crash-image.ts";

// Without vitest: threads use it.

/** What becomes of a byte. */
export const DAMAGES = {
  "one bit flipped": (byte: number, at: number) => byte ^ (1 << (at % 8)),
  "its highest bit flipped": (byte: number) => byte ^ 0x80,
  "all bits flipped": (byte: number) => byte ^ 0xff,
  "no bit left": () => 0,
} as const satisfies Record<string, (byte: number, at: number) => number>;

export type Damage = keyof typeof DAMAGES;

export interface Rot {
  readonly tried: number;
  /** How many bytes changed what the ledger says, and were reported or refused. */
  readonly found: number;
  /** Where they did and nobody said so. */
  readonly silentAt: readonly number[];
}

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

/** F31: each damaged byte is reported, or what the ledger says is the same to the byte. */
export async function rotIn(image: CrashImage, places: Iterable<number>, damage: Damage): Promise<Rot> {
  using site = openCrashSite();
  const { stateDir } = site;
  site.put(image);
  const said = saidBy(stateDir);
  // Open before SQLite opens it, and until all is done: closing it would let go of SQLite's locks.
  using file = openBytes(journalFile(stateDir));
  let [tried, found] = [0, 0];
  const silentAt: number[] = [];
  for (const at of places) {
    const byte = image.db[at] as number;
    file.write(at, DAMAGES[damage](byte, at));
    tried += 1;
    // What is cheap comes first: most bytes say nothing.
    if (saidBy(stateDir) === said) {
      file.write(at, byte);
      continue;
    }
    if (isReported(await verify(stateDir)) || isRefused(stateDir)) found += 1;
    else silentAt.push(at);
    site.put(image); // who opens it may have written
  }
  if (!readFileSync(journalFile(stateDir)).equals(image.db)) throw new Error("something has written to the image");
  return { tried, found, silentAt };
}

/** All that the ledger says, entries with their hashes and checkpoints; null where it can't be read. */
function saidBy(stateDir: string): string | null {
  try {
    using db = outsider(stateDir);
    const segments = db.prepare("SELECT first_seq, lines FROM segments ORDER BY first_seq").all();
    return JSON.stringify([segments, db.prepare("SELECT size, text FROM checkpoints ORDER BY size").all()]);
  } catch {
    return null;
  }
}

function openBytes(path: string): { readonly write: (at: number, byte: number) => void } & Disposable {
  const fd = openSync(path, "r+");
  return {
    write: (at, byte) => writeSync(fd, Uint8Array.of(byte), 0, 1, at),
    [Symbol.dispose]: () => closeSync(fd),
  };
}

export function* every(step: number, from: number, to: number): Generator<number> {
  for (let at = from; at < to; at += step) yield at;
}
