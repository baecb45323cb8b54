import type { RequestHeaders } from "./request-headers.ts";

const KEY = /^[\x21-\x7e]{1,256}$/;

export const KEY_RULE = "an `Idempotency-Key` has 1 to 256 characters, none of them a space";

/** The name that a caller gives a call. Empty: none. Null: not one, and who meant to name the call would have it made twice. */
export function keyIn(headers: RequestHeaders): string | null {
  const key = headers.get("idempotency-key");
  if (key === null) return "";
  return KEY.test(key) ? key : null;
}
