import { type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { hostHeader, type WebUrl } from "../domain/web-target.ts";
import type { SecretHeader } from "../ports/web.ts";

/** One request to one host. */
export interface Hop {
  readonly url: WebUrl;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secretHeader: SecretHeader | null;
  readonly body: Uint8Array | null;
}

export type Sent =
  | { readonly kind: "answered"; readonly response: IncomingMessage }
  | { readonly kind: "malformed" }
  | { readonly kind: "broken" };

const HEADER_BYTES_MAX = 64 * 1024;
const INTERIM_MAX = 10;
/** Servers tell a lot; what they pack we unpack, within limits. */
const ACCEPT_ENCODING = "gzip, br, deflate, zstd";

/** Comes back with the head of the answer. The caller ends the socket, whatever comes. */
export function sendRequest({ url, method, headers, secretHeader, body }: Hop, socket: Duplex): Promise<Sent> {
  return new Promise((resolve) => {
    const sending = request({
      createConnection: () => socket,
      method,
      path: url.path,
      setHost: false,
      headers: {
        accept: "*/*",
        "user-agent": "toolgate",
        ...headers,
        ...(secretHeader !== null && { [secretHeader.name]: secretHeader.prefix + secretHeader.secret.reveal() }),
        "accept-encoding": ACCEPT_ENCODING,
        host: hostHeader(url),
        connection: "close",
        ...((body !== null || HAS_BODY.has(method)) && { "content-length": String(body?.length ?? 0) }),
      },
      maxHeaderSize: HEADER_BYTES_MAX,
      // A lenient parser is how requests and answers are smuggled.
      insecureHTTPParser: false,
      joinDuplicateHeaders: true,
    });
    let interim = 0;
    sending.on("information", () => {
      interim += 1;
      if (interim > INTERIM_MAX) sending.destroy();
    });
    sending.once("response", (response) => resolve({ kind: "answered", response }));
    // Stays for errors behind the head: those are told by the response.
    sending.on("error", (error) => resolve({ kind: isParseError(error) ? "malformed" : "broken" }));
    sending.once("close", () => resolve({ kind: "broken" }));
    sending.end(body ?? undefined);
  });
}

const HAS_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

const isParseError = (error: Error): boolean => "code" in error && String(error.code).startsWith("HPE_");
