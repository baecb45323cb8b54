import type { Code } from "../domain/codes.ts";
import type { Secret } from "../domain/secret.ts";
import type { ConnectGrant } from "./egress.ts";

/** A header's value that holds a secret. It is put together where it is sent, and goes to the first host only. */
export interface SecretHeader {
  readonly name: string;
  readonly prefix: string;
  readonly secret: Secret;
}

export interface WebRequest {
  readonly url: string;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly secretHeader?: SecretHeader | undefined;
  readonly body: Uint8Array | null;
  readonly bytesMax: number;
  readonly redirectsMax: number;
  readonly timeoutMs: number;
  /**
   * For answers that are a stream of events: given its head and what comes, as it comes, unpacked. The connection is held
   * until this settles; the time is counted up to the head only, and nothing is kept. The answer then has no body.
   */
  readonly streamed?: (
    head: Pick<WebResponse, "status" | "headers">,
    chunks: AsyncIterable<Uint8Array>,
  ) => Promise<void>;
}

export interface WebFault {
  readonly code: Extract<Code, "EGRESS_BLOCKED" | "CONNECT_FAILED" | "BAD_RESPONSE" | "TIMEOUT">;
  readonly message: string;
  readonly hint?: string;
}

export interface WebResponse {
  readonly status: number;
  /** Names in lower case; several of one name joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** All URLs that were asked for, the last one being that of this answer. */
  readonly urls: readonly [string, ...string[]];
  /** Without its content encoding, as far as it was read. */
  readonly body: Uint8Array;
  /** The body goes on. */
  readonly isCut: boolean;
}

export type WebAnswer =
  | { readonly kind: "answered"; readonly response: WebResponse }
  /** `response`: what came before it broke off. */
  | { readonly kind: "failed"; readonly fault: WebFault; readonly response?: WebResponse }
  /** Something that changes the world was sent, and no answer came: it may have happened. */
  | { readonly kind: "lost" }
  /** It was told to stop, and nothing of it goes on. */
  | { readonly kind: "stopped" };

/** The only way for tools to other machines. */
export interface Web {
  /** Never rejects. Nothing is connected to that the grant does not cover, redirects neither. */
  readonly fetch: (request: WebRequest, grant: ConnectGrant, signal: AbortSignal) => Promise<WebAnswer>;
}
