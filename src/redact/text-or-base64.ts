import { Buffer, isUtf8 } from "node:buffer";

export type TextOrBase64 =
  | { readonly encoding: "text"; readonly text: string }
  | { readonly encoding: "base64"; readonly data: string };

/**
 * Output without loss: text where it is text, else Base64. NUL is valid UTF-8, but neither PostgreSQL nor a terminal takes it.
 */
export function textOrBase64(bytes: Uint8Array): TextOrBase64 {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return isUtf8(view) && !view.includes(0)
    ? { encoding: "text", text: view.toString() }
    : { encoding: "base64", data: view.toString("base64") };
}
