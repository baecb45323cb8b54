import type { RawCall } from "../domain/call.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Op } from "../pipeline/foresee.ts";
import type { BatchCalls, GateCall } from "./gate-call.ts";
import { noSession } from "./whose-session.ts";

/** One of a batch as the pipeline takes it. */
interface RawBatchCall {
  readonly raw: RawCall;
  readonly op: Op;
  /** Why it is no call; null = it is one. */
  readonly refusal: Refusal | null;
}

/** The calls of a batch, each once its tool can be told. */
export async function* rawCallsFrom(
  calls: BatchCalls,
  settled: (tool: string) => Promise<void> | null,
  rawOf: (call: GateCall) => RawCall,
): AsyncGenerator<RawBatchCall> {
  for await (const call of calls) {
    const refusal = "refusal" in call ? call.refusal : noSession(call);
    if (refusal === null) await settled(call.tool);
    yield { raw: rawOf(call), op: call.op ?? "call", refusal };
  }
}
