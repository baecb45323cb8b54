import { LIMITS } from "../../domain/limits.ts";
import type { CodeHashes } from "../../domain/operator-code.ts";
import type { UpstreamSpec } from "../../domain/upstream.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PinStore, Pins } from "../../ports/pins.ts";
import { Backoff } from "./backoff.ts";
import { Greeter, type GreeterParts } from "./greeter.ts";
import { KnownNames } from "./known-names.ts";
import { catalogName } from "./legal-name.ts";
import type { Malformed } from "./malformed.ts";
import { missingSecret } from "./missing-secret.ts";
import { offerFlags } from "./offers.ts";
import { Pace } from "./pace.ts";
import { PinBook, type Shown } from "./pin-book.ts";
import type { Flagging } from "./pinned.ts";
import { codeBook, PinnedCode } from "./pinned-code.ts";
import { closeOf, digestsOf, type Spoken } from "./spoken.ts";
import { flagsOf } from "./tool-flags.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";

export interface UpstreamParts extends GreeterParts {
  readonly clock: Clock;
  readonly pins: PinStore;
  /** Names of tools that are not this upstream's. */
  readonly otherNames: () => readonly string[];
  /** Whether a session was closed or has run out: nobody will call in it any more. */
  readonly isOver: (sessionId: string) => boolean;
  readonly codeHashes: CodeHashes;
}

export interface Health {
  readonly state: "idle" | "connected" | "failed";
  /** How many there are: one, or one for each session. */
  readonly connections: number;
  readonly failures: number;
  readonly last: string | null;
}

/** `said`: it has said that something changed. `looked at`: somebody has looked since, and it is still to be compared. */
type Staleness = "said" | "looked at" | "listed";

/** Only looked at: what has changed is not called, and is told when its turn has come. */
type Listing = "held against the pins" | "only looked at";

const SHARED = "";
/** How often is looked for sessions that have ended and whose connections are still there. */
const LOOK_EVERY_MS = 10_000;
/** Of what is wrong with a list; some errors are pages of JSON. */
const SAID_MAX = 400;

/**
 * One upstream server: started when it is first needed, again after it has ended, and left alone for a while where that
 * fails. INVARIANT (pinned): what it offers is held against what was seen first, each time that it is listed.
 */
export class Upstream {
  readonly spec: UpstreamSpec;
  readonly #parts: UpstreamParts;
  readonly #tools: PinBook;
  readonly #offers: PinBook;
  readonly #code: PinnedCode;
  readonly #open = new Map<string, Promise<Spoken | UpstreamFault>>();
  /** What has come of those, where nothing has to be waited for any more. */
  readonly #settled = new WeakMap<Promise<Spoken | UpstreamFault>, Spoken>();
  /** Connections that are to be listed again. */
  readonly #stale = new Map<string, Staleness>();
  readonly #stop = new AbortController();
  readonly #backoff = new Backoff();
  readonly #greeter: Greeter;
  readonly #pace = new Pace();
  #isLooking = false;

  constructor(spec: UpstreamSpec, parts: UpstreamParts, onChange: (what: "tools" | "offers") => void) {
    this.spec = spec;
    this.#parts = parts;
    this.#greeter = new Greeter(spec, parts, this.#stop.signal);
    const onFault = (reason: UpstreamFault) => this.#backoff.noted(reason);
    const book = { ...parts, upstream: spec.name, onFault };
    const flags: Flagging = (names) => {
      const [known, others] = [new KnownNames(names), new KnownNames(parts.otherNames())];
      return (tool) => flagsOf(tool, known, { name: catalogName(spec.prefix, tool.name), others });
    };
    this.#tools = new PinBook({ ...book, holds: "tools", flags, onChange: () => onChange("tools") });
    this.#offers = new PinBook({ ...book, holds: "offers", flags: offerFlags, onChange: () => onChange("offers") });
    this.#code = new PinnedCode(spec, new PinBook(codeBook(book)), parts.codeHashes);
  }

  /** Null: nothing of it was ever seen. */
  get pins(): Pins | null {
    return this.#tools.pins;
  }

  /** Its prompts and resources, by their place: see `offers.ts`. Null: it was never asked for them. */
  get offers(): Pins | null {
    return this.#offers.pins;
  }

