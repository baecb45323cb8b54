import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { type Digest, digestOfBytes, digestOfText } from "../domain/digest.ts";
import { type Frontier, levelsOf } from "./frontier.ts";

// The tree of RFC 6962 section 2.1, over the hashes of the entries: leaf = SHA-256(0x00 || entry hash),
// node = SHA-256(0x01 || left || right). The prefixes keep a node from being passed off as a leaf.
const LEAF_PREFIX = 0;
const NODE_PREFIX = 1;
const HASH_BYTES = 32;
const ROOT_OF_NOTHING = digestOfText("");

/** A complete subtree: 2^level leaves, of which the first stands at a multiple of 2^level. */
export interface Subtree {
  readonly level: number;
  readonly hash: Digest;
}

/** 32 bytes, one per character: Node hands out a hash in this form three times faster than as a Buffer. */
type Bytes = string & { readonly bytes: unique symbol };

export const leafHash = (entryHash: Digest): Digest =>
  digestOfBytes(Buffer.concat([Buffer.of(LEAF_PREFIX), Buffer.from(entryHash, "hex")]));

export const nodeHash = (left: Digest, right: Digest): Digest =>
  digestOfBytes(Buffer.concat([Buffer.of(NODE_PREFIX), Buffer.from(left, "hex"), Buffer.from(right, "hex")]));

/**
 * Grows a tree leaf by leaf, at about two hashes a leaf. One that begins in the middle (`new TreeBuilder(1000)` takes
 * the leaves from index 1000 on) has no root of its own; its `subtrees()` are added to the builder of what lies before.
 */
export class TreeBuilder {
  readonly #begin: number;
  #size: number;
  readonly #leaf = Buffer.alloc(1 + HASH_BYTES, LEAF_PREFIX);
  readonly #pairs: Pair[] = [];
  /** Right children whose left siblings lie before `#begin`, in order. */
  readonly #edge: Subtree[] = [];

  constructor(begin = 0) {
    this.#begin = begin;
    this.#size = begin;
  }

  static from(frontier: Frontier): TreeBuilder {
    const builder = new TreeBuilder();
    const levels = levelsOf(frontier.size);
    if (levels.length !== frontier.hashes.length) throw new RangeError("a frontier has one hash per bit of its size");
    for (const [i, hash] of frontier.hashes.entries()) builder.addSubtree(levels[i] as number, hash);
    return builder;
  }

  /** The index of the next leaf: for a builder that begins at 0, the number of leaves. */
  get size(): number {
    return this.#size;
  }

  add(entryHash: Digest | Uint8Array): void {
    if (typeof entryHash === "string") {
      mustFill(this.#leaf.write(entryHash, 1, "hex"));
    } else {
      mustFill(entryHash.length);
      this.#leaf.set(entryHash, 1);
    }
    this.#place(0, sha256(this.#leaf));
  }

  /** Adds 2^level leaves whose hash was computed elsewhere. */
  addSubtree(level: number, hash: Digest): void {
    if (this.#size % 2 ** level !== 0) throw new RangeError(`a subtree of level ${level} can't begin at ${this.#size}`);
    const bytes = Buffer.from(hash, "hex");
    mustFill(bytes.length);
    this.#place(level, bytes.toString("latin1") as Bytes);
  }

  /** What the leaves so far come down to, left to right. */
  subtrees(): readonly Subtree[] {
    const waiting = this.#pairs.map((pair, level) => (pair.waits ? { level, hash: pair.left() } : null));
    return [...this.#edge, ...waiting.filter((subtree) => subtree !== null).reverse()];
  }

  frontier(): Frontier {
    this.#mustBeginAtZero();
    return { size: this.#size, hashes: this.subtrees().map((subtree) => subtree.hash) };
  }

  root(): Digest {
    this.#mustBeginAtZero();
    const [last, ...larger] = this.subtrees()
      .map((subtree) => subtree.hash)
      .reverse();
    return last === undefined ? ROOT_OF_NOTHING : larger.reduce((right, left) => nodeHash(left, right), last);
  }

  /** As in adding one to a binary number: each full pair on the way up becomes one node of the next level. */
  #place(level: number, bytes: Bytes): void {
    const leaves = 2 ** level;
    let carried = bytes;
    let at = level;
    for (let index = this.#size / leaves; index % 2 === 1; index = (index - 1) / 2) {
      const pair = this.#pairAt(at);
      if (!pair.waits) {
        this.#edge.push({ level: at, hash: Buffer.from(carried, "latin1").toString("hex") as Digest });
        this.#size += leaves;
        return;
      }
      carried = pair.join(carried);
      at++;
    }
    this.#pairAt(at).hold(carried);
    this.#size += leaves;
  }

  #pairAt(level: number): Pair {
    for (let missing = this.#pairs.length; missing <= level; missing++) this.#pairs.push(new Pair());
    return this.#pairs[level] as Pair;
  }

  #mustBeginAtZero(): void {
    if (this.#begin !== 0) throw new RangeError("only a tree that begins at its first leaf has a root");
  }
}

/** The node that will be hashed on one level, as the bytes that go into the hash: nothing is copied or allocated. */
class Pair {
  readonly #node = Buffer.alloc(1 + 2 * HASH_BYTES, NODE_PREFIX);
  /** A left child is here and its right sibling is not. */
  waits = false;

  hold(left: Bytes): void {
    this.#node.write(left, 1, "latin1");
    this.waits = true;
  }

  join(right: Bytes): Bytes {
    this.#node.write(right, 1 + HASH_BYTES, "latin1");
    this.waits = false;
    return sha256(this.#node);
  }

  left(): Digest {
    return this.#node.toString("hex", 1, 1 + HASH_BYTES) as Digest;
  }
}

/** A shorter hash would leave bytes of the one before in its place. */
function mustFill(bytes: number): void {
  if (bytes !== HASH_BYTES) throw new RangeError(`a hash has ${HASH_BYTES} bytes, not ${bytes}`);
}

const sha256 = (bytes: Uint8Array): Bytes => hash("sha256", bytes, "binary") as Bytes;
