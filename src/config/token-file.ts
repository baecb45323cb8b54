import { Secret } from "../domain/secret.ts";
import { readSettings } from "./settings-file.ts";

const TOKEN = /^[A-Za-z0-9._~+/-]{1,512}=*$/;

export type TokenFile =
  | { readonly ok: true; readonly token: Secret }
  | { readonly ok: false; readonly message: string; readonly hint: string };

/** A token that a person has put into a file that nobody else can read. */
export function readTokenFile(path: string): TokenFile {
  const hint = "write the token into it, and let nobody else read it: `chmod 600`";
  const read = readSettings(path, "secret");
  if (!read.ok) return { ok: false, message: `\`${path}\`: ${read.message}`, hint };
  const text = read.text.trim();
  return TOKEN.test(text)
    ? { ok: true, token: new Secret(text) }
    : { ok: false, message: `\`${path}\` does not hold a token`, hint };
}
