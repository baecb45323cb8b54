import type { Tool } from "../../domain/call.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { UpstreamSpec, UpstreamTool } from "../../domain/upstream.ts";
import type { Files } from "../../ports/files.ts";
import type { Pin } from "../../ports/pins.ts";
import { inertJson, inertText } from "../foreign/inert-text.ts";
import { callUpstream } from "./call-upstream.ts";
import { catalogName } from "./legal-name.ts";
import { offerTool } from "./offer-tool.ts";
import { isOfTemplate, type OfferKind, placeOf, readPlace } from "./offers.ts";
import type { Upstream } from "./upstream.ts";

/** A prompt as clients are offered it. `tool` is what is called for it. */
interface OfferedPrompt {
  readonly name: string;
  readonly tool: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[];
}

export interface OfferedResource {
  /** Its address, or the template of addresses. */
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

interface Shelf {
  readonly prompts: ReadonlyMap<string, OfferedPrompt>;
  /** With whose they are. INVARIANT (no shadowing): a name or an address belongs to the upstream that had it first. */
  readonly resources: ReadonlyMap<string, OfferedResource & { readonly tool: string }>;
  readonly templates: ReadonlyMap<string, OfferedResource & { readonly upstream: string }>;
}

/** More characters have no address that a person could read in a question. */
const NAME_MAX = 2048;

/** The prompts and resources of all upstreams, as they are pinned. */
export class OfferShelf {
  readonly #upstreams: readonly Upstream[];
  readonly #files: Files;
  #built: Shelf | null = null;

  constructor(upstreams: readonly Upstream[], files: Files) {
    this.#upstreams = upstreams;
    this.#files = files;
  }

  forget(): void {
    this.#built = null;
  }

  prompts(): readonly OfferedPrompt[] {
    return this.#inUse(this.#known().prompts);
  }

  resources(): readonly OfferedResource[] {
    return this.#inUse(this.#known().resources);
  }

  templates(): readonly OfferedResource[] {
    return this.#inUse(this.#known().templates);
  }

  /** The tool that reads an address. Null: no upstream has said that it has it. */
  readerOf(uri: string): string | null {
    const { resources, templates } = this.#known();
    const listed = resources.get(uri);
    if (listed !== undefined) return listed.tool;
    if (uri.length > NAME_MAX || !isPlainUri(uri)) return null;
    for (const { uri: template, upstream } of templates.values())
      if (isOfTemplate(template, uri)) return `${upstream}/${placeOf("resources", uri)}`;
    return null;
  }

  /** `UPSTREAM/prompts/NAME` or `UPSTREAM/resources/URI`: no tool has a name with `/` in it. */
  find(name: string): Tool | undefined {
    const end = name.indexOf("/");
    if (end === -1 || name.length > NAME_MAX) return undefined;
    const upstream = this.#upstreams.find(({ spec }) => spec.name === name.slice(0, end));
    const place = name.slice(end + 1);
    const meant = readPlace(place);
    if (upstream === undefined || meant === null || meant.kind === "templates") return undefined;
    const pins = upstream.offers ?? {};
    const pin = Object.hasOwn(pins, place) ? pins[place] : undefined;
    if (meant.kind === "prompts") return pin && this.#tool(upstream, name, pin);
    if (pin === undefined && !isPlainUri(meant.name)) return undefined;
    const found = pin ?? Object.values(pins).find(({ definition }) => isTemplateFor(definition, meant.name));
    return found && this.#tool(upstream, name, found, meant.name);
  }

  #tool(upstream: Upstream, name: string, pin: Pin, uri?: string): Tool | undefined {
    try {
      return offerTool({
        ...{ spec: upstream.spec, name, pin, files: this.#files, uri },
        call: (made, signal) => callUpstream(upstream, made, signal),
      });
    } catch {
      return undefined; // arguments that no schema can check
    }
  }

