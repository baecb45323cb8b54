import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { canonicalJson } from "../domain/canonical-json.ts";
import { type Digest, digestOfBytes } from "../domain/digest.ts";
import { isJsonObject, type JsonObject } from "../domain/json.ts";

/** What a checkpoint swears to: the first `size` entries have this Merkle root, and the last of them this hash. */
export interface CheckpointClaim {
  readonly size: number;
  readonly root: Digest;
  readonly head: Digest;
  readonly at: string;
}

export interface Checkpoint extends CheckpointClaim {
  readonly v: 1;
  /** Which key signed: see `keyFingerprint`. */
  readonly key: Digest;
  /** Ed25519, base64. */
  readonly signature: string;
}

/** Keeps a signature made here from meaning anything elsewhere, and the other way round. */
const DOMAIN = "toolgate checkpoint v1\n";
const FIELDS = ["at", "head", "key", "root", "signature", "size", "v"];
const SIGNATURE_BYTES = 64;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** SHA-256 of the public key in its SPKI DER form. */
export const keyFingerprint = (publicKey: KeyObject): Digest =>
  digestOfBytes(publicKey.export({ type: "spki", format: "der" }));

export function signCheckpoint({ size, root, head, at }: CheckpointClaim, privateKey: KeyObject): Checkpoint {
  const unsigned = { v: 1, size, root, head, at, key: keyFingerprint(createPublicKey(privateKey)) } as const;
  return { ...unsigned, signature: sign(null, signedBytes(unsigned), privateKey).toString("base64") };
}

export function checkSignature({ signature, ...unsigned }: Checkpoint, publicKey: KeyObject): boolean {
  if (publicKey.asymmetricKeyType !== "ed25519") return false;
  return verify(null, signedBytes(unsigned), publicKey, Buffer.from(signature, "base64"));
}

const signedBytes = (unsigned: Omit<Checkpoint, "signature">): Buffer => Buffer.from(DOMAIN + canonicalJson(unsigned));

/** The line that stands in the store and in the file. */
export const checkpointText = (checkpoint: Checkpoint): string => canonicalJson(checkpoint);

/** The checkpoint, or the reason why the line is none. Its signature is not checked here. */
export function checkpointFromText(line: string): Checkpoint | string {
  const value = parsed(line);
  if (!isJsonObject(value)) return "not a JSON object";
  const wrong = wrongField(value);
  if (wrong !== null) return wrong;
  // One form only, so that a byte flipped anywhere in the line is seen, also where JSON would not care.
  return canonicalJson(value) === line ? (value as unknown as Checkpoint) : "not in canonical form";
}

function wrongField(value: JsonObject): string | null {
  const { v, size, root, head, at, key, signature } = value;
  if (v !== 1) return "not of version 1";
  if (!(Number.isSafeInteger(size) && Number(size) > 0)) return "`size` is not a number of entries";
  if (!isDigest(root)) return "`root` is not a hash";
  if (!isDigest(head)) return "`head` is not a hash";
  if (typeof at !== "string" || !ISO_TIME.test(at)) return "`at` is not a time";
  if (!isDigest(key)) return "`key` is not a key's fingerprint";
  if (!isSignature(signature)) return "`signature` is not an Ed25519 signature in base64";
  const unknown = Object.keys(value).find((name) => !FIELDS.includes(name));
  return unknown === undefined ? null : `unknown field \`${unknown}\``;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const isDigest = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

/** Decoding base64 ignores the last character's spare bits; encoding it again does not. */
function isSignature(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const bytes = Buffer.from(value, "base64");
  return bytes.length === SIGNATURE_BYTES && bytes.toString("base64") === value;
}
