import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/domain/canonical-json.ts";
import { digestOfText } from "../../src/domain/digest.ts";
import {
  type Checkpoint,
  checkpointFromText,
  checkpointText,
  checkSignature,
  keyFingerprint,
  signCheckpoint,
} from "../../src/ledger/checkpoint.ts";
import { flipped, keys } from "./sample-ledger.ts";

const claim = { size: 7, root: digestOfText("root"), head: digestOfText("head"), at: "2026-11-15T21:00:00.000Z" };
const checkpoint = signCheckpoint(claim, keys.privateKey);
const line = checkpointText(checkpoint);

const isTrusted = (line: string): boolean => {
  const read = checkpointFromText(line);
  return typeof read !== "string" && read.key === checkpoint.key && checkSignature(read, keys.publicKey);
};

describe("signCheckpoint", () => {
  it("names the key and signs with it", () => {
    expect(checkpoint).toMatchObject({ ...claim, v: 1, key: keyFingerprint(keys.publicKey) });
    expect(checkSignature(checkpoint, keys.publicKey)).toBe(true);
  });

  it("signs for this purpose and for no other key", () => {
    expect(checkSignature(checkpoint, generateKeyPairSync("ed25519").publicKey)).toBe(false);
    expect(checkSignature(checkpoint, generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey)).toBe(false);
  });

  it.each([{ size: 8 }, { root: claim.head }, { head: claim.root }, { at: "2026-11-15T21:00:00.001Z" }])(
    "covers %o",
    (change) => {
      expect(checkSignature({ ...checkpoint, ...change }, keys.publicKey)).toBe(false);
    },
  );
});

describe("checkpointFromText", () => {
  it("gives back what was signed", () => {
    expect(checkpointFromText(line)).toEqual(checkpoint);
  });

  it("and the signature let no flipped bit of the line through", () => {
    expect(isTrusted(line)).toBe(true);
    for (let at = 0; at < line.length; at++) {
      for (let bit = 0; bit < 7; bit++) expect(isTrusted(flipped(line, at, bit)), `bit ${bit} at ${at}`).toBe(false);
    }
  });

  const changed = (change: Partial<Record<keyof Checkpoint | "more", unknown>>) =>
    canonicalJson({ ...checkpoint, ...change });
  it.each([
    ["not a JSON object", ""],
    ["not a JSON object", line.slice(0, -1)],
    ["not a JSON object", "[]"],
    ["not of version 1", changed({ v: 2 })],
    ["`size` is not a number of entries", changed({ size: 0 })],
    ["`size` is not a number of entries", changed({ size: "7" })],
    ["`root` is not a hash", changed({ root: "x" })],
    ["`head` is not a hash", changed({ head: null })],
    ["`at` is not a time", changed({ at: "yesterday" })],
    ["`at` is not a time", line.replace(claim.at, "2026-11-15 (\\ud800)")],
    ["`key` is not a key's fingerprint", changed({ key: undefined })],
    ["`signature` is not an Ed25519 signature in base64", changed({ signature: 1 })],
    ["`signature` is not an Ed25519 signature in base64", changed({ signature: "AAAA" })],
    ["unknown field `more`", changed({ more: 1 })],
    ["not in canonical form", ` ${line}`],
    ["not in canonical form", JSON.stringify({ ...checkpoint, at: claim.at })],
  ])("says: %s", (reason, text) => {
    expect(checkpointFromText(text)).toBe(reason);
  });
});
