import { CODES } from "../../domain/codes.ts";
import type { Progress, RunResult } from "../../domain/tool.ts";
import { inertText } from "../foreign/inert-text.ts";
import type { AskOptions } from "./ask-options.ts";
import { readPlace } from "./offers.ts";
import { whyHeldBack } from "./pinned.ts";
import type { Spoken, Upstream } from "./upstream.ts";
import type { UpstreamAnswer } from "./upstream-connection.ts";
import type { UpstreamFault } from "./upstream-fault.ts";
import { changedRefusal, type UpstreamCall } from "./upstream-tool.ts";

/** Sends a call that was judged. INVARIANT (judged = run): only if what is called is, right now, what was judged. */
export async function* callUpstream(
  upstream: Upstream,
  call: UpstreamCall,
  signal: AbortSignal,
): AsyncGenerator<Progress, RunResult, void> {
  const { timeoutMs, sessionId } = call;
  const spoken = await untilAborted(upstream.use(sessionId), signal);
  if (spoken === null) return { kind: "stopped" }; // nothing of the call was sent
  if ("code" in spoken) return notSent(upstream.spec.name, spoken);
  const why = whyNotTheSame(upstream, call, spoken);
  if (why !== null) return changed(upstream.spec.name, call.pinned, why);
  const steps: Progress[] = [];
  let wake = () => {};
  const onProgress = (step: Progress) => {
    steps.push({ ...step, message: inertText(step.message) });
    wake();
  };
  let answer: UpstreamAnswer | null = null;
  const take = (given: UpstreamAnswer): void => {
    answer = given;
    wake();
  };
  // It was sent, and whatever became of it is not known.
  const calling = sent(spoken, call, { signal, timeoutMs: timeoutMs + GRACE_MS, onProgress }).then(take, () =>
    take({ kind: "lost" }),
  );
  for (;;) {
    for (let step = steps.shift(); step !== undefined; step = steps.shift()) yield step;
    if (answer !== null) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  await calling;
  return ended(upstream, answer);
}

function whyNotTheSame(upstream: Upstream, { holds, pinned, digest }: UpstreamCall, spoken: Spoken): string | null {
  const pins = holds === "tools" ? upstream.pins : upstream.offers;
  const pin = pins?.[pinned];
  if (pin === undefined) return "it was never seen";
  const heldBack = whyHeldBack(pin);
  if (heldBack !== null) return heldBack;
  const now = (holds === "tools" ? spoken.digests : spoken.offered).get(pinned);
  if (now === undefined) return "the upstream does not offer it any more";
  return now === digest ? null : MOVED;
}

function sent({ connection }: Spoken, call: UpstreamCall, options: AskOptions): Promise<UpstreamAnswer> {
  const { holds, pinned, input } = call;
  if (holds === "tools") return connection.call(pinned, input, options);
  return call.uri === undefined
    ? connection.prompt(readPlace(pinned)?.name ?? pinned, input, options)
    : connection.read(call.uri, options);
}

/** Null: whoever waits for it has gone. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const stop = () => resolve(null);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", stop));
}

/** The gate itself sees to the time; this is for a client that would wait for ever. */
const GRACE_MS = 60_000;
const MOVED = "its definition is no longer the one that this call was judged with";

function ended(upstream: Upstream, answer: UpstreamAnswer): RunResult {
  switch (answer.kind) {
    case "answered":
      upstream.answered();
      return answer.result;
    case "error":
      upstream.answered();
      return failed("TOOL_FAILED", `the upstream says (${answer.code}): ${inertText(answer.message)}`);
    case "bad":
      return failed("BAD_RESPONSE", inertText(answer.message));
    case "unsent":
      return notSent(upstream.spec.name, answer.fault);
    case "lost":
      return { kind: "lost" };
    default:
      return answer satisfies never;
  }
}

const failed = (code: "TOOL_FAILED" | "BAD_RESPONSE" | "TOOL_CHANGED", message: string): RunResult => ({
  kind: "failed",
  error: { code, message, retryable: false },
  content: [],
});

const changed = (upstream: string, pinned: string, why: string): RunResult => {
  const { message, hint } = changedRefusal(upstream, pinned, why);
  return failed("TOOL_CHANGED", `${message}; ${hint}`);
};

const notSent = (upstream: string, { code, message, hint, retryAfterMs }: UpstreamFault): RunResult => ({
  kind: "failed",
  error: {
    code,
    message: `the upstream \`${upstream}\` can't be used: ${inertText(message)}${hint === undefined ? "" : ` (${hint})`}`,
    retryable: CODES[code].retryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  },
  content: [],
});
