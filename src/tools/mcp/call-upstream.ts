import { CODES } from "../../domain/codes.ts";
import type { Progress, RunResult } from "../../domain/tool.ts";
import { inertText } from "../foreign/inert-text.ts";
import type { AskOptions } from "./ask-options.ts";
import { CallSteps } from "./call-steps.ts";
import { readPlace } from "./offers.ts";
import { whyHeldBack } from "./pinned.ts";
import type { Spoken } from "./spoken.ts";
import type { Upstream } from "./upstream.ts";
import type { UpstreamAnswer } from "./upstream-answer.ts";
import type { UpstreamFault } from "./upstream-fault.ts";
import { changedRefusal, type UpstreamCall } from "./upstream-tool.ts";

/** Sends a call that was judged. INVARIANT (judged = run): only if what is called is, right now, what was judged. */
export function callUpstream(
  upstream: Upstream,
  call: UpstreamCall,
  signal: AbortSignal,
): AsyncIterator<Progress, RunResult, void> {
  const steps = new CallSteps();
  const present = upstream.present(call.sessionId);
  if (present !== null && !signal.aborted) send(upstream, call, present, signal, steps);
  else
    untilAborted(upstream.use(call.sessionId), signal)
      .then((spoken) => {
        if (spoken === null || signal.aborted)
          steps.end({ kind: "stopped" }); // nothing of the call was sent
        else if ("code" in spoken) steps.end(notSent(upstream.spec.name, spoken));
        else send(upstream, call, spoken, signal, steps);
      })
      .catch((cause: unknown) => steps.fail(cause));
  return steps;
}

function send(upstream: Upstream, call: UpstreamCall, spoken: Spoken, signal: AbortSignal, steps: CallSteps): void {
  const why = whyNotTheSame(upstream, call, spoken);
  if (why !== null) {
    steps.end(changed(upstream.spec.name, call.pinned, why));
    return;
  }
  const onProgress = (step: Progress) => steps.progress({ ...step, message: shortened(step.message) });
  const end = (answer: UpstreamAnswer) => steps.end(ended(upstream, answer));
  sent(spoken, call, { signal, timeoutMs: call.timeoutMs + GRACE_MS, onProgress })
    // It was sent, and whatever became of it is not known.
    .then(end, () => end({ kind: "lost" }))
    .catch((cause: unknown) => steps.fail(cause));
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

/** As much as anybody reads of an error or a step. What a tool has to say of any length is its content, which is cut and kept. */
const SAID_MAX = 4000;

const shortened = (said: string): string =>
  inertText(said.length <= SAID_MAX ? said : `${said.slice(0, SAID_MAX)}… (${said.length - SAID_MAX} characters more)`);

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
      return failed("TOOL_FAILED", `the upstream says (${answer.code}): ${shortened(answer.message)}`);
    case "missing":
      upstream.answered();
      return failed("FILE_NOT_FOUND", "the upstream has no resource of this address");
    case "bad":
      return failed("BAD_RESPONSE", shortened(answer.message.replace(/\s+/g, " ")));
    case "unsent":
      return notSent(upstream.spec.name, answer.fault);
    case "lost":
      return { kind: "lost" };
    default:
      return answer satisfies never;
  }
}

const failed = (
  code: "TOOL_FAILED" | "FILE_NOT_FOUND" | "BAD_RESPONSE" | "TOOL_CHANGED",
  message: string,
): RunResult => ({
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
