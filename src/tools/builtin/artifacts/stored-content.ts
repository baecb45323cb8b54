import { Buffer } from "node:buffer";
import { CODES } from "../../../domain/codes.ts";
import type { Failure } from "../../../domain/outcome.ts";
import type { RunResult } from "../../../domain/tool.ts";
import { quoted } from "../../../domain/visible.ts";
import { BlobError, type BlobFault, type BlobHash, type BlobResult, type Blobs } from "../../../ports/blobs.ts";

type Fault = Pick<Failure, "code" | "message"> & { readonly hint?: string | undefined };

export type Stored<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: Fault };

export const failedBy = ({ code, message, hint }: Fault): Extract<RunResult, { kind: "failed" }> => ({
  kind: "failed",
  error: { code, message, retryable: CODES[code].retryable, ...(hint !== undefined && { detail: hint }) },
  content: [],
});

/** CTR-0020. Also where it is there and somebody else's: who only knows a hash is not told more. */
export const contentNotFound = (hash: string): Fault => ({
  code: "CONTENT_NOT_FOUND",
  message: `nothing is kept under ${quoted(hash)} that you have stored, or that came of your calls`,
  hint: "store it first, or give the content itself",
});

/** All of it, or why not; more than `bytesMax` is not read. */
export async function wholeBlob(
  blobs: Blobs,
  project: string,
  hash: string,
  bytesMax: number,
): Promise<BlobResult<Buffer>> {
  const found = await blobs.get(project, hash);
  if (!found.ok) return found;
  const { bytes, chunks } = found.value;
  if (bytes > bytesMax) return { ok: false, fault: tooMuch(bytes, bytesMax) };
  try {
    return { ok: true, value: Buffer.concat(await Array.fromAsync(chunks())) };
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    return { ok: false, fault: { code: error.code, message: error.message } };
  }
}

const tooMuch = (bytes: number, bytesMax: number): BlobFault => ({
  code: "BLOB_TOO_LARGE",
  message: `the content has ${bytes} bytes, and at most ${bytesMax} were asked for`,
});

/** How much there is under a hash; null: nothing. */
export async function sizeOf(blobs: Blobs, project: string, hash: string): Promise<BlobResult<number | null>> {
  const found = await blobs.get(project, hash);
  if (found.ok) return { ok: true, value: found.value.bytes };
  return found.fault.code === "BLOB_NOT_FOUND" ? { ok: true, value: null } : found;
}

/** Content that a call brings along, by the hash that it has now. */
export interface Brought {
  readonly hash: BlobHash;
  readonly bytes: number;
}
