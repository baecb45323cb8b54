import { extname } from "node:path";
import { keyFingerprint } from "../../ledger/checkpoint.ts";
import { type CheckpointLines, checkpointSizes } from "../../ledger/checkpoint-set.ts";
import type { RangeResult } from "../../ledger/range-verifier.ts";
import { type Evidence, judgeLedger, type Report, withTables } from "../../ledger/verify.ts";
import { checkpointFile, readCheckpointFile } from "./checkpoint-file.ts";
import { LedgerReader } from "./ledger-reader.ts";
import { rangesOf } from "./ranges-of.ts";
import { readPublicKey } from "./signing-key.ts";
import { foreignStateFile } from "./state-files.ts";
import { foreignFile, MISSING, otherKey, type Unreadable, unreadableBy } from "./unreadable.ts";
import type { WhichCalls } from "./verify-calls.ts";
import { type RangeWork, type VerifiedRange, verifyRanges } from "./verify-range.ts";

/** Below this many entries a thread takes longer to start than to save. */
const ENTRIES_PER_THREAD = 50_000;
/** So many that threads which are not equally fast end at about the same time. */
const RANGES_PER_THREAD = 32;

export interface VerifyOptions {
  readonly stateDir: string;
  /** A copy of the checkpoint file that was kept elsewhere, instead of the one beside the store. */
  readonly checkpointFile?: string;
  /** The fingerprint that the key has to have. */
  readonly key?: string;
  /** Which calls the table of calls is verified for. Default: `newest`, which adds little. */
  readonly calls?: WhichCalls;
  readonly threads: number;
  /** Fewer than this for each thread, and fewer threads are used. */
  readonly entriesPerThread?: number;
  /** Whether this thread is one of them: it has nothing better to do while a person waits, unlike a server's. */
  readonly thisThread?: "helps" | "waits";
}

export type Verified =
  | { readonly kind: "judged"; readonly report: Report; readonly key: string | null }
  /** Nothing there to judge, or nothing that can be read. */
  | ({ readonly kind: "unreadable" } & Unreadable);

/** Reads the whole ledger, on several threads where it is long, and says whether it is what was written. */
export async function verifyLedger(options: VerifyOptions): Promise<Verified> {
  const { stateDir } = options;
  const foreign = foreignStateFile(stateDir);
  if (foreign !== null) return { kind: "unreadable", ...foreignFile(foreign) };
  // The file first: a checkpoint is in the store before it is in the file.
  try {
    const filed = readCheckpointFile(options.checkpointFile ?? checkpointFile(stateDir));
    using reader = LedgerReader.open(stateDir);
    if (reader === null) return { kind: "unreadable", ...MISSING };
    const checkpoints: CheckpointLines = { ...reader.checkpoints(), filed };
    const publicKey = readPublicKey(stateDir);
    const key = publicKey && keyFingerprint(publicKey);
    if (options.key !== undefined && options.key !== key) return { kind: "unreadable", ...otherKey(key) };
    const report = await verifyOpened(reader, { checkpoints, publicKey }, options);
    // What is broken tells nothing of the table that was made from it.
    const found = report.ok ? await reader.verifyTables(options.calls ?? "newest") : [];
    return { kind: "judged", report: withTables(report, found), key };
  } catch (error) {
    return { kind: "unreadable", ...unreadableBy(error) };
  }
}

/** The same for a ledger that is open. Its checkpoints were read before: those of meanwhile speak of entries that are not. */
export async function verifyOpened(
  reader: LedgerReader,
  evidence: Omit<Evidence, "ranges">,
  { stateDir, threads, entriesPerThread = ENTRIES_PER_THREAD, thisThread = "waits" }: VerifyOptions,
): Promise<Report> {
  const used = Math.max(1, Math.min(threads, Math.floor(reader.size / entriesPerThread)));
  const work = {
    stateDir,
    sizes: checkpointSizes(evidence.checkpoints),
    ranges: rangesOf(reader, used === 1 ? 1 : used * RANGES_PER_THREAD),
    taken: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
  return judgeLedger({ ...evidence, ranges: await verifiedBy(used, reader, work, thisThread) });
}

async function verifiedBy(
  threads: number,
  reader: LedgerReader,
  work: RangeWork,
  thisThread: "helps" | "waits",
): Promise<readonly RangeResult[]> {
  const isHere = threads === 1 || thisThread === "helps";
  const others = Array.from({ length: isHere ? threads - 1 : threads }, () => inThread(work));
  const found = await Promise.all(isHere ? [...others, here(reader, work)] : others);
  return found
    .flat()
    .sort(([a], [b]) => a - b)
    .map(([, result]) => result);
}

async function here(reader: LedgerReader, work: RangeWork): Promise<readonly VerifiedRange[]> {
  const verified: VerifiedRange[] = [];
  for (const range of verifyRanges(reader, work)) {
    verified.push(range);
    // So that a signal, or a thread that failed, is heard before all is read.
    await new Promise(setImmediate);
  }
  return verified;
}

/** The same file in development (`.ts`) and as built (`.js`). */
const WORKER = new URL(`./verify-worker${extname(import.meta.url)}`, import.meta.url);

async function inThread(work: RangeWork): Promise<readonly VerifiedRange[]> {
  const { Worker } = await import("node:worker_threads"); // which a short command need not load
  return await new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: work });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`a verifying thread ended with ${code}`)));
  });
}
