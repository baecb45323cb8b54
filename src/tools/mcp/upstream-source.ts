import type { Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { UpstreamSpec } from "../../domain/upstream.ts";
import type { Pin } from "../../ports/pins.ts";
import type { ToolSource } from "../../ports/tool-source.ts";
import type { PatternRoom } from "../../schema/full/inspect-schema.ts";
import { inertText } from "../foreign/inert-text.ts";
import { callUpstream } from "./call-upstream.ts";
import { catalogName, legalName } from "./legal-name.ts";
import { OfferShelf } from "./offer-shelf.ts";
import { whyHeldBack } from "./pinned.ts";
import { Upstream, type UpstreamParts } from "./upstream.ts";
import { type UpstreamCall, upstreamTool } from "./upstream-tool.ts";

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
  /** Their prompts and resources: tools that are found by name, and that no model is shown. */
  readonly offers: OfferShelf;
  readonly #parts: SourceParts;
  readonly #listeners = new Set<(what: "tools" | "offers") => void>();
  #built: Built | null = null;
  /** What came of each pin, by what it depends on: to check a schema takes its time, and a change is one of few. */
  #made: ReadonlyMap<string, Made> = new Map();
  #asked: Promise<void> | null = null;
  #isAsked = false;

  constructor(parts: SourceParts) {
    this.#parts = parts;
    this.upstreams = parts.specs.map(
      (spec) =>
        new Upstream(spec, { ...parts, otherNames: () => this.#othersThan(spec) }, (what) => this.changed(what)),
    );
    this.offers = new OfferShelf(this.upstreams, parts.files);
  }

  /** Those of upstreams that are out of use are not offered. They are found by name, and say why they can't be called. */
  *tools(): Iterable<Tool> {
    const { tools, owners } = this.#known();
    const out = new Set(this.upstreams.filter(({ outOfUse }) => outOfUse !== null).map(({ spec }) => spec));
    for (const [name, tool] of tools) {
      const owner = owners.get(name);
      if (owner !== undefined && !out.has(owner)) yield tool;
    }
  }

  find(name: string): Tool | undefined {
    return this.#known().tools.get(name) ?? this.offers.find(name);
  }

  /** Why a name may mean nothing: it would be one of an upstream of which nothing was ever seen. */
  whyUnknown(name: string): string | null {
    const silent = this.upstreams.find(({ spec, pins }) => pins === null && isOf(spec, name));
    if (silent === undefined) return null;
    const { spec, outOfUse: fault } = silent;
    const why = fault === null ? "" : `: ${fault.message}`;
    return `it may be one of \`${spec.name}\`, which could not be asked${why}; \`toolgate mcp inspect ${spec.name}\` says more`;
  }

  leftOut(): readonly LeftOut[] {
    const malformed = this.upstreams.flatMap((upstream) =>
      upstream.malformed.map(({ name, because }) => ({
        upstream: upstream.spec.name,
        tool: name === null ? "(no name)" : inertText(name).slice(0, NAME_MAX),
        because,
      })),
    );
    return [...this.#known().leftOut, ...malformed];
  }

  get unseen(): readonly Upstream[] {
    return this.upstreams.filter(({ pins, offers }) => pins === null || offers === null);
  }

  pending(): Promise<void> | null {
    if (this.#isAsked) return null;
    this.#asked ??= Promise.all(this.unseen.map((upstream) => upstream.use(""))).then(() => {
      this.#isAsked = true;
    });
    return this.#asked;
  }

  /** Something has come or gone: an upstream's tools or offers, or the gate's own tools, whose names are taken. */
  changed(what: "tools" | "offers" = "tools"): void {
    if (what === "tools") this.#built = null;
    else this.offers.forget();
    for (const listener of this.#listeners) listener(what);
  }

  onChange(listener: (what: "tools" | "offers") => void): () => void {
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

  #othersThan(spec: UpstreamSpec): readonly string[] {
    const { owners } = this.#known();
    return [...this.#parts.taken(), ...[...owners].flatMap(([name, owner]) => (owner === spec ? [] : [name]))];
  }

  /** INVARIANT (whose is whose): a rule about the tools of one upstream, by their prefix, is not about what another calls its own. */
  #ownerOfBeginning({ prefix }: UpstreamSpec, name: string): UpstreamSpec | null {
    const others = this.#parts.specs.filter((other) => other.prefix.length > prefix.length);
    return others.find((other) => name.startsWith(other.prefix)) ?? null;
  }

  #build(): Built {
    const taken = new Set(this.#parts.taken());
    const claims = claimsIn(this.upstreams);
    const tools = new Map<string, Tool>();
    const owners = new Map<string, UpstreamSpec>();
    const leftOut: LeftOut[] = [];
    const all = new Map<string, Made>();
    for (const upstream of this.upstreams) {
      const { spec } = upstream;
      // Whoever sends costly schemas has fewer tools by it, and holds up nobody else.
      const room: PatternRoom = { instructions: LIMITS.upstreamInstructions.default };
      for (const pin of Object.values(upstream.pins ?? {})) {
        const name = catalogName(spec.prefix, pin.definition.name);
        const leave = (because: string) =>
          leftOut.push({ upstream: spec.name, tool: inertText(pin.definition.name), because });
        if (taken.has(name) || claims.get(name) !== pin) {
          leave(`the name \`${name}\` is another tool's`);
          continue;
        }
        const other = this.#ownerOfBeginning(spec, name);
        if (other !== null) {
          leave(`the name \`${name}\` begins as those of \`${other.name}\` do: give one of them another \`prefix\``);
          continue;
        }
        if (name.length > NAME_MAX) {
          leave(`the name \`${name.slice(0, NAME_MAX)}…\` is too long`);
          continue;
        }
        const key = [spec.name, pin.digest, name, whyHeldBack(pin) ?? ""].join("\0");
        const known = this.#made.get(key);
        if (known !== undefined) room.instructions -= known.instructions;
        const made = known ?? this.#make(upstream, name, pin, room);
        all.set(key, made);
        if ("because" in made) leave(made.because);
        else {
          tools.set(name, made.tool);
          owners.set(name, spec);
        }
      }
    }
    this.#made = all;
    return { tools, owners, leftOut };
  }

  #make(upstream: Upstream, name: string, pin: Pin, room: PatternRoom): Made {
    const before = room.instructions;
    try {
      const call = (made: UpstreamCall, signal: AbortSignal) => callUpstream(upstream, made, signal);
      const tool = upstreamTool({ spec: upstream.spec, name, pin, files: this.#parts.files, call }, room);
      return { tool, instructions: before - room.instructions };
    } catch (error) {
      const because = error instanceof Error ? error.message : "its definition can't be used";
      return { because, instructions: before - room.instructions };
    }
  }
}

const isOf = ({ name, prefix }: UpstreamSpec, tool: string): boolean =>
  tool.startsWith(`${name}/`) || (prefix !== "" && tool.startsWith(legalName(prefix)));

/** With what its patterns took. */
type Made = ({ readonly tool: Tool } | { readonly because: string }) & { readonly instructions: number };

interface Built {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly owners: ReadonlyMap<string, UpstreamSpec>;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Whose each name is. INVARIANT (no shadowing): a name belongs to whoever had it first, the gate's own tools before all
 * others. Who comes later is held back for its name, so it claims after all that are not, wherever it stands in a list; a
 * name that is legal as it is comes before one that had to be made so.
 */
function claimsIn(upstreams: readonly Upstream[]): ReadonlyMap<string, Pin> {
  const claims = new Map<string, Pin>();
  const all = upstreams.flatMap(({ spec, pins }) => Object.values(pins ?? {}).map((pin) => ({ spec, pin })));
  const claim = (pin: Pin): number => (whyHeldBack(pin) === null ? 0 : 2) + (isLegal(pin) ? 0 : 1);
  for (const { spec, pin } of all.toSorted((a, b) => claim(a.pin) - claim(b.pin))) {
    const name = catalogName(spec.prefix, pin.definition.name);
    if (!claims.has(name)) claims.set(name, pin);
  }
  return claims;
}

const isLegal = ({ definition }: Pin): boolean => legalName(definition.name) === definition.name;

/** MCP takes no longer one. */
const NAME_MAX = 128;
