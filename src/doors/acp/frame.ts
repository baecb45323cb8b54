import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { isRequestId, type RequestId } from "../wire/request-id.ts";
import { strictLine } from "../wire/strict-line.ts";

/** JSON-RPC has `null` for whoever can't tell an id; ACP lets requests have it. */
export type FrameId = RequestId | null;

interface Sent {
  /** As it came: what is forwarded is this, and what is read is a copy. */
  readonly text: string;
}

interface Asking extends Sent {
  readonly method: string;
  /** Empty where there are none, or where they are a list. */
  readonly params: JsonObject;
}

export type Request = Asking & { readonly kind: "request"; readonly id: FrameId };
export type Notification = Asking & { readonly kind: "notification" };
export type Response = Sent & {
  readonly kind: "response";
  readonly id: FrameId;
  /** Undefined: it is an error. */
  readonly result: JsonValue | undefined;
  readonly error: JsonValue | undefined;
};

export type Frame =
  | Request
  | Notification
  | Response
  /** No message. `answer`: for who may wait for one. */
  | { readonly kind: "bad"; readonly answer: object | null; readonly because: string };

/** A line of either side. INVARIANT (one reading): a line with two meanings has none, and is never forwarded. */
export function frameFrom(line: Uint8Array): Frame {
  const read = strictLine(line);
  if (read.kind === "noise") return { kind: "bad", answer: null, because: "a line is no JSON" };
  if (read.kind === "refused") return { kind: "bad", answer: read.answer, because: "a line can be read in two ways" };
  const { message } = read;
  if (!isJsonObject(message) || message["jsonrpc"] !== "2.0") return bad("a line is no JSON-RPC 2.0", message);
  const { id, method, params, result, error } = message;
  const text = new TextDecoder().decode(line).trim();
  if (id !== undefined && id !== null && !isRequestId(id))
    return bad("an id is neither a text nor a whole number", null);
  if (typeof method === "string") {
    // Who looks for an answer first would take it for one, of something else under this id.
    if (result !== undefined || error !== undefined) return bad("a line is question and answer at once", message);
    const asking = { text, method, params: isJsonObject(params) ? params : {} };
    return id === undefined ? { kind: "notification", ...asking } : { kind: "request", id, ...asking };
  }
  const isAnswer = id !== undefined && method === undefined && (result === undefined) !== (error === undefined);
  return isAnswer
    ? { kind: "response", id, text, result, error }
    : bad("a line is neither question nor answer", message);
}

function bad(because: string, message: JsonValue): Frame {
  const given = isJsonObject(message) && "method" in message ? message["id"] : null;
  const id = isRequestId(given) ? given : null;
  return { kind: "bad", because, answer: { jsonrpc: "2.0", id, error: { code: -32_600, message: "Invalid Request" } } };
}
