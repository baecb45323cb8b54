import { randomBytes } from "node:crypto";
import { closeSync, constants, fsyncSync, linkSync, mkdirSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Secret } from "../domain/secret.ts";
import { WRITE_FAULTS } from "../domain/write-faults.ts";
import { readSettings } from "./settings-file.ts";
import { errorCode } from "./system-error.ts";

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export type AdminToken =
  | { readonly ok: true; readonly token: Secret; readonly path: string }
  | { readonly ok: false; readonly message: string; readonly hint: string };

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

/** The administrator's token, made at the first start. Nobody but this user can read it. */
export function adminToken(stateDir: string): AdminToken {
  const path = join(stateDir, "admin.token");
  // A token that is there needs no write: the server has to come up on a full disk, and say what else is wrong.
  const there = readSettings(path, "secret");
  const isMissing = !there.ok && (there.code === "ENOENT" || there.code === "ENOTDIR");
  const failed = isMissing ? written(stateDir, path) : null;
  if (failed !== null) return failed;
  const read = there.ok ? there : readSettings(path, "secret");
  const hint = "look at it, remove it, and start again: a new one is made";
  if (!read.ok) return { ok: false, message: `\`${path}\`: ${read.message}`, hint };
  const text = read.text.trimEnd();
  if (!TOKEN.test(text)) return { ok: false, message: `\`${path}\` does not hold a token`, hint };
  return { ok: true, token: new Secret(text), path };
}

/** Null: it is written, perhaps by another server at the same time. */
function written(stateDir: string, path: string): AdminToken | null {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    publish(path, `${newToken()}\n`);
    return null;
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return null;
    const { because, hint } = WRITE_FAULTS[code] ?? { because: code, hint: "check the state directory" };
    return { ok: false, message: `\`${path}\` can't be written: ${because}`, hint };
  }
}

/** Whole or not at all: two servers that start at the same time find one token. */
function publish(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const descriptor = openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
    linkSync(draft, path);
  } finally {
    closeSync(descriptor);
    unlinkSync(draft);
  }
}
