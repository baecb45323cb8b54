import { createPrivateKey, createPublicKey, generateKeyPairSync, hkdfSync, type KeyObject } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const keyFile = (stateDir: string): string => join(stateDir, "ledger.key");
const publicKeyFile = (stateDir: string): string => join(stateDir, "ledger.pub");

export const hasSigningKey = (stateDir: string): boolean => existsSync(keyFile(stateDir));

export const readSigningKey = (stateDir: string): KeyObject => createPrivateKey(readFileSync(keyFile(stateDir)));

/**
 * The secret of the hashes that stand for callers' keys. Derived, so that it is as private as the signing key and changes only with it:
 * a journal that was signed with another key is refused.
 */
export function readHashSecret(stateDir: string): Uint8Array {
  const key = readSigningKey(stateDir).export({ type: "pkcs8", format: "der" });
  return new Uint8Array(hkdfSync("sha256", key, "", "toolgate: keys of calls", 32));
}

/** Null: there is none, or it is no key. */
export function readPublicKey(stateDir: string): KeyObject | null {
  try {
    return createPublicKey(readFileSync(publicKeyFile(stateDir)));
  } catch {
    return null;
  }
}

/** Made once. Of several processes that try at the same time, one wins and the others use its key. */
export function makeSigningKey(stateDir: string, nonce: string): void {
  if (!hasSigningKey(stateDir)) makePrivateKey(stateDir, nonce);
  // Also where only this half is missing: a crash may have come between the two.
  if (!existsSync(publicKeyFile(stateDir))) makePublicKey(stateDir, nonce);
}

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
