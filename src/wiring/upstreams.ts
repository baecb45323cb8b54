import type { CallFacts } from "../domain/call-facts.ts";
import type { EntryDraft } from "../domain/entry.ts";
import type { GovernorSpec } from "../domain/governor-spec.ts";
import { isoTime } from "../domain/iso-time.ts";
import { EVERYTHING } from "../domain/lease.ts";
import type { UpstreamSpec } from "../domain/upstream.ts";
import type { Clock } from "../ports/clock.ts";
import type { Journal } from "../ports/journal.ts";
import type { Pin } from "../ports/pins.ts";
import { GOVERNOR_PREFIX, type GovernorCode, shownAsUpstream } from "../tools/governor/governor-code.ts";
import type { ScriptSpec } from "../tools/governor/script-governor.ts";
import type { DefinitionProblem } from "../tools/lint/definition-problem.ts";
import { catalogName } from "../tools/mcp/legal-name.ts";
import { missingSecret, outOfUse } from "../tools/mcp/missing-secret.ts";
import type { OfferedResource, OfferShelf } from "../tools/mcp/offer-shelf.ts";
import { whyHeldBack } from "../tools/mcp/pinned.ts";
import { changedFiles } from "../tools/mcp/pinned-code.ts";
import type { Health, Upstream, UpstreamParts } from "../tools/mcp/upstream.ts";
import type { UpstreamFault } from "../tools/mcp/upstream-fault.ts";
import { type LeftOut, UpstreamSource } from "../tools/mcp/upstream-source.ts";

export type { LeftOut, OfferedResource, Pin, UpstreamFault, UpstreamSpec };

export interface UpstreamsParts extends Omit<UpstreamParts, "note" | "facts" | "otherNames" | "pins"> {
  readonly specs: readonly UpstreamSpec[];
  readonly pins: UpstreamParts["pins"];
  readonly taken: () => Iterable<string>;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly signature: Pick<EntryDraft, "project" | "sessionId" | "actor">;
  readonly governors: {
    readonly code: GovernorCode;
    /** Those in force. */
    readonly specs: () => readonly GovernorSpec[];
  };
}

/** A tool of an upstream as people look at it. */
export interface SeenTool {
  /** In the catalog. */
  readonly name: string;
  readonly pin: Pin;
  readonly heldBack: string | null;
}

export interface SeenUpstream {
  readonly spec: UpstreamSpec;
  readonly health: Health;
  readonly tools: readonly SeenTool[];
  /** Its prompts and resources, by the names that rules and calls have for them. */
  readonly offers: readonly SeenTool[];
  /** What it is made of, as one thing that is pinned; empty if nothing of that is known. */
  readonly code: readonly SeenTool[];
  readonly leftOut: readonly LeftOut[];
}

const told = (upstream: string, fault: UpstreamFault): string =>
  `${outOfUse(upstream, fault)}${fault.hint === undefined ? "" : ` (${fault.hint})`}`;

/** Records what is pinned, changed and accepted. */
export const pinNotes =
  ({ journal, signature, clock }: Pick<UpstreamsParts, "journal" | "signature" | "clock">): UpstreamParts["note"] =>
  async (kind, body) => {
    const at = isoTime(clock.nowMs());
    const committed = await journal.note({ at, kind, ...signature, callId: null, planDigest: null, body });
    if (committed.kind === "committed") return null;
    const { message, hint } = committed.refusal;
    return { code: "LEDGER_UNAVAILABLE", message, ...(hint !== undefined && { hint }) };
  };

function whyChanged(pin: Pin): string | null {
  const changed = changedFiles(pin);
  return changed.length === 0 ? null : `its code changed since it was pinned: ${changed.join(", ")}`;
}

/** Of what it says now, whether or not that is in force. */
export const digestNow = ({ changed, digest }: Pin): string => changed?.digest ?? digest;

/** Upstream servers as doors see them: what there is of each, asking one anew, and a person's word for a change. */
export class Upstreams {
  readonly source: UpstreamSource;
  readonly #actor: string;
  readonly #clock: Clock;
  readonly #governors: UpstreamsParts["governors"];
  readonly #workspace: string;

  constructor({ journal, signature, governors, ...parts }: UpstreamsParts) {
    this.#actor = signature.actor;
    this.#clock = parts.clock;
    this.#governors = governors;
    this.#workspace = parts.files.workspace;
    this.source = new UpstreamSource({
      ...parts,
      note: pinNotes({ journal, signature, clock: parts.clock }),
      facts: ({ name }): CallFacts => ({
        tool: name,
        source: "mcp",
        containment: "upstream",
        touches: [],
        input: {},
        actor: signature.actor,
        project: signature.project,
        session: { id: signature.sessionId, project: signature.project, lease: EVERYTHING },
        nowMs: parts.clock.nowMs(),
      }),
    });
  }

