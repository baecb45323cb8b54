import type { KeyObject } from "node:crypto";
import type { Digest } from "../domain/digest.ts";
import { type Checkpoint, checkpointFromText, checkSignature, keyFingerprint } from "./checkpoint.ts";
import type { Finding } from "./finding.ts";

/** The same checkpoints from two places, so that who changes one place is told by the other. */
export interface CheckpointLines {
  readonly stored: readonly string[];
  /** Under which size each of the stored ones stands. Left out: under its own. */
  readonly storedSizes?: readonly number[];
  /** Null: there is no file. */
  readonly filed: readonly string[] | null;
}

export interface CheckpointSet {
  /** By size, each once, with a good signature. */
  readonly trusted: readonly Checkpoint[];
  readonly findings: readonly Finding[];
}

/** The sizes at which a `RangeVerifier` has to leave a mark. */
export function checkpointSizes({ stored, filed }: CheckpointLines): readonly number[] {
  const checkpoints = [...stored, ...(filed ?? [])].map(checkpointFromText);
  return [...new Set(checkpoints.flatMap((checkpoint) => (typeof checkpoint === "string" ? [] : [checkpoint.size])))];
}

export function readCheckpoints(lines: CheckpointLines, publicKey: KeyObject | null): CheckpointSet {
  const { stored, filed } = lines;
  if (stored.length === 0 && (filed ?? []).length === 0) return { trusted: [], findings: [] };
  if (publicKey === null) return { trusted: [], findings: [{ kind: "missing", what: "public-key" }] };

  const key = keyFingerprint(publicKey);
  const trustedByLine = new Map<string, Checkpoint>();
  const findings: Finding[] = [];
  const check = (line: string, where: string) => {
    if (trustedByLine.has(line)) return; // a signature costs far more than the look-up, and most lines come twice
    const checkpoint = trustedFrom(line, publicKey, key);
    if (typeof checkpoint === "string") findings.push({ kind: "bad-checkpoint", where, reason: checkpoint });
    else trustedByLine.set(line, checkpoint);
  };
  for (const [i, line] of stored.entries()) check(line, `row ${i + 1} of the store`);
  for (const [i, line] of (filed ?? []).entries()) check(line, `line ${i + 1} of the file`);

  const trusted = [...trustedByLine].sort(([, a], [, b]) => a.size - b.size);
  return {
    trusted: trusted.map(([, checkpoint]) => checkpoint),
    findings: [...findings, ...misplaced(trustedByLine, lines), ...missing(trusted, lines)],
  };
}

/** Who looks for the checkpoint of an entry finds it by the size that it stands under. */
function misplaced(trusted: ReadonlyMap<string, Checkpoint>, { stored, storedSizes }: CheckpointLines): Finding[] {
  return stored.flatMap((line, i) => {
    const size = trusted.get(line)?.size;
    const under = storedSizes?.[i] ?? size;
    if (under === size) return [];
    const reason = `it is of ${size} entries and stands under ${under}`;
    return [{ kind: "bad-checkpoint", where: `row ${i + 1} of the store`, reason }];
  });
}

function missing(trusted: readonly (readonly [string, Checkpoint])[], { stored, filed }: CheckpointLines): Finding[] {
  const inStore = new Set(stored);
  const inFile = new Set(filed);
  const findings: Finding[] = filed === null ? [{ kind: "missing", what: "checkpoint-file" }] : [];
  // The store comes first: a crash may keep its newest checkpoint out of the file until the next one is filed.
  const newest = trusted.findLast(([line]) => inStore.has(line))?.[1].size ?? 0;
  for (const [line, { size }] of trusted) {
    if (!inStore.has(line)) findings.push({ kind: "missing", what: "stored-checkpoint", size });
    if (filed !== null && size < newest && !inFile.has(line))
      findings.push({ kind: "missing", what: "filed-checkpoint", size });
  }
  return findings;
}

/** The checkpoint, or the reason why it is not to be trusted. */
function trustedFrom(line: string, publicKey: KeyObject, key: Digest): Checkpoint | string {
  const checkpoint = checkpointFromText(line);
  if (typeof checkpoint === "string") return checkpoint;
  if (checkpoint.key !== key) return "it was signed with another key";
  return checkSignature(checkpoint, publicKey) ? checkpoint : "its signature is wrong";
}
