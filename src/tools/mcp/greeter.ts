import type { EntryKind } from "../../domain/entry.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { UpstreamSpec, UpstreamWay } from "../../domain/upstream.ts";
import type { Web } from "../../ports/web.ts";
import { closedByRule } from "../operator/closed-by-rule.ts";
import { runnerHint } from "./runner-hint.ts";
import { startUpstream, type UpstreamStartPorts } from "./start-upstream.ts";
import type { Greeting } from "./upstream-client.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";

export interface GreeterParts extends UpstreamStartPorts {
  readonly web: Web;
  /** Tells the ledger. Null = it knows now. */
  readonly note: (kind: EntryKind, body: JsonObject) => Promise<UpstreamFault | null>;
}

interface Listening {
  readonly onListChanged: () => void;
  /** A connection that was handed out. */
  readonly onClosed: (closed: UpstreamConnection) => void;
}

/** Opens connections to an upstream: starts its program or finds its address, and settles which era it is of. */
export class Greeter {
  readonly #spec: UpstreamSpec;
  readonly #parts: GreeterParts;
  readonly #signal: AbortSignal;
  #greeting: Greeting;

  constructor(spec: UpstreamSpec, parts: GreeterParts, signal: AbortSignal) {
    this.#spec = spec;
    this.#greeting = firstGreeting(spec);
    this.#parts = parts;
    this.#signal = signal;
  }

  /** Once more where what became of it says how it is to be greeted instead. */
  async open(listening: Listening): Promise<UpstreamConnection | UpstreamFault> {
    let greeting = this.#greeting;
    let opened = await this.#start(listening, greeting);
    const other = "code" in opened && !this.#signal.aborted ? otherGreeting(opened, greeting) : null;
    if (other !== null) {
      greeting = other;
      opened = await this.#start(listening, greeting);
    }
    if ("code" in opened) {
      this.#greeting = firstGreeting(this.#spec);
      return { ...runnerHint(this.#spec), ...opened };
    }
    // What is known of it saves the time of asking, for as long as it holds.
    this.#greeting = opened.isOld ? "handshake" : greeting;
    return opened;
  }

  async #start(listening: Listening, greeting: Greeting): Promise<UpstreamConnection | UpstreamFault> {
    const { UpstreamConnection } = await import("./upstream-connection.ts");
    const over = await this.#reach();
    if ("code" in over) return over;
    let opened: UpstreamConnection | UpstreamFault | null = null;
    const listeners = {
      onListChanged: listening.onListChanged,
      onClosed: () => {
        if (opened !== null && !("code" in opened)) listening.onClosed(opened);
      },
    };
    opened = await UpstreamConnection.open(over, listeners, greeting, this.#signal);
    return opened;
  }

  async #reach() {
    const spec = this.#spec;
    const { way } = spec;
    if (way.kind === "http") {
      const closed = closedByRule(way.url, this.#parts.rules(), this.#parts.facts(spec));
      if (closed !== null) return closed;
      const told = await this.#parts.note("upstream.started", { upstream: spec.name, url: way.url });
      return told ?? { way, web: this.#parts.web, timeoutMs: spec.timeoutMs };
    }
    const missing = this.#parts.sandbox.missing();
    if (missing !== null)
      return fault(missing.code === "CONFLICT" ? "SPAWN_FAILED" : missing.code, missing.message, missing.hint);
    const told = ({ argv, grant }: { readonly argv: readonly string[]; readonly grant: object }) =>
      this.#parts.note("upstream.started", { upstream: spec.name, argv, grant: { ...grant } as JsonObject });
    const started = await startUpstream(
      { ...spec, way: way as Extract<UpstreamWay, { kind: "stdio" }> },
      this.#parts,
      told,
      this.#signal,
    );
    return "code" in started ? started : started.program;
  }
}

/** Who is reached by HTTP always answers, some of them late. */
const firstGreeting = ({ way }: UpstreamSpec): Greeting => (way.kind === "http" ? "asked at length" : "asked");

/**
 * Some programs of before 2026-07-28 end at any question that comes before the handshake. One of 2026-07-28 that starts slowly has
 * been taken for one of before, and is given the time that it needs. Null: neither is the case.
 */
export function otherGreeting(
  { hasEnded, isLate }: Pick<UpstreamFault, "hasEnded" | "isLate">,
  greeting: Greeting,
): Greeting | null {
  if (isLate && greeting === "asked") return "asked at length";
  return hasEnded && greeting !== "handshake" ? "handshake" : null;
}
