import type { CallFacts } from "../../domain/call-facts.ts";
import type { EntryKind } from "../../domain/entry.ts";
import { isoTime } from "../../domain/iso-time.ts";
import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { UpstreamSpec, UpstreamTool, UpstreamWay } from "../../domain/upstream.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PinStore, Pins } from "../../ports/pins.ts";
import type { Web } from "../../ports/web.ts";
import { accepted, compared, digestOfTool } from "./pinned.ts";
import { closedByRule, type StartPorts, startProgram } from "./start-program.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";

export interface UpstreamParts extends StartPorts {
  readonly clock: Clock;
  readonly web: Web;
  readonly pins: PinStore;
  /** Tells the ledger. Null = it knows now. */
  readonly note: (kind: EntryKind, body: JsonObject) => Promise<UpstreamFault | null>;
  /** Names of tools that are not this upstream's. */
  readonly otherNames: () => readonly string[];
  readonly facts: (spec: UpstreamSpec) => CallFacts;
}

/** A connection with what its upstream offers on it now. */
export interface Spoken {
  readonly connection: UpstreamConnection;
  /** By the upstream's own names. */
  readonly digests: ReadonlyMap<string, string>;
}

export interface Health {
  readonly state: "idle" | "connected" | "failed";
  readonly failures: number;
  readonly last: string | null;
}

const SHARED = "";
const BACKOFF_MS = 250;

/**
 * One upstream server: started when it is first needed, again after it has ended, and left alone for a while where that
 * fails. INVARIANT (pinned): what it offers is held against what was seen first, each time that it is listed.
 */
export class Upstream {
  readonly spec: UpstreamSpec;
  readonly #parts: UpstreamParts;
  readonly #onPins: () => void;
  readonly #open = new Map<string, Promise<Spoken | UpstreamFault>>();
  readonly #stop = new AbortController();
  #pins: Pins | null | undefined;
  #failures = 0;
  #notBeforeMs = 0;
  #last: UpstreamFault | null = null;

  constructor(spec: UpstreamSpec, parts: UpstreamParts, onPins: () => void) {
    this.spec = spec;
    this.#parts = parts;
    this.#onPins = onPins;
  }

  /** Null: nothing of it was ever seen. */
  get pins(): Pins | null {
    if (this.#pins !== undefined && this.#pins !== null) return this.#pins;
    try {
      this.#pins = this.#readPins();
    } catch {
      // Not taken for a first sight: what can't be read may hold what a person has not accepted.
      this.#last = fault("BAD_RESPONSE", "what was pinned of it can't be read", "look at `mcp` in the state directory");
      this.#pins = {};
    }
    return this.#pins;
  }

  get health(): Health {
    const state = this.#open.size > 0 ? "connected" : this.#last === null ? "idle" : "failed";
    return { state, failures: this.#failures, last: this.#last?.message ?? null };
  }

  /** A connection for this session, opened where there is none. */
  async use(sessionId: string): Promise<Spoken | UpstreamFault> {
    const key = this.spec.connection === "session" ? sessionId : SHARED;
    const known = this.#open.get(key);
    if (known !== undefined) return await known;
    const waitMs = this.#notBeforeMs - this.#parts.clock.monotonicMs();
    if (waitMs > 0) return this.#left(waitMs);
    await this.#makeRoom();
    const opening = this.#connect(key);
    this.#open.set(key, opening);
    const opened = await opening;
    if ("code" in opened) this.#failed(key, opened);
    return opened;
  }

  /** It has answered: whatever was wrong is over. */
  answered(): void {
    this.#failures = 0;
    this.#notBeforeMs = 0;
    this.#last = null;
  }

  /** A person's word for what it says now: of one tool, or of all that are held back. Their names. */
  async accept(names: readonly string[], by: string): Promise<readonly string[] | UpstreamFault> {
    const at = isoTime(this.#parts.clock.nowMs());
    const pins = { ...(this.#readPins() ?? {}) };
    const known = names.filter((name) => Object.hasOwn(pins, name));
    const body: Record<string, JsonObject> = {};
    for (const name of known) {
      const pin = pins[name];
      if (pin === undefined) continue;
      pins[name] = accepted(pin, { at, by });
      body[name] = { from: pin.digest, to: pins[name].digest };
    }
    if (known.length === 0) return known;
    const unknown = await this.#parts.note("upstream.accepted", { upstream: this.spec.name, by, tools: body });
    if (unknown !== null) return unknown;
    this.#keep(pins);
    return known;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map(async (opening) => closeOf(await opening)));
  }

  async #connect(key: string): Promise<Spoken | UpstreamFault> {
    const { UpstreamConnection } = await import("./upstream-connection.ts");
    const over = await this.#reach();
    if ("code" in over) return over;
    const listeners = {
      onToolsChanged: () => void this.#listAgain(key),
      onClosed: () => this.#closed(key),
    };
    const connection = await UpstreamConnection.open(over, listeners, this.#stop.signal);
    if ("code" in connection) return connection;
    const listed = await this.#list(connection);
    if ("code" in listed) await connection.close();
    return listed;
  }

  async #reach() {
    const { spec } = this;
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
    const started = await startProgram(
      { ...spec, way: way as Extract<UpstreamWay, { kind: "stdio" }> },
      this.#parts,
      told,
      this.#stop.signal,
    );
    return "code" in started ? started : started.program;
  }

  async #listAgain(key: string): Promise<void> {
    const known = await this.#open.get(key);
    if (known === undefined || "code" in known) return;
    const listing = this.#list(known.connection);
    this.#open.set(key, listing);
    const listed = await listing;
    if ("code" in listed) await known.connection.close();
  }

  async #list(connection: UpstreamConnection): Promise<Spoken | UpstreamFault> {
    try {
      const tools = (await connection.tools()).filter(isOfBearableSize);
      const told = await this.#compare(tools);
      if (told !== null) return told;
      return { connection, digests: new Map(tools.map((tool) => [tool.name, digestOfTool(tool)])) };
    } catch (error) {
      return fault("BAD_RESPONSE", `its tools can't be listed: ${error instanceof Error ? error.message : "no list"}`);
    }
  }

  /** What is new or changed is in the ledger before it is pinned. */
  async #compare(tools: readonly UpstreamTool[]): Promise<UpstreamFault | null> {
    const { clock, note, otherNames } = this.#parts;
    const before = this.#readPins(); // another process may have accepted something
    const at = isoTime(clock.nowMs());
    const { pins, added, changed, restored } = compared(tools, before ?? {}, { at, otherNames: otherNames() });
    for (const [kind, names] of [
      ["upstream.pinned", added],
      ["upstream.changed", changed],
    ] as const) {
      if (names.length === 0) continue;
      const digests = Object.fromEntries(names.map((name) => [name, digestIn(pins, name)]));
      const unknown = await note(kind, { upstream: this.spec.name, tools: digests });
      if (unknown !== null) return unknown;
    }
    if (before === null || added.length + changed.length + restored.length > 0) this.#keep(pins);
    else this.#pins = pins;
    return null;
  }

