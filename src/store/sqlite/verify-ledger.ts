import type { KeyObject } from "node:crypto";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { keyFingerprint } from "../../ledger/checkpoint.ts";
import { type CheckpointLines, checkpointSizes } from "../../ledger/checkpoint-set.ts";
import type { RangeResult } from "../../ledger/range-verifier.ts";
import { judgeLedger, type Report } from "../../ledger/verify.ts";
import { checkpointFile, readCheckpointFile } from "./checkpoint-file.ts";
import { LedgerReader } from "./ledger-reader.ts";
import { rangesOf } from "./ranges-of.ts";
import { readPublicKey } from "./signing-key.ts";
import { reasonOf } from "./sqlite-fault.ts";
import { foreignStateFile } from "./state-files.ts";
import { type RangeTask, verifyRange } from "./verify-range.ts";

/** Below this many entries a thread takes longer to start than to save. */
const ENTRIES_PER_THREAD = 50_000;

export interface VerifyOptions {
  readonly stateDir: string;
  /** A copy of the checkpoint file that was kept elsewhere, instead of the one beside the store. */
  readonly checkpointFile?: string;
  /** The fingerprint that the key has to have. */
  readonly key?: string;
  readonly threads: number;
  /** Fewer than this for each thread, and fewer threads are used. */
  readonly entriesPerThread?: number;
}

export type Verified =
  | { readonly kind: "judged"; readonly report: Report; readonly key: string | null }
  /** Nothing there to judge, or nothing that can be read. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** Reads the whole ledger, on several threads where it is long, and says whether it is what was written. */
export async function verifyLedger(options: VerifyOptions): Promise<Verified> {
  const { stateDir } = options;
  const foreign = foreignStateFile(stateDir);
  if (foreign !== null) return { kind: "unreadable", reason: `\`${foreign}\` is not a file that toolgate made` };
  // The file first: a checkpoint is in the store before it is in the file.
  try {
    const filed = readCheckpointFile(options.checkpointFile ?? checkpointFile(stateDir));
    const reader = LedgerReader.open(stateDir);
    if (reader === null) return { kind: "unreadable", reason: "MISSING: there is no `journal.db`" };
    const { stored, ranges: parts } = readOnce(reader, options);
    const checkpoints: CheckpointLines = { stored, filed };
    const sizes = checkpointSizes(checkpoints);
    const ranges = await verifyRanges(parts.map((part) => ({ stateDir, sizes, ...part })));
    const publicKey = readPublicKey(stateDir);
    const key = publicKey && keyFingerprint(publicKey);
    if (options.key !== undefined && options.key !== key) {
      return {
        kind: "unreadable",
        reason: `the key beside the ledger is \`${key ?? "missing"}\` and not the one expected`,
      };
    }
    return {
      kind: "judged",
      report: judgeLedger({ ranges, checkpoints, publicKey: publicKey as KeyObject | null }),
      key,
    };
  } catch (error) {
    return { kind: "unreadable", reason: `\`journal.db\` can't be read: ${reasonOf(error)}` };
  }
}

function readOnce(reader: LedgerReader, { threads, entriesPerThread = ENTRIES_PER_THREAD }: VerifyOptions) {
  try {
    const parts = Math.max(1, Math.min(threads, Math.floor(reader.size / entriesPerThread)));
    return { stored: reader.checkpoints(), ranges: rangesOf(reader, parts) };
  } finally {
    reader.close();
  }
}

const verifyRanges = (tasks: readonly RangeTask[]): Promise<RangeResult[]> =>
  Promise.all(tasks.length === 1 ? tasks.map(verifyRange) : tasks.map(inThread));

/** The same file in development (`.ts`) and as built (`.js`). */
const WORKER = new URL(`./verify-worker${extname(import.meta.url)}`, import.meta.url);

function inThread(task: RangeTask): Promise<RangeResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: task });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`a verifying thread ended with ${code}`)));
  });
}
