import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";

/**
 * Writes a text beside the file that it is to become, and gives back where. INVARIANT (own draft): its name can't be
 * foreseen and nothing of that name is there, so no link of somebody else's is followed.
 */
export function writeDraft(path: string, text: string, mode: number): string {
  const draft = `${path}.${randomBytes(8).toString("hex")}.new`;
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const descriptor = openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return draft;
}
