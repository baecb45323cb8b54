import * as re2 from "re2js";
import type { ApprovedCall } from "../../src/domain/call.ts";
import { Secret } from "../../src/domain/secret.ts";
import type { Ran } from "../../src/pipeline/execute.ts";
import { finish } from "../../src/pipeline/finish.ts";
import type { Finished } from "../../src/pipeline/finished.ts";
import type { BlobHash, Blobs } from "../../src/ports/blobs.ts";
import type { Faults } from "../../src/ports/faults.ts";
import { buildRedactor } from "../../src/redact/build-redactor.ts";
import type { Redactor } from "../../src/redact/redactor.ts";

/** A redactor that knows these secrets, by name, and our own rules. */
export function redactorFor(values: Readonly<Record<string, string>> = {}): Redactor {
  const secrets = Object.entries(values).map(([name, value]) => ({ name, value: new Secret(value) }));
  const built = buildRedactor({ secrets, patterns: [], builtin: "on", engine: () => re2 });
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  return built.redactor;
}

/** Remembers what it was given. Its hashes count up. */
function memoryBlobs(): Blobs & { readonly kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    put: async (_, content) => {
      const bytes = content instanceof Uint8Array ? content : Buffer.concat(await Array.fromAsync(content));
      const hash = String(kept.size + 1).padStart(64, "0") as BlobHash;
      kept.set(hash, bytes);
      return { ok: true, value: { hash, bytes: bytes.length } };
    },
    get: async (_, hash) => ({ ok: false, fault: { code: "BLOB_NOT_FOUND", message: hash } }),
  };
}

/** What the pipeline needs beside what a test looks at. */
export const redaction = (values: Readonly<Record<string, string>> = {}) => ({
  redactor: redactorFor(values),
  blobs: memoryBlobs(),
  faults: NO_FAULTS,
});

/** For tests in which nothing of ours throws. */
export const NO_FAULTS: Faults = {
  report: (cause) => {
    throw cause;
  },
};

/** For results that need no blob. */
export function finishedNow(call: ApprovedCall, ran: Ran, durationMs: number, attempts = 1): Finished {
  const finished = finish(call, ran, { durationMs, attempts, budgetConsumed: 1 }, redaction());
  if (finished instanceof Promise) throw new Error("a result that is over the limit");
  return finished;
}
