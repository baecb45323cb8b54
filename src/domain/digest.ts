import { hash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";

/** SHA-256 in lower-case hexadecimal. */
export type Digest = string & { readonly digest: unique symbol };

export const digestOfText = (text: string): Digest => hash("sha256", text) as Digest;

export const digestOfBytes = (bytes: Uint8Array): Digest => hash("sha256", bytes) as Digest;

export const digestOf = (value: unknown): Digest => digestOfText(canonicalJson(value));