  /**
   * Comes back once all tools are known: those that nobody has seen yet have been asked. `withinMs`: or after that time,
   * for who is told of what comes later.
   */
  async ready({ withinMs }: { readonly withinMs?: number } = {}): Promise<void> {
    const pending = this.source.pending();
    if (pending === null || withinMs === undefined) return void (await pending);
    const { promise, resolve } = Promise.withResolvers<void>();
    const forget = this.#clock.after(withinMs, resolve);
    await Promise.race([pending, promise]).finally(forget);
  }

  /** Called when tools have come or gone. */
  onToolsChanged(listener: () => void): () => void {
    return this.source.onChange((what) => what === "tools" && listener());
  }

  /** Called when prompts or resources have. */
  onOffersChanged(listener: () => void): () => void {
    return this.source.onChange((what) => what === "offers" && listener());
  }

  /** Those that `ready` asks. */
  get unseen(): readonly string[] {
    return this.source.unseen.map(({ spec }) => spec.name);
  }

  get areAny(): boolean {
    return this.source.upstreams.length > 0;
  }

  /** Prompts and resources. To get one is a call of the tool that it names. */
  get offers(): Pick<OfferShelf, "prompts" | "resources" | "templates" | "readerOf"> {
    return this.source.offers;
  }

  /** What is wrong with them as far as it is known without asking any. */
  problems(): readonly DefinitionProblem[] {
    const problem = (tool: string, level: "error" | "warning", rule: string, message: string) =>
      ({ tool, level, field: "", rule, message }) as const;
    return this.list().flatMap(({ spec, tools, offers, code, leftOut }) => {
      const fault = missingSecret(spec);
      const held = [...tools, ...offers, ...code].flatMap(({ name, heldBack }) =>
        heldBack === null ? [] : [{ name, heldBack }],
      );
      return [
        ...(fault === null ? [] : [problem(spec.name, "error", "secret", told(spec.name, fault))]),
        ...held.map(({ name, heldBack }) => problem(name, "warning", "held_back", `it is held back: ${heldBack}`)),
        ...leftOut.map(({ tool, because }) =>
          problem(spec.name, "warning", "left_out", `\`${tool}\` is left out: ${because}`),
        ),
      ];
    });
  }

  list(): readonly SeenUpstream[] {
    return this.source.upstreams.map((upstream) => this.#seen(upstream));
  }

  /** Asks it what it offers now. Null: there is none of this name. */
  async look(name: string): Promise<{ readonly seen: SeenUpstream; readonly fault: UpstreamFault | null } | null> {
    const governor = this.#governor(name);
    if (governor !== undefined) return await this.#lookAtGovernor(governor);
    const upstream = this.#find(name);
    if (upstream === undefined) return null;
    const spoken = await upstream.use("");
    return { seen: this.#seen(upstream), fault: "code" in spoken ? spoken : null };
  }

  /** Takes what was shown as what they are, and nothing that they have said since. The names that were accepted. */
  async accept(name: string, shown: readonly SeenTool[]): Promise<readonly string[] | UpstreamFault> {
    const told = shown.map(({ pin }) => ({ name: pin.definition.name, digest: digestNow(pin) }));
    if (this.#governor(name) !== undefined) return await this.#governors.code.accept(told, this.#actor);
    return (await this.#find(name)?.accept(told, this.#actor)) ?? [];
  }

  /** A script governor by the name `governor:ID`. */
  #governor(name: string): ScriptSpec | undefined {
    const found = this.#governors.specs().find(({ id }) => `${GOVERNOR_PREFIX}${id}` === name);
    return found?.way.kind === "script" ? (found as ScriptSpec) : undefined;
  }

  /** Nothing of it is started: only its files are looked at. */
  async #lookAtGovernor(governor: ScriptSpec) {
    const { code } = this.#governors;
    const fault = await code.whyHeldBack(governor);
    const pin = code.pinOf(governor.id);
    const name = `${GOVERNOR_PREFIX}${governor.id}/code`;
    const seen: SeenUpstream = {
      spec: shownAsUpstream(governor, this.#workspace),
      health: { state: "idle", connections: 0, failures: 0, last: fault?.message ?? null },
      code: pin === null ? [] : [{ name, pin, heldBack: whyChanged(pin) }],
      ...{ tools: [], offers: [], leftOut: [] },
    };
    return { seen, fault };
  }

  #find(name: string): Upstream | undefined {
    return this.source.upstreams.find(({ spec }) => spec.name === name);
  }

  #seen(upstream: Upstream): SeenUpstream {
    const { spec, health, pins, offers: others, code: files } = upstream;
    const seen = (all: typeof pins, nameOf: (own: string) => string): readonly SeenTool[] =>
      Object.values(all ?? {}).map((pin) => ({ name: nameOf(pin.definition.name), pin, heldBack: whyHeldBack(pin) }));
    const tools = seen(pins, (own) => catalogName(spec.prefix, own));
    const offers = seen(others, (place) => `${spec.name}/${place}`);
    const code = seen(files, () => `${spec.name}/code`).map((one) => ({ ...one, heldBack: whyChanged(one.pin) }));
    return {
      spec,
      health,
      tools,
      offers,
      code,
      leftOut: this.source.leftOut().filter((one) => one.upstream === spec.name),
    };
  }
}