  #keep(pins: Pins): void {
    this.#parts.pins.write(this.spec.name, pins);
    this.#pins = pins;
    this.#onPins();
  }

  #readPins(): Pins | null {
    return this.#parts.pins.read(this.spec.name);
  }

  #failed(key: string, reason: UpstreamFault): void {
    this.#open.delete(key);
    this.#last = reason;
    this.#failures++;
    const restMs = Math.min(BACKOFF_MS * 2 ** (this.#failures - 1), LIMITS.upstreamRestMs.default);
    this.#notBeforeMs = this.#parts.clock.monotonicMs() + restMs;
  }

  /** A program that ended by itself. While it is being closed by us, nobody looks for it any more. */
  #closed(key: string): void {
    const opening = this.#open.get(key);
    if (opening === undefined || this.#stop.signal.aborted) return;
    void opening.then((spoken) => {
      if ("code" in spoken || this.#open.get(key) !== opening) return;
      this.#failed(key, fault("CONNECT_FAILED", "it ended by itself"));
    });
  }

  #left(waitMs: number): UpstreamFault {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    const times = this.#failures === 1 ? "once" : `${this.#failures} times in a row`;
    return {
      ...fault(
        "CIRCUIT_OPEN",
        `it failed ${times} (${this.#last?.message ?? "no reason"}), and is tried again in ${seconds} s`,
      ),
      retryAfterMs: waitMs,
    };
  }

  /** Each session has a process of its own: the one that was opened first goes when there are too many. */
  async #makeRoom(): Promise<void> {
    const [oldest] = this.#open.keys();
    if (oldest === undefined || this.#open.size < LIMITS.upstreamConnections.default) return;
    const opening = this.#open.get(oldest);
    this.#open.delete(oldest);
    if (opening !== undefined) await closeOf(await opening);
  }
}

const isOfBearableSize = (tool: UpstreamTool): boolean =>
  JSON.stringify(tool).length <= LIMITS.upstreamDefinitionBytes.default;

const digestIn = (pins: Pins, name: string): string => pins[name]?.changed?.digest ?? pins[name]?.digest ?? "";

const closeOf = async (spoken: Spoken | UpstreamFault): Promise<void> => {
  if (!("code" in spoken)) await spoken.connection.close();
};
