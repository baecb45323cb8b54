import { Buffer } from "node:buffer";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Digest, digestOfText } from "../../src/domain/digest.ts";
import {
  verifyConsistency,
  verifyInclusion,
  verifySubtreeConsistency,
  verifySubtreeInclusion,
} from "../../src/ledger/proof-check.ts";
import { withSharedData } from "../support/parts.ts";

/** One file of transparency-dev/merkle's testdata; each folder has some of the fields. */
interface Vector {
  readonly leafIdx: number;
  readonly treeSize: number;
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly size1: number;
  readonly size2: number;
  readonly root: string;
  readonly root1: string;
  readonly root2: string;
  readonly leafHash: string;
  readonly proof: readonly string[] | null;
  readonly wantErr: boolean;
}

const hex = (base64: string) => Buffer.from(base64, "base64").toString("hex") as Digest;
const hexes = (proof: readonly string[] | null) => (proof ?? []).map(hex);

const CHECKS: Record<string, { files: number; check: (vector: Vector) => string | null }> = {
  inclusion: {
    files: 98,
    check: (v) =>
      verifyInclusion({
        index: v.leafIdx,
        size: v.treeSize,
        leafHash: hex(v.leafHash),
        proof: hexes(v.proof),
        root: hex(v.root),
      }),
  },
  consistency: {
    files: 98,
    check: (v) =>
      verifyConsistency({
        size1: v.size1,
        size2: v.size2,
        root1: hex(v.root1),
        root2: hex(v.root2),
        proof: hexes(v.proof),
      }),
  },
  subtreeinclusion: {
    files: 204,
    check: (v) =>
      verifySubtreeInclusion({
        index: v.leafIdx,
        start: v.start,
        end: v.end,
        leafHash: hex(v.leafHash),
        proof: hexes(v.proof),
        root: hex(v.root),
      }),
  },
  subtreeconsistency: {
    files: 118,
    check: (v) =>
      verifySubtreeConsistency({
        start: v.start,
        end: v.end,
        size: v.size,
        subtreeRoot: hex(v.root1),
        root: hex(v.root2),
        proof: hexes(v.proof),
      }),
  },
};

withSharedData("merkle")("the vectors of transparency-dev/merkle", (folder) => {
  for (const [name, { files, check }] of Object.entries(CHECKS)) {
    it(`${name}: all ${files}`, () => {
      const paths = globSync("**/*.json", { cwd: join(folder, name) });
      expect(paths).toHaveLength(files);
      for (const path of paths) {
        const vector: Vector = JSON.parse(readFileSync(join(folder, name, path), "utf8"));
        expect(check(vector) === null, path).toBe(!vector.wantErr);
      }
    });
  }
});

describe("the reason for a refusal", () => {
  const [leaf, other] = [digestOfText("a"), digestOfText("b")];
  const inclusion = { index: 0, size: 2, leafHash: leaf, proof: [other], root: other };
  it.each([
    ["no leaf 2 in this tree", { index: 2 }],
    ["no leaf 0.5 in this tree", { index: 0.5 }],
    ["leaves 0 to 0 are not a subtree", { size: 0 }],
    ["a hash in the proof is malformed", { proof: ["" as Digest] }],
    ["the proof is too long", { proof: [other, other] }],
    ["the proof is too short", { proof: [] }],
    ["the proof leads to another root", {}],
  ])("of an inclusion: %s", (reason, change) => {
    expect(verifyInclusion({ ...inclusion, ...change })).toBe(reason);
  });

  const consistency = { size1: 1, size2: 2, root1: leaf, root2: other, proof: [other] };
  it.each([
    ["every tree begins with the empty one, so there is nothing to prove", { size1: 0 }],
    ["a tree of 2 leaves does not hold leaf 2", { size1: 3 }],
    ["a hash in the proof is malformed", { proof: ["" as Digest] }],
    ["the proof is too long", { proof: [other, other] }],
    ["the proof is too short", { proof: [] }],
    ["the proof is too short", { size1: 3, size2: 4, proof: [] }],
    ["the proof leads to another old root", { size1: 3, size2: 4, proof: [other, other, other] }],
    ["the proof leads to another root", {}],
  ])("of a consistency: %s", (reason, change) => {
    expect(verifyConsistency({ ...consistency, ...change })).toBe(reason);
  });
});
