import type { Tool } from "../../domain/call.ts";
import type { UpstreamSpec } from "../../domain/upstream.ts";
import type { ToolSource } from "../../ports/tool-source.ts";
import { inertText } from "../foreign/inert-text.ts";
import { callUpstream } from "./call-upstream.ts";
import { OfferShelf } from "./offer-shelf.ts";
import { Upstream, type UpstreamParts } from "./upstream.ts";
import { catalogName, type UpstreamCall, upstreamTool } from "./upstream-tool.ts";

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
  #built: { readonly tools: ReadonlyMap<string, Tool>; readonly leftOut: readonly LeftOut[] } | null = null;
  #asked: Promise<void> | null = null;
  #isAsked = false;

  constructor(parts: SourceParts) {
    this.#parts = parts;
    const otherNames = () => [...parts.taken(), ...this.#known().tools.keys()];
    this.upstreams = parts.specs.map(
      (spec) =>
        new Upstream(spec, { ...parts, otherNames: () => without(otherNames(), spec) }, (what) => this.changed(what)),
    );
    this.offers = new OfferShelf(this.upstreams, parts.files);
  }

  tools(): Iterable<Tool> {
    return this.#known().tools.values();
  }

  find(name: string): Tool | undefined {
    return this.#known().tools.get(name) ?? this.offers.find(name);
  }

  leftOut(): readonly LeftOut[] {
    return this.#known().leftOut;
  }

  pending(): Promise<void> | null {
    if (this.#isAsked) return null;
    this.#asked ??= Promise.all(
      this.upstreams.filter(({ pins, offers }) => pins === null || offers === null).map((upstream) => upstream.use("")),
    ).then(() => {
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
