import { Buffer } from "node:buffer";
import type { Digest } from "../domain/digest.ts";
import { HASH_PLACES, sha256x4Code } from "./sha256-x4-code.ts";

/** The hash of the complete subtree over 2^level leaves that lie one behind the other, each in its room. */
export type SubtreeHash = (leaves: Uint8Array, level: number) => Digest;

/** From 4 leaves, which fill the lanes, to 256, which with all their nodes fill a page of memory. */
export const SUBTREE_LEVELS = { min: 2, max: 8 } as const;

// A leaf and a node of RFC 6962 with SHA-256's padding: a one bit, zeros, and the length in bits. See `tree.ts`.
const LEAF = { prefix: 0, bytes: 33, blocks: 1 } as const;
const NODE = { prefix: 1, bytes: 65, blocks: 2 } as const;
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const LANES = HASH_PLACES.length;

export const LEAF_ROOM = LEAF.blocks * BLOCK_BYTES;
const NODE_ROOM = NODE.blocks * BLOCK_BYTES;

/** Room for so many leaves, whose hashes are to be written behind the first byte of each. */
export const roomForLeaves = (count: number): Buffer => padded(Buffer.alloc(count * LEAF_ROOM), LEAF);

/**
 * Hashes a level of the tree in one go, four messages at a time. Null where the machine has no WebAssembly or none with
 * vectors: then nodes are hashed one by one, as everywhere else. What is in its memory is of no use after a call.
 */
export function subtreeHash(): SubtreeHash | null {
  known ??= { hash: made() };
  return known.hash;
}

/** Compiled once in a thread. */
let known: { readonly hash: SubtreeHash | null } | null = null;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly hashFour: (from: number, blocks: number, to: number) => void;
}

/** What is used of it: only the types of browsers know it. */
interface Wasm {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Exports };
}

function made(): SubtreeHash | null {
  try {
    const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
    const { memory, hashFour } = new Instance(new Module(sha256x4Code())).exports;
    return over(Buffer.from(memory.buffer), hashFour);
  } catch {
    return null;
  }
}

function over(memory: Buffer, hashFour: Exports["hashFour"]): SubtreeHash {
  const nodesAt = 2 ** SUBTREE_LEVELS.max * LEAF_ROOM;
  padded(memory.subarray(nodesAt), NODE);
  return (leaves, level) => {
    memory.set(leaves);
    let from = 0;
    let to = nodesAt;
    for (let count = 2 ** level, kind: typeof LEAF | typeof NODE = LEAF; count > 0; count = Math.floor(count / 2)) {
      for (let done = 0; done < count; done += LANES) {
        hashFour(from + done * kind.blocks * BLOCK_BYTES, kind.blocks, to + (done / 2) * NODE_ROOM + 1);
      }
      kind = NODE;
      from = to;
      // Lanes that are left over hash what happens to lie there, and leave it in the node behind.
      to += Math.max(count / 2, 2) * NODE_ROOM;
    }
    return memory.toString("hex", from + 1, from + 1 + HASH_BYTES) as Digest;
  };
}

function padded(room: Buffer, { prefix, bytes, blocks }: typeof LEAF | typeof NODE): Buffer {
  const length = blocks * BLOCK_BYTES;
  for (let at = 0; at < room.length; at += length) {
    room[at] = prefix;
    room[at + bytes] = 0x80;
    room.writeUInt16BE(bytes * 8, at + length - 2);
  }
  return room;
}
