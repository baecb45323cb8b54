import { randomBytes } from "node:crypto";
import { createRequestStateCodec, ProtocolError, type ServerContext } from "@modelcontextprotocol/server";
import { digestOf } from "../../domain/digest.ts";
import type { JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { OpenCall, Raised } from "./open-call.ts";

/** What a client carries from one round to the next. Signed, not secret. */
export interface RoundState {
  readonly approvalId: string;
  readonly nonce: string;
}

interface Kept {
  readonly call: OpenCall;
  readonly question: Raised;
  readonly nonce: string;
  /** Of the tool and the arguments: another call can't be put in the place of the one that was asked about. */
  readonly request: string;
}

/** Enough for everybody who is asked at a time, and not for a client that only ever asks. */
const KEPT_MAX = LIMITS.openQuestions.maximum;
const KEY_BYTES = 32;

/**
 * Calls whose question a client of 2026-07-28 carries along.
 * INVARIANT (single use): a state names one call, is bound to one caller, and is forgotten with the first answer; what is
 * unknown, late, changed or used runs nothing.
 */
export class OpenCalls {
  readonly #kept = new Map<string, Kept>();
  readonly #codec;

  /** `caller`: who makes the request, so that nobody answers in another's place. */
  constructor(caller: (ctx: ServerContext) => string) {
    this.#codec = createRequestStateCodec<RoundState>({
      key: randomBytes(KEY_BYTES),
      ttlSeconds: LIMITS.approvalHighMs.maximum / 1000,
      bind: (ctx) => `${ctx.mcpReq.method}\0${caller(ctx)}`,
    });
  }

  readonly verify = (state: string, ctx: ServerContext): Promise<RoundState> => this.#codec.verify(state, ctx);

  /** The state for the client. Null: too many wait already, and this one can be answered elsewhere only. */
  async keep(
    call: OpenCall,
    question: Raised,
    request: { readonly name: string; readonly input: JsonValue },
    ctx: ServerContext,
  ): Promise<string | null> {
    if (this.#kept.size >= KEPT_MAX) return null;
    const { approvalId } = question;
    const nonce = randomBytes(16).toString("base64url");
    this.#kept.set(approvalId, { call, question, nonce, request: digestOf(request) });
    void call.outcome.finally(() => this.#forgetLater(approvalId));
    return await this.#codec.mint({ approvalId, nonce }, ctx);
  }

  /** The call that a state names, once. Throws what the client is told if there is none. */
  take(
    { approvalId, nonce }: RoundState,
    request: { readonly name: string; readonly input: JsonValue },
  ): Pick<Kept, "call" | "question"> {
    const kept = this.#kept.get(approvalId);
    if (kept === undefined || kept.nonce !== nonce || kept.request !== digestOf(request)) throw stale();
    this.#kept.delete(approvalId);
    return kept;
  }

  /** Everybody who is not waited for any more: the connection is gone. */
  withdrawAll(): void {
    for (const { call } of this.#kept.values()) call.withdraw();
    this.#kept.clear();
  }

  /** Whoever answered elsewhere, its outcome waits a while for the client that asked. */
  #forgetLater(approvalId: string): void {
    if (!this.#kept.has(approvalId)) return;
    setTimeout(() => this.#kept.delete(approvalId), LIMITS.approvalHighMs.default).unref();
  }
}

/** The words of the SDK's own check, so that nobody learns which of the checks it was. */
const stale = (): ProtocolError =>
  new ProtocolError(-32_602, "Invalid or expired requestState", { reason: "invalid_request_state" });
