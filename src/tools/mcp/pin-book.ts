import type { EntryKind } from "../../domain/entry.ts";
import { isoTime } from "../../domain/iso-time.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PinStore, Pins } from "../../ports/pins.ts";
import { inertText } from "../foreign/inert-text.ts";
import type { Listed } from "./listed.ts";
import type { Malformed } from "./malformed.ts";
import { accepted, type Compared, compared, type Flagging } from "./pinned.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";

export interface PinBookParts {
  readonly clock: Clock;
  readonly pins: PinStore;
  /** Tells the ledger. Null = it knows now. */
  readonly note: (kind: EntryKind, body: JsonObject) => Promise<UpstreamFault | null>;
  readonly upstream: string;
  /** What the ledger calls what is in it. */
  readonly holds: "tools" | "offers" | "code";
  readonly flags: Flagging;
  readonly onChange: () => void;
  readonly onFault: (reason: UpstreamFault) => void;
}

/** What a person has seen of a tool, a prompt or a resource: what it says now, by its digest. */
export interface Shown {
  readonly name: string;
  readonly digest: string;
}

/** A list held against what is pinned. */
interface Seen extends Compared {
  /** There is something to be written. */
  readonly isNews: boolean;
}

/** What is pinned of one upstream: its tools, or its prompts and resources. */
export class PinBook {
  readonly #parts: PinBookParts;
  #pins: Pins | null | undefined;
  #leftOut: readonly Malformed[] = [];
  #noted = "";
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: PinBookParts) {
    this.#parts = parts;
  }

  /** Null: nothing of it was ever seen. */
  get pins(): Pins | null {
    if (this.#pins !== undefined && this.#pins !== null) return this.#pins;
    try {
      this.#pins = this.#read();
    } catch {
      // Not taken for a first sight: what can't be read may hold what a person has not accepted.
      const where = "look at `mcp` in the state directory";
      this.#parts.onFault(fault("BAD_RESPONSE", "what was pinned of it can't be read", where));
      this.#pins = {};
    }
    return this.#pins;
  }

  /** What it listed last that is no definition, and never was one. */
  get leftOut(): readonly Malformed[] {
    return this.#leftOut;
  }

  /** What is new or changed is in the ledger before it is pinned. */
  compare(listed: Listed, otherNames: readonly string[]): Promise<UpstreamFault | null> {
    return this.#inTurn(() => this.#compare(listed, otherNames));
  }

  /**
   * A person's word for what they were shown. The names that are known here.
   * INVARIANT (shown = accepted): what it has said since is not accepted with it.
   */
  accept(shown: readonly Shown[], by: string): Promise<readonly string[] | UpstreamFault> {
    return this.#inTurn(() => this.#alone(() => this.#accept(shown, by)));
  }

  /**
   * INVARIANT (first sight): what is read, told to the ledger and written is one step. Else two connections that are listed at once,
   * each with another definition, would both be seen for the first time, and what a person accepts meanwhile would be written over.
   */
  #inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => {});
    return done;
  }

  /** The same among processes: for what is to be written. */
  async #alone<Result>(step: () => Promise<Result | UpstreamFault>): Promise<Result | UpstreamFault> {
    const done = await this.#parts.pins.alone(this.#place, step);
    if (done.ok) return done.value;
    return fault("LEDGER_UNAVAILABLE", `what is pinned of it can't be changed now (${done.reason})`, "try again");
  }

  async #compare(all: Listed, otherNames: readonly string[]): Promise<UpstreamFault | null> {
    const seen = this.#seen(all, otherNames);
    // Most lists are what they were: nobody is waited for.
    if (!seen.isNews) return await this.#pin(seen, all);
    return await this.#alone(() => this.#pin(this.#seen(all, otherNames), all));
  }

  #seen({ listed, malformed }: Listed, otherNames: readonly string[]): Seen {
    const { clock, flags } = this.#parts;
    const before = this.#read(); // another process may have accepted something
    const at = isoTime(clock.nowMs());
    const found = compared(listed, before ?? {}, { at, otherNames, flags, malformed });
    const { added, changed, restored, broken } = found;
    const news = added.length + changed.length + restored.length + Object.keys(broken).length;
    return { ...found, isNews: before === null || news > 0 };
  }

  async #pin(seen: Seen, { malformed }: Listed): Promise<UpstreamFault | null> {
    const { note, upstream, holds } = this.#parts;
    const { pins, added, changed, broken, beyond, isNews } = seen;
    if (beyond > 0) this.#parts.onFault(fault("BAD_RESPONSE", `it has offered ${beyond} ${holds} more than are kept`));
    for (const [kind, names] of [
      ["upstream.pinned", added],
      ["upstream.changed", changed],
    ] as const) {
      if (names.length === 0) continue;
      const digests = Object.fromEntries(names.map((name) => [name, digestIn(pins, name)]));
      const unknown = await note(kind, { upstream, [holds]: digests });
      if (unknown !== null) return unknown;
    }
    const unknown = await this.#noteMalformed(broken, malformed, pins);
    if (unknown !== null) return unknown;
    if (isNews) this.#keep(pins);
    else this.#pins = pins;
    return null;
  }

  /** Of what was pinned each time that it breaks; of what never was once in the life of this gate, as it changes nothing. */
  async #noteMalformed(
    broken: Readonly<Record<string, string>>,
    malformed: readonly Malformed[],
    pins: Pins,
  ): Promise<UpstreamFault | null> {
    const { note, upstream } = this.#parts;
    if (Object.keys(broken).length > 0) {
      const unknown = await note("upstream.changed", { upstream, malformed: { ...broken } });
      if (unknown !== null) return unknown;
    }
    this.#leftOut = malformed.filter(({ name }) => name === null || !Object.hasOwn(pins, name));
    const fresh = this.#leftOut.map(({ name, because }) => [shownName(name), because]);
    const text = JSON.stringify(fresh);
    if (fresh.length === 0 || text === this.#noted) return null;
    this.#noted = text;
    return await note("upstream.pinned", { upstream, malformed: Object.fromEntries(fresh) });
  }

  async #accept(shown: readonly Shown[], by: string): Promise<readonly string[] | UpstreamFault> {
    const { clock, note, upstream, holds } = this.#parts;
    const at = isoTime(clock.nowMs());
    const pins = { ...(this.#read() ?? {}) };
    const known = shown.flatMap(({ name, digest }) =>
      Object.hasOwn(pins, name) && digestIn(pins, name) === digest && pins[name]?.malformed === undefined ? [name] : [],
    );
    // Without a prototype: a tool may be called `__proto__`.
    const body: Record<string, JsonObject> = Object.create(null);
    for (const name of known) {
      const pin = pins[name];
      if (pin === undefined) continue;
      pins[name] = accepted(pin, { at, by });
      body[name] = { from: pin.digest, to: pins[name].digest };
    }
    if (known.length === 0) return known;
    const unknown = await note("upstream.accepted", { upstream, by, [holds]: { ...body } });
    if (unknown !== null) return unknown;
    this.#keep(pins);
    return known;
  }

  #keep(pins: Pins): void {
    this.#parts.pins.write(this.#place, pins);
    this.#pins = pins;
    this.#parts.onChange();
  }

  #read(): Pins | null {
    return this.#parts.pins.read(this.#place);
  }

  get #place(): string {
    const { upstream, holds } = this.#parts;
    return holds === "tools" ? upstream : `${upstream}.${holds}`;
  }
}

const NAME_MAX = 200;

const shownName = (name: string | null): string => (name === null ? "(no name)" : inertText(name).slice(0, NAME_MAX));

const digestIn = (pins: Pins, name: string): string => pins[name]?.changed?.digest ?? pins[name]?.digest ?? "";