  /** The files that it is made of, as one pin. Null: it was never started, or none of its files are known. */
  get code(): Pins | null {
    return this.#code.pins;
  }

  /** What it lists that is no definition, and never was one. */
  get malformed(): readonly Malformed[] {
    return [...this.#tools.leftOut, ...this.#offers.leftOut];
  }

  /** Why it is not even tried; null = it is. */
  get outOfUse(): UpstreamFault | null {
    return missingSecret(this.spec);
  }

  get health(): Health {
    const { outOfUse } = this;
    if (outOfUse !== null) return { state: "failed", connections: 0, failures: 0, last: outOfUse.message };
    const { failures, last } = this.#backoff;
    const state = this.#open.size > 0 ? "connected" : last === null ? "idle" : "failed";
    return { state, connections: this.#open.size, failures, last: last?.message ?? null };
  }

  /** The connection of this session. Null: there is none, or what it offers now is not known. */
  present(sessionId: string): Spoken | null {
    const key = this.#keyOf(sessionId);
    const opening = this.#stale.get(key) === "said" ? undefined : this.#open.get(key);
    return opening === undefined ? null : (this.#settled.get(opening) ?? null);
  }

  #keyOf(sessionId: string): string {
    return this.spec.connection === "session" ? sessionId : SHARED;
  }

  /** A connection for this session, opened where there is none. */
  async use(sessionId: string): Promise<Spoken | UpstreamFault> {
    const { outOfUse } = this;
    if (outOfUse !== null) return outOfUse;
    const key = this.#keyOf(sessionId);
    const known = this.#open.get(key);
    if (known !== undefined) return await this.#looked(key, known);
    const whyNot = this.#backoff.whyNot(this.#parts.clock.monotonicMs()) ?? this.#makeRoom();
    if (whyNot !== null) return whyNot;
    const opening = this.#remember(key, this.#connect(key));
    this.#lookForEnded();
    const opened = await opening;
    if ("code" in opened) this.#failed(key, opened);
    return opened;
  }

  /** It has answered: whatever was wrong is over. */
  answered(): void {
    this.#backoff.over();
  }

  /** A person's word for what they were shown: of tools, prompts and resources. Their names. */
  async accept(shown: readonly Shown[], by: string): Promise<readonly string[] | UpstreamFault> {
    const tools = await this.#tools.accept(shown, by);
    if ("code" in tools) return tools;
    const offers = await this.#offers.accept(shown, by);
    if ("code" in offers) return offers;
    const code = await this.#code.accept(shown, by);
    return "code" in code ? code : [...tools, ...offers, ...code];
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map(async (opening) => closeOf(await opening)));
  }

  async #connect(key: string): Promise<Spoken | UpstreamFault> {
    const heldBack = await this.#code.whyHeldBack();
    if (heldBack !== null) return heldBack;
    const connection = await this.#greeter.open({
      onListChanged: () => void this.#listAgain(key),
      onClosed: (closed) => this.#closed(key, closed),
    });
    if ("code" in connection) return connection;
    const listed = await this.#list(connection, "held against the pins");
    if ("code" in listed) await connection.close();
    return listed;
  }

  #remember(key: string, opening: Promise<Spoken | UpstreamFault>): Promise<Spoken | UpstreamFault> {
    this.#open.set(key, opening);
    const settled = opening.then((spoken) => {
      if (!("code" in spoken)) this.#settled.set(opening, spoken);
    });
    settled.catch(() => {}); // whoever waits for the opening itself is told
    return opening;
  }

  /** However often it says so, it is asked once at a time, in its turn, and once more for all that it said meanwhile. */
  async #listAgain(key: string): Promise<void> {
    const isUnderWay = this.#stale.has(key);
    this.#stale.set(key, "said");
    if (isUnderWay) return;
    while (this.#stale.get(key) !== "listed") {
      await this.#pace.turn(this.#parts.clock, this.#stop.signal);
      let opening = this.#open.get(key);
      let known = await opening;
      // INVARIANT (one list at a time): who calls may have begun to look at it.
      while (this.#open.get(key) !== opening) {
        opening = this.#open.get(key);
        known = await opening;
      }
      this.#stale.set(key, "listed");
      if (known === undefined || "code" in known) break;
      if ("code" in (await this.#again(key, known.connection, "held against the pins"))) break;
    }
    this.#stale.delete(key);
  }

  /** Who calls one that has said that something changed does not wait for its turn: it is looked at once for that call. */
  async #looked(key: string, known: Promise<Spoken | UpstreamFault>): Promise<Spoken | UpstreamFault> {
    const spoken = await known;
    const latest = this.#open.get(key);
    if (latest !== undefined && latest !== known) return await latest; // somebody has looked since
    if ("code" in spoken || latest === undefined || this.#stale.get(key) !== "said") return spoken;
    this.#stale.set(key, "looked at");
    return await this.#again(key, spoken.connection, "only looked at");
  }

  async #again(key: string, connection: UpstreamConnection, how: Listing): Promise<Spoken | UpstreamFault> {
    const listing = this.#remember(key, this.#list(connection, how));
    const listed = await listing;
    if (!("code" in listed)) return listed;
    // Left alone for a while and started anew, as one that could not be listed at first.
    if (this.#open.get(key) === listing) this.#failed(key, listed);
    await connection.close();
    return listed;
  }

  async #list(connection: UpstreamConnection, how: Listing): Promise<Spoken | UpstreamFault> {
    try {
      const tools = await connection.tools(this.#stop.signal);
      const offers = await connection.offers(this.#stop.signal);
      const spoken = { connection, digests: digestsOf(tools.listed), offered: digestsOf(offers.listed) };
      if (how === "only looked at") return spoken;
      const told =
        (await this.#tools.compare(tools, this.#parts.otherNames())) ?? (await this.#offers.compare(offers, []));
      return told ?? spoken;
    } catch (error) {
      const said = error instanceof Error ? error.message.replace(/\s+/g, " ").slice(0, SAID_MAX) : "no list";
      return fault("BAD_RESPONSE", `it can't be listed: ${said}`);
    }
  }

  #failed(key: string, reason: UpstreamFault): void {
    this.#open.delete(key);
    // Only a person's word changes this, and then it is to be tried at once.
    if (reason.code === "TOOL_CHANGED") this.#backoff.noted(reason);
    else this.#backoff.failed(reason, this.#parts.clock.monotonicMs());
  }

  /** A program that ended by itself. While it is being closed by us, nobody looks for it any more. */
  #closed(key: string, closed: UpstreamConnection): void {
    const opening = this.#open.get(key);
    if (opening === undefined || this.#stop.signal.aborted) return;
    void opening.then((spoken) => {
      if ("code" in spoken || spoken.connection !== closed || this.#open.get(key) !== opening) return;
      if (closed.isSessionOver) this.#open.delete(key);
      else this.#failed(key, fault("CONNECT_FAILED", "it ended by itself"));
    });
  }

  /** Each session has a process of its own. Where there are too many, one goes that waits for nothing; else it is said. */
  #makeRoom(): UpstreamFault | null {
    const most = LIMITS.upstreamConnections.default;
    if (this.#open.size < most) return null;
    const idle = [...this.#open.keys()].find((key) => !this.#isBusy(key));
    if (idle === undefined) return fault("CONNECT_FAILED", `all of its ${most} connections are in use`, "try again");
    void this.#drop(idle);
    return null;
  }

  #isBusy(key: string): boolean {
    const opening = this.#open.get(key);
    const spoken = opening && this.#settled.get(opening);
    return spoken === undefined || spoken.connection.isBusy;
  }

  /** Connections of sessions that have ended, and one that was only opened to be listed, are of no use to anybody. */
  #lookForEnded(): void {
    if (this.spec.connection !== "session" || this.#isLooking) return;
    this.#isLooking = true;
    this.#parts.clock.after(LOOK_EVERY_MS, () => {
      this.#isLooking = false;
      const ended = [...this.#open.keys()].filter((key) => key === SHARED || this.#parts.isOver(key));
      for (const key of ended) if (!this.#isBusy(key)) void this.#drop(key);
      if (this.#open.size > 0) this.#lookForEnded();
    });
  }

  async #drop(key: string): Promise<void> {
    const opening = this.#open.get(key);
    this.#open.delete(key);
    if (opening !== undefined) await closeOf(await opening);
  }
}
