import type { Buffer } from "node:buffer";
import type { Digest } from "../domain/digest.ts";
import type { Frontier } from "./frontier.ts";
import { LEAF_ROOM, roomForLeaves, SUBTREE_LEVELS, type SubtreeHash, subtreeHash } from "./subtree-hash.ts";
import { type Subtree, TreeBuilder } from "./tree.ts";

const HASH_BYTES = 32;
const LEAVES_MAX = 2 ** SUBTREE_LEVELS.max;
/** Below this many, what hashes them together takes longer to make than to save. */
const LEAVES_MIN = 32;

/** Comes to the same as a `TreeBuilder`, for who adds leaves by the thousand: they are hashed by the subtree. */
export class BatchedTree {
  readonly #tree: TreeBuilder;
  readonly #hashOf: () => SubtreeHash | null;
  readonly #leaves: Buffer = roomForLeaves(LEAVES_MAX);
  #waiting = 0;

  constructor(tree = new TreeBuilder(), hashOf = subtreeHash) {
    this.#tree = tree;
    this.#hashOf = hashOf;
  }

  get size(): number {
    return this.#tree.size + this.#waiting;
  }

  add(entryHash: Digest): void {
    const written = this.#leaves.write(entryHash, this.#waiting * LEAF_ROOM + 1, HASH_BYTES, "hex");
    if (written !== HASH_BYTES) throw new RangeError(`a hash has ${HASH_BYTES} bytes, not ${written}`);
    this.#waiting++;
    // After at most that many: so there is always room for one more.
    if (this.size % LEAVES_MAX === 0) this.#settle();
  }

  subtrees(): readonly Subtree[] {
    return this.#settled().subtrees();
  }

  frontier(): Frontier {
    return this.#settled().frontier();
  }

  root(): Digest {
    return this.#settled().root();
  }

  #settled(): TreeBuilder {
    this.#settle();
    return this.#tree;
  }

  /** Each time the largest subtree that begins here and whose leaves are all there. */
  #settle(): void {
    const hashOf = this.#waiting < LEAVES_MIN ? null : this.#hashOf();
    for (let done = 0, leaves: number; done < this.#waiting; done += leaves) {
      const level = hashOf === null ? 0 : levelAt(this.#tree.size, this.#waiting - done);
      leaves = 2 ** level;
      const room = this.#leaves.subarray(done * LEAF_ROOM, (done + leaves) * LEAF_ROOM);
      if (hashOf === null || level === 0) this.#tree.add(room.subarray(1, 1 + HASH_BYTES));
      else this.#tree.addSubtree(level, hashOf(room, level));
    }
    this.#waiting = 0;
  }
}

function levelAt(size: number, waiting: number): number {
  let level: number = SUBTREE_LEVELS.max;
  while (2 ** level > waiting || size % 2 ** level !== 0) level--;
  return level < SUBTREE_LEVELS.min ? 0 : level;
}
