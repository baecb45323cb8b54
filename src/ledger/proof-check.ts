import { type Digest, digestOfText } from "../domain/digest.ts";
import { nodeHash } from "./tree.ts";

// Every check answers null for a good proof, else the reason why it is none. The algorithms are RFC 9162's (sections
// 2.1.3.2 and 2.1.4.2), in the form that draft-ietf-plants-merkle-tree-certs gives them for a subtree, the leaves from
// `start` up to and without `end`: a whole tree is the subtree that starts at 0.

export interface Inclusion {
  readonly index: number;
  readonly size: number;
  /** Of the tree's leaf: `leafHash` of the entry's hash. */
  readonly leafHash: Digest;
  readonly proof: readonly Digest[];
  readonly root: Digest;
}

export interface SubtreeInclusion extends Omit<Inclusion, "size"> {
  readonly start: number;
  readonly end: number;
}

export interface Consistency {
  readonly size1: number;
  readonly size2: number;
  readonly root1: Digest;
  readonly root2: Digest;
  readonly proof: readonly Digest[];
}

export interface SubtreeConsistency {
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly subtreeRoot: Digest;
  readonly root: Digest;
  readonly proof: readonly Digest[];
}

export const verifyInclusion = ({ size, ...claim }: Inclusion): string | null =>
  verifySubtreeInclusion({ ...claim, start: 0, end: size });

export function verifySubtreeInclusion({ index, start, end, leafHash, proof, root }: SubtreeInclusion): string | null {
  if (!isSubtree(start, end)) return `leaves ${start} to ${end} are not a subtree`;
  if (!(Number.isSafeInteger(index) && index >= start && index < end)) return `no leaf ${index} in this tree`;
  if (![leafHash, ...proof].every(isDigest)) return "a hash in the proof is malformed";

  let node = index - start;
  let last = end - start - 1;
  const toParents = () => {
    node = parent(node);
    last = parent(last);
  };

  let hash = leafHash;
  for (const sibling of proof) {
    if (last === 0) return "the proof is too long";
    if (isRight(node) || node === last) {
      hash = nodeHash(sibling, hash);
      while (!isRight(node) && node !== 0) toParents();
    } else hash = nodeHash(hash, sibling);
    toParents();
  }
  if (last !== 0) return "the proof is too short";
  return hash === root ? null : "the proof leads to another root";
}

export function verifyConsistency({ size1, size2, root1, root2, proof }: Consistency): string | null {
  if (size1 === 0) return "every tree begins with the empty one, so there is nothing to prove";
  return verifySubtreeConsistency({ start: 0, end: size1, size: size2, subtreeRoot: root1, root: root2, proof });
}

export function verifySubtreeConsistency(claim: SubtreeConsistency): string | null {
  const { start, end, size } = claim;
  if (!Number.isSafeInteger(size) || end > size) return `a tree of ${size} leaves does not hold leaf ${end - 1}`;
  if (start === end) return verifyEmpty(claim);
  if (!isSubtree(start, end)) return `leaves ${start} to ${end} are not a subtree`;
  if (!claim.proof.every(isDigest)) return "a hash in the proof is malformed";
  return climb(claim);
}

/** Climbs from where the subtree's right edge meets a complete node; `small` grows into its root, `large` into the tree's. */
function climb({ start, end, size, subtreeRoot, root, proof }: SubtreeConsistency): string | null {
  let first = start;
  let node = end - 1;
  let last = size - 1;
  const toParents = () => {
    first = parent(first);
    node = parent(node);
    last = parent(last);
  };

  const isWhole = node === last;
  while (first !== node && (isWhole || isRight(node))) toParents();
  const [seed, siblings] = first === node ? [subtreeRoot, proof] : [proof[0], proof.slice(1)];
  if (seed === undefined) return "the proof is too short";

  let small = seed;
  let large = seed;
  for (const sibling of siblings) {
    if (last === 0) return "the proof is too long";
    if (isRight(node) || node === last) {
      if (first < node) small = nodeHash(sibling, small);
      large = nodeHash(sibling, large);
      while (!isRight(node) && node !== 0) toParents();
    } else large = nodeHash(large, sibling);
    toParents();
  }
  if (last !== 0) return "the proof is too short";
  if (small !== subtreeRoot) return "the proof leads to another old root";
  return large === root ? null : "the proof leads to another root";
}

/** The empty subtree is part of every tree. */
function verifyEmpty({ subtreeRoot, proof }: SubtreeConsistency): string | null {
  if (proof.length > 0) return "the proof is too long";
  return subtreeRoot === digestOfText("") ? null : "this is not the root of an empty tree";
}

/** INVARIANT (subtree): as long as a subtree is not empty, it starts at a multiple of the power of two that holds it. */
function isSubtree(start: number, end: number): boolean {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || start >= end) return false;
  let span = 1;
  while (span < end - start) span *= 2;
  return start % span === 0;
}

const isDigest = (hash: string): boolean => /^[0-9a-f]{64}$/.test(hash);
const isRight = (node: number): boolean => node % 2 === 1;
const parent = (node: number): number => Math.floor(node / 2);
