import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkpointSizes, readCheckpoints } from "../../src/ledger/checkpoint-set.ts";
import { checkpointLine, flipped, keys, rowsOf } from "./sample-ledger.ts";

const rows = rowsOf(30);
const [ten, twenty, thirty] = [10, 20, 30].map((size) => checkpointLine(rows, size)) as [string, string, string];
const stranger = checkpointLine(rows, 20, generateKeyPairSync("ed25519").privateKey);
const forged = twenty.replace('"size":20', '"size":21');

const read = (stored: readonly string[], filed: readonly string[] | null) => {
  const { trusted, findings } = readCheckpoints({ stored, filed }, keys.publicKey);
  return { sizes: trusted.map(({ size }) => size), findings };
};

describe("checkpointSizes", () => {
  it("takes each size once, from wherever it can be read", () => {
    expect(checkpointSizes({ stored: [ten, twenty, "?"], filed: [twenty, thirty] })).toEqual([10, 20, 30]);
    expect(checkpointSizes({ stored: [ten], filed: null })).toEqual([10]);
  });
});

describe("readCheckpoints", () => {
  it("trusts what is signed and stands in both places, by size", () => {
    expect(read([thirty, ten, twenty], [ten, twenty, thirty])).toEqual({ sizes: [10, 20, 30], findings: [] });
    expect(read([], [])).toEqual({ sizes: [], findings: [] });
  });

  it("takes a line that was appended twice for one", () => {
    expect(read([ten], [ten, ten])).toEqual({ sizes: [10], findings: [] });
  });

  it.each([
    ["not in the store", [ten], [ten, twenty], { what: "stored-checkpoint", size: 20 }],
    ["not in the file", [ten, twenty, thirty], [ten, thirty], { what: "filed-checkpoint", size: 20 }],
    ["no file", [ten, twenty], null, { what: "checkpoint-file" }],
  ] as const)("misses what is in one place only: %s", (_, stored, filed, missing) => {
    const { findings } = read(stored, filed);
    expect(findings).toEqual([{ kind: "missing", ...missing }]);
  });

  it.each([
    ["the newest", [ten, twenty], [ten]],
    ["the only one", [ten], []],
  ])("does not miss in the file what a crash may have kept from it: %s", (_, stored, filed) => {
    expect(read(stored, filed).findings).toEqual([]);
  });

  it.each([
    ["another key", stranger, "it was signed with another key"],
    ["a forged field", forged, "its signature is wrong"],
    ["garbage", "garbage", "not a JSON object"],
    ["a torn line", flipped(twenty, 3), "not of version 1"],
  ])("does not trust %s, and says where it stands", (_, line, reason) => {
    const bad = { kind: "bad-checkpoint", reason };
    expect(read([ten], [ten, line]).sizes).toEqual([10]);
    expect(read([ten, line], [ten]).findings[0]).toMatchObject({ kind: "bad-checkpoint", where: "row 2 of the store" });
    expect(read([ten], [ten, line]).findings[0]).toMatchObject({ kind: "bad-checkpoint", where: "line 2 of the file" });
    if (reason !== "not of version 1") expect(read([line], [line]).findings[0]).toMatchObject(bad);
  });

  it("trusts nothing without the public key", () => {
    expect(readCheckpoints({ stored: [ten], filed: [ten] }, null)).toEqual({
      trusted: [],
      findings: [{ kind: "missing", what: "public-key" }],
    });
    expect(readCheckpoints({ stored: [], filed: null }, null)).toEqual({ trusted: [], findings: [] });
  });
});
