import type { CallToolResult } from "@modelcontextprotocol/server";
import type { JsonValue } from "../../domain/json.ts";
import { requestOf } from "./call-tool.ts";
import { type CallParts, type MakingParts, openCall } from "./governed-call.ts";
import { SERVER_INFO } from "./mcp-server.ts";
import type { OpenCall } from "./open-call.ts";
import { type PlainCall, plainCall } from "./plain-call.ts";
import { isPlainResult } from "./plain-result.ts";

/** As many kinds of clients as anybody has; one more goes the long way. */
const KNOWN_MAX = 1000;
/** A client's name, version and capabilities take less. Together no more than a few megabytes, whoever sends what. */
const ENVELOPE_LENGTH_MAX = 4096;

/** The envelopes that the SDK has let through: what it said yes to once, word for word, it says yes to again. */
export class KnownEnvelopes {
  readonly #known = new Set<string>();
  readonly #roots: CallParts["roots"];

  /** `roots`: whether a client that has some is asked for them before its call is one. Then none of its calls is plain. */
  constructor(roots: CallParts["roots"]) {
    this.#roots = roots;
  }

  /** A call that need not be looked at by the SDK. Null: it must be. */
  plain(message: JsonValue | undefined): PlainCall | null {
    const plain = plainCall(message);
    return plain !== null && this.#known.has(plain.meta) ? plain : null;
  }

  /** To be called where the SDK has handed a call on. */
  accepted(message: JsonValue | undefined): void {
    const plain = this.#known.size < KNOWN_MAX ? plainCall(message) : null;
    if (plain === null || plain.meta.length > ENVELOPE_LENGTH_MAX) return;
    if (this.#roots === "settled" || !hasRoots(plain.meta)) this.#known.add(plain.meta);
  }
}

function hasRoots(meta: string): boolean {
  const said: unknown = meta === "" ? {} : JSON.parse(meta);
  const { [CAPABILITIES]: capabilities } = said as { readonly [CAPABILITIES]?: { readonly roots?: unknown } | null };
  return capabilities?.roots !== undefined;
}

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** How a call went that was made beside the SDK. */
export type Quick =
  | { readonly kind: "answered"; readonly message: object }
  /** A person is asked, the wire has an error for it, or it may be no result: the SDK knows how to say so, and goes on with this very call. */
  | { readonly kind: "left"; readonly call: OpenCall | null };

/**
 * Makes a call without the SDK, which parses, checks and copies each several times over, for features that most don't use.
 * INVARIANT (made once): a call that was begun here is the one that the SDK goes on with.
 */
export async function quickCall(
  { id, name, input }: PlainCall,
  parts: MakingParts,
  begun: (call: OpenCall) => void,
): Promise<Quick> {
  const request = requestOf({ name, arguments: input }, id, parts);
  if ("refused" in request) return { kind: "left", call: null };
  const call = await openCall(request, id, parts);
  begun(call);
  const event = await call.next();
  if (event.kind === "asked") return { kind: "left", call };
  try {
    const result = request.told(event.outcome);
    if (!isPlainResult(result)) return { kind: "left", call };
    return { kind: "answered", message: { result: onWire(result, parts.era), jsonrpc: "2.0", id } };
  } catch {
    return { kind: "left", call };
  }
}

const SERVER_INFO_META = "io.modelcontextprotocol/serverInfo";

/** What the SDK adds to a result of 2026-07-28. */
const onWire = (result: CallToolResult, era: CallParts["era"]): object =>
  era === "legacy"
    ? result
    : { ...result, resultType: "complete", _meta: { ...result._meta, [SERVER_INFO_META]: SERVER_INFO } };
