import { createPrivateKey, createPublicKey, generateKeyPairSync, hkdfSync, type KeyObject } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const keyFile = (stateDir: string): string => join(stateDir, "ledger.key");
const publicKeyFile = (stateDir: string): string => join(stateDir, "ledger.pub");

export type SigningKey =
  | { readonly kind: "key"; readonly key: KeyObject }
  /** `why` is for people. */
  | { readonly kind: "missing" | "empty" | "damaged"; readonly why: string };

export function findSigningKey(stateDir: string): SigningKey {
  const pem = read(keyFile(stateDir));
  if (pem === null) return { kind: "missing", why: "its signing key `ledger.key` is gone" };
  if (pem.length === 0) return { kind: "empty", why: "its signing key `ledger.key` is empty" };
  try {
    return { kind: "key", key: createPrivateKey(pem) };
  } catch (error) {
    if (!isKeyError(error)) throw error;
    return { kind: "damaged", why: "its signing key `ledger.key` does not hold a key" };
  }
}

export const readSigningKey = (stateDir: string): KeyObject => createPrivateKey(readFileSync(keyFile(stateDir)));

/**
 * The secret of the hashes that stand for callers' keys. Derived, so that it is as private as the signing key and changes only with it:
 * a journal that was signed with another key is refused.
 */
export function readHashSecret(stateDir: string): Uint8Array {
  const key = readSigningKey(stateDir).export({ type: "pkcs8", format: "der" });
  return new Uint8Array(hkdfSync("sha256", key, "", "toolgate: keys of calls", 32));
}

/** Null: there is no key. A missing `ledger.pub` follows from `ledger.key`. */
export function readPublicKey(stateDir: string): KeyObject | null {
  const pem = read(publicKeyFile(stateDir));
  if (pem === null) {
    const own = findSigningKey(stateDir);
    return own.kind === "key" ? createPublicKey(own.key) : null;
  }
  try {
    return createPublicKey(pem);
  } catch (error) {
    if (!isKeyError(error)) throw error;
    return null;
  }
}

/**
 * Made once. Of several processes that try at the same time, one wins and the others use its key. Only where nothing is
 * signed yet: an empty file, as a full disk leaves it, is then replaced.
 */
export function makeSigningKey(stateDir: string, nonce: string): void {
  const found = findSigningKey(stateDir);
  if (found.kind === "empty") rmSync(keyFile(stateDir), { force: true });
  if (found.kind !== "key") makePrivateKey(stateDir, nonce);
  restorePublicKey(stateDir, nonce);
}

/** Makes `ledger.pub` of `ledger.key` if it is missing: a crash may have come between the two. */
export function restorePublicKey(stateDir: string, nonce: string): void {
  if (!existsSync(publicKeyFile(stateDir))) makePublicKey(stateDir, nonce);
}

/** Null: there is no such file. */
function read(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return null;
    throw error;
  }
}

/** OpenSSL's decoders have many codes for a text that is not a key. */
const isKeyError = (error: unknown): boolean =>
  /^ERR_(?:OSSL_|CRYPTO_|INVALID_ARG|MISSING_)/.test(String((error as { code?: unknown }).code));

function makePrivateKey(stateDir: string, nonce: string): void {
  const draft = `${keyFile(stateDir)}.${nonce}`;
  writeSecurely(draft, generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }));
  try {
    linkSync(draft, keyFile(stateDir));
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function makePublicKey(stateDir: string, nonce: string): void {
  const draft = `${publicKeyFile(stateDir)}.${nonce}`;
  const publicKey = createPublicKey(readFileSync(keyFile(stateDir)));
  writeSecurely(draft, publicKey.export({ type: "spki", format: "pem" }));
  renameSync(draft, publicKeyFile(stateDir));
}

const writeSecurely = (path: string, pem: string | Buffer): void =>
  writeFileSync(path, pem, { mode: 0o600, flush: true });
