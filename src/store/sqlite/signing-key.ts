import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const keyFile = (stateDir: string): string => join(stateDir, "ledger.key");
const publicKeyFile = (stateDir: string): string => join(stateDir, "ledger.pub");

export const hasSigningKey = (stateDir: string): boolean => existsSync(keyFile(stateDir));

export const readSigningKey = (stateDir: string): KeyObject => createPrivateKey(readFileSync(keyFile(stateDir)));

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
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const draft = join(stateDir, `ledger.key.${nonce}`);
  writeFileSync(draft, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx", flush: true });
  try {
    linkSync(draft, keyFile(stateDir));
    writeFileSync(publicKeyFile(stateDir), publicKey.export({ type: "spki", format: "pem" }), {
      mode: 0o600,
      flush: true,
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
