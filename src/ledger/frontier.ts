import type { Digest } from "../domain/digest.ts";

/**
 * A Merkle tree cut down to what further leaves need of it.
 * INVARIANT (frontier): one hash per bit set in `size`, of the complete subtree of that many leaves, largest first.
 */
export interface Frontier {
  readonly size: number;
  readonly hashes: readonly Digest[];
}

export const EMPTY_FRONTIER: Frontier = { size: 0, hashes: [] };

/** The levels of the complete subtrees that a tree of this size consists of, largest first. */
export function levelsOf(size: number): readonly number[] {
  const levels: number[] = [];
  // Halved and not shifted: JavaScript's shifts end at 32 bits, a ledger's size does not.
  for (let rest = size, level = 0; rest > 0; rest = Math.floor(rest / 2), level++) {
    if (rest % 2 === 1) levels.unshift(level);
  }
  return levels;
}

/** One line for storage: `11:` and the hashes joined. */
export const frontierText = ({ size, hashes }: Frontier): string => `${size}:${hashes.join("")}`;

/** Null: not the text of a frontier. */
export function frontierFromText(text: string): Frontier | null {
  const parts = /^(0|[1-9]\d*):((?:[0-9a-f]{64})*)$/.exec(text);
  if (parts === null) return null;
  const size = Number(parts[1]);
  const hashes = (parts[2]?.match(/.{64}/g) ?? []) as Digest[];
  return Number.isSafeInteger(size) && hashes.length === levelsOf(size).length ? { size, hashes } : null;
}
