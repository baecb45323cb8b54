import type { Tool } from "../../domain/call.ts";
import { CODES } from "../../domain/codes.ts";
import type { Progress, RunResult } from "../../domain/tool.ts";
import type { UpstreamSpec } from "../../domain/upstream.ts";
import type { ToolSource } from "../../ports/tool-source.ts";
import { inertText } from "./inert-text.ts";
import { whyHeldBack } from "./pinned.ts";
import { Upstream, type UpstreamParts } from "./upstream.ts";
import type { UpstreamAnswer } from "./upstream-connection.ts";
import type { UpstreamFault } from "./upstream-fault.ts";
import { resultFrom } from "./upstream-result.ts";
import { catalogName, changedRefusal, type UpstreamCall, upstreamTool } from "./upstream-tool.ts";

export interface SourceParts extends Omit<UpstreamParts, "otherNames"> {
  readonly specs: readonly UpstreamSpec[];
  /** Names that are taken: those of the gate's own tools. */
  readonly taken: () => Iterable<string>;
}

/** A tool that is not in the catalog, and why. */
export interface LeftOut {
  readonly upstream: string;
  readonly tool: string;
  readonly because: string;
}

/**
 * All upstreams as one source. What was seen of them before is there at once, without starting any; one that was never
 * seen is asked when somebody wants to know all tools.
 */
export class UpstreamSource implements ToolSource {
  readonly upstreams: readonly Upstream[];
  readonly #parts: SourceParts;
  readonly #listeners = new Set<() => void>();
  #built: { readonly tools: ReadonlyMap<string, Tool>; readonly leftOut: readonly LeftOut[] } | null = null;
  #asked: Promise<void> | null = null;
  #isAsked = false;

  constructor(parts: SourceParts) {
    this.#parts = parts;
    const otherNames = () => [...parts.taken(), ...this.#known().tools.keys()];
    this.upstreams = parts.specs.map(
      (spec) => new Upstream(spec, { ...parts, otherNames: () => without(otherNames(), spec) }, () => this.changed()),
    );
  }

  tools(): Iterable<Tool> {
    return this.#known().tools.values();
  }

  find(name: string): Tool | undefined {
    return this.#known().tools.get(name);
  }

  leftOut(): readonly LeftOut[] {
    return this.#known().leftOut;
  }

  pending(): Promise<void> | null {
    if (this.#isAsked) return null;
    this.#asked ??= Promise.all(
      this.upstreams.filter(({ pins }) => pins === null).map((upstream) => upstream.use("")),
    ).then(() => {
      this.#isAsked = true;
    });
    return this.#asked;
  }

  /** Tools have come or gone: an upstream's, or the gate's own, whose names are taken. */
  changed(): void {
    this.#built = null;
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
  }

  #known() {
    this.#built ??= this.#build();
    return this.#built;
  }

  /** INVARIANT (no shadowing): a name belongs to whoever had it first, the gate's own tools before all others. */
  #build() {
    const taken = new Set(this.#parts.taken());
    const tools = new Map<string, Tool>();
    const leftOut: LeftOut[] = [];
    for (const upstream of this.upstreams) {
      const { spec } = upstream;
      for (const pin of Object.values(upstream.pins ?? {})) {
        const name = catalogName(spec.prefix, pin.definition.name);
        const leave = (because: string) =>
          leftOut.push({ upstream: spec.name, tool: inertText(pin.definition.name), because });
        if (taken.has(name) || tools.has(name)) {
          leave(`the name \`${name}\` is another tool's`);
          continue;
        }
        if (name.length > NAME_MAX) {
          leave(`the name \`${name.slice(0, NAME_MAX)}…\` is too long`);
          continue;
        }
        try {
          const call = (made: UpstreamCall, signal: AbortSignal) => callUpstream(upstream, made, signal);
          tools.set(name, upstreamTool({ spec, name, pin, files: this.#parts.files, call }));
        } catch (error) {
          leave(error instanceof Error ? error.message : "its definition can't be used");
        }
      }
    }
    return { tools, leftOut };
  }
}

/** MCP takes no longer one. */
const NAME_MAX = 128;

/** Its own names don't look like each other's only because it has them. */
const without = (names: readonly string[], { prefix }: UpstreamSpec): readonly string[] =>
  prefix === "" ? names : names.filter((name) => !name.startsWith(prefix));

/** Sends a call that was judged. INVARIANT (judged = run): only if the upstream's tool is, right now, what was judged. */
async function* callUpstream(
  upstream: Upstream,
  { toolName, digest, input, sessionId, timeoutMs }: UpstreamCall,
  signal: AbortSignal,
): AsyncGenerator<Progress, RunResult, void> {
  const spoken = await untilAborted(upstream.use(sessionId), signal);
  if (spoken === null) return { kind: "stopped" }; // nothing of the call was sent
  if ("code" in spoken) return notSent(upstream.spec.name, spoken);
  const pin = upstream.pins?.[toolName];
  const heldBack = pin === undefined ? "it was never seen" : whyHeldBack(pin);
  const now = spoken.digests.get(toolName);
  const why =
    heldBack ?? (now === undefined ? "the upstream does not offer it any more" : now === digest ? null : MOVED);
  if (why !== null) return changed(upstream.spec.name, toolName, why);
  const steps: Progress[] = [];
  let wake = () => {};
  const onProgress = (step: Progress) => {
    steps.push({ ...step, message: inertText(step.message) });
    wake();
  };
  let answer: UpstreamAnswer | null = null;
  const calling = spoken.connection
    .call(toolName, input, { signal, timeoutMs: timeoutMs + GRACE_MS, onProgress })
    .then((given) => {
      answer = given;
      wake();
    });
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
      return resultFrom(answer.result);
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

const changed = (upstream: string, toolName: string, why: string): RunResult => {
  const { message, hint } = changedRefusal(upstream, toolName, why);
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
