import { LIMITS } from "../../domain/limits.ts";
import { quoted } from "../../domain/visible.ts";
import type { BlobFault } from "../../ports/blobs.ts";

export const tooLarge = (): BlobFault => ({
  code: "BLOB_TOO_LARGE",
  message: `the content is over the limit of ${LIMITS.blobBytes.default} bytes for one blob`,
  hint: "store it in parts",
});

export const overQuota = (quotaBytes: number): BlobFault => ({
  code: "STORAGE_FULL",
  message: `the project has all ${quotaBytes} bytes of blobs that it may have`,
  hint: "`toolgate blobs gc` removes what nothing names any more",
});

export const notFound = (hash: string): BlobFault => ({
  code: "BLOB_NOT_FOUND",
  message: `nothing is kept under \`${hash}\``,
  hint: "it may belong to another project or state directory, or have been removed",
});

export const damaged = (hash: string): BlobFault => ({
  code: "BLOB_DAMAGED",
  message: `what is kept under \`${hash}\` is no longer what was stored`,
  hint: "restore it from a backup, or make the call again; storing the same content again repairs it",
});

export const mismatch = (): BlobFault => ({
  code: "BLOB_DAMAGED",
  message: "the content does not have the hash that it should have",
});

export const invalidHash = (given: string): BlobFault => ({
  code: "HASH_INVALID",
  message: `${quoted(given)} is not a hash`,
  hint: "a hash has 64 lower-case hexadecimal digits",
});

/** Paths of the machine stay inside: only the system's own word goes out. */
export function faultFrom(error: unknown): BlobFault {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return { code: "STORAGE_FULL", message: "there is no room for the content", hint: "free some disk space" };
  }
  return { code: "IO_ERROR", message: `the content can't be read or written (${String(code ?? "unknown error")})` };
}
