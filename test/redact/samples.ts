import { Buffer } from "node:buffer";
import * as re2 from "re2js";
import { Secret } from "../../src/domain/secret.ts";
import { buildRedactor, type RedactorOptions } from "../../src/redact/build-redactor.ts";
import type { Redactor } from "../../src/redact/redactor.ts";

const DIGITS = "0123456789";
export const ALPHABETS = {
  alnum: `${DIGITS}abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ`,
  upper: `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZ`,
  letters: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
  hex: `${DIGITS}abcdef`,
  digits: DIGITS,
};

/** Looks random and is always the same. Made when it is needed, so that no scanner takes the sources for a leak. */
export function made(length: number, alphabet: keyof typeof ALPHABETS = "alnum", seed = 1): string {
  const characters = ALPHABETS[alphabet];
  let state = seed * 2654435761 + length;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return characters[(state >>> 8) % characters.length];
  }).join("");
}

export const namedSecrets = (values: Readonly<Record<string, string>>): RedactorOptions["secrets"] =>
  Object.entries(values).map(([name, value]) => ({ name, value: new Secret(value) }));

export async function redactorOf(options: Partial<RedactorOptions> = {}): Promise<Redactor> {
  const built = buildRedactor({ secrets: [], patterns: [], builtin: "on", engine: () => re2, ...options });
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  return built.redactor;
}

/** All that comes out of a stream which is fed in pieces of the given sizes, the last one again and again. */
export function streamed(redactor: Redactor, bytes: Uint8Array, sizes: readonly number[]): Buffer {
  const stream = redactor.redactStream();
  const out: Uint8Array[] = [];
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[Math.min(piece, sizes.length - 1)] ?? 1;
    out.push(...stream.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return Buffer.concat([...out, stream.end()]);
}

export const PRIVATE_KEY = [
  "-----BEGIN PRIVATE KEY-----",
  ...Array.from({ length: 25 }, (_, line) => made(64, "alnum", line + 7)),
  `${made(20, "alnum", 99)}==`,
  "-----END PRIVATE KEY-----",
  "",
].join("\n");