  /** What is out of use is not listed. Its names and addresses stay its own. */
  #inUse<Item extends Owned>(all: ReadonlyMap<string, Item>): readonly Item[] {
    const out = new Set(this.#upstreams.filter((one) => one.outOfUse !== null).map(({ spec }) => spec.name));
    return [...all.values()].filter((one) => !out.has(ownerOf(one)));
  }

  #known(): Shelf {
    this.#built ??= this.#build();
    return this.#built;
  }

  #build(): Shelf {
    const prompts = new Map<string, OfferedPrompt>();
    const resources = new Map<string, OfferedResource & { readonly tool: string }>();
    const templates = new Map<string, OfferedResource & { readonly upstream: string }>();
    for (const { spec, definition } of bySight(this.#upstreams)) {
      const meant = readPlace(definition.name);
      const tool = `${spec.name}/${definition.name}`;
      if (meant === null || tool.length > NAME_MAX) continue;
      if (meant.kind === "prompts") {
        const prompt = promptFrom(spec, definition, meant.name, tool);
        if (!prompts.has(prompt.name)) prompts.set(prompt.name, prompt);
      } else if (meant.kind === "resources") {
        if (!resources.has(meant.name)) resources.set(meant.name, { ...resourceFrom(definition, meant.name), tool });
      } else if (!templates.has(meant.name))
        templates.set(meant.name, { ...resourceFrom(definition, meant.name), upstream: spec.name });
    }
    return { prompts, resources, templates };
  }
}

/**
 * What all of them offer, in the order in which it was first seen; what came in the same minute, as the configuration has it, and
 * not by who starts faster. So whoever comes later takes no name, no address and no addresses of a template from another.
 */
function bySight(upstreams: readonly Upstream[]) {
  const all = upstreams.flatMap(({ spec, offers }) =>
    Object.values(offers ?? {}).map(({ definition, seenAt }) => ({
      spec,
      definition,
      minute: seenAt.slice(0, MINUTE),
    })),
  );
  return all.toSorted((a, b) => (a.minute < b.minute ? -1 : a.minute === b.minute ? 0 : 1));
}

/** Of a time as it is written. */
const MINUTE = "2026-11-17T12:34".length;

type Owned = { readonly tool: string } | { readonly upstream: string };

const ownerOf = (one: Owned): string => ("upstream" in one ? one.upstream : (one.tool.split("/", 1)[0] ?? ""));

/** INVARIANT (one address, one name): rules match the text, so no other text may lead to the same place. */
function isPlainUri(uri: string): boolean {
  if (/\\|(?:^|[/\\])(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(uri)) return false;
  const parsed = URL.parse(uri);
  return parsed === null || parsed.href === uri || parsed.href === `${uri}/`;
}

const isTemplateFor = ({ name }: UpstreamTool, uri: string): boolean => {
  const meant = readPlace(name);
  return meant?.kind === ("templates" satisfies OfferKind) && isOfTemplate(meant.name, uri);
};

function promptFrom(spec: UpstreamSpec, definition: UpstreamTool, own: string, tool: string): OfferedPrompt {
  const { properties, required } = definition.inputSchema as JsonObject;
  const needed = Array.isArray(required) ? required : [];
  return {
    name: catalogName(spec.prefix, own),
    tool,
    ...shown(definition),
    arguments: Object.entries(isJsonObject(properties) ? properties : {}).map(([name, value]) => ({
      name,
      ...described(value),
      required: needed.includes(name),
    })),
  };
}

const described = (value: JsonValue): { readonly description?: string } =>
  isJsonObject(value) && typeof value["description"] === "string"
    ? { description: inertText(value["description"]) }
    : {};

function resourceFrom(definition: UpstreamTool, uri: string): OfferedResource {
  const { name, mimeType } = inertJson(definition.annotations ?? {});
  return {
    uri,
    name: typeof name === "string" ? name : uri,
    ...shown(definition),
    ...(typeof mimeType === "string" && { mimeType }),
  };
}

const shown = ({ title, description }: UpstreamTool): Pick<OfferedResource, "title" | "description"> => ({
  ...(title !== undefined && { title: inertText(title) }),
  ...(description !== undefined && { description: inertText(description) }),
});
