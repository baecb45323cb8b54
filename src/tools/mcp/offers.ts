import type { Prompt, Resource, ResourceTemplateType } from "@modelcontextprotocol/client";
import type { UpstreamTool } from "../../domain/upstream.ts";
import { ANY_RUN, matchesWildcard } from "../../rules/wildcard.ts";
import { KnownNames } from "./known-names.ts";
import type { Flagging } from "./pinned.ts";
import { flagsOf } from "./tool-flags.ts";

/** What an upstream offers beside its tools. Each has a place: `prompts/NAME`, `resources/URI`, `templates/URI`. */
export const OFFER_KINDS = ["prompts", "resources", "templates"] as const;
export type OfferKind = (typeof OFFER_KINDS)[number];

export const placeOf = (kind: OfferKind, name: string): string => `${kind}/${name}`;

/** What a place is of. Null: it is none. */
export function readPlace(place: string): { readonly kind: OfferKind; readonly name: string } | null {
  const end = place.indexOf("/");
  const kind = OFFER_KINDS.find((one) => one === place.slice(0, end));
  return kind === undefined ? null : { kind, name: place.slice(end + 1) };
}

const NO_INPUT = { type: "object", properties: {}, additionalProperties: false } as const;

/** As what is pinned of a tool: so that one change is seen like the other. Its arguments are texts, as MCP has it. */
export function definitionOfPrompt({ name, title, description, arguments: given = [] }: Prompt): UpstreamTool {
  const properties = given.map((one) => [
    one.name,
    { type: "string", ...(one.description !== undefined && { description: one.description }) },
  ]);
  return {
    name: placeOf("prompts", name),
    ...said({ title, description }),
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(properties),
      required: given.filter(({ required }) => required === true).map((one) => one.name),
      additionalProperties: false,
    },
  };
}

/** Without what changes with its content: its size, and when it was changed. */
export const definitionOfResource = ({ uri, name, title, description, mimeType }: Resource): UpstreamTool => ({
  name: placeOf("resources", uri),
  ...said({ title, description }),
  inputSchema: NO_INPUT,
  annotations: { name, ...(mimeType !== undefined && { mimeType }) },
});

export const definitionOfTemplate = (template: ResourceTemplateType): UpstreamTool => ({
  name: placeOf("templates", template.uriTemplate),
  ...said(template),
  inputSchema: NO_INPUT,
  annotations: { name: template.name, ...(template.mimeType !== undefined && { mimeType: template.mimeType }) },
});

const said = ({
  title,
  description,
}: {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}): Pick<UpstreamTool, "title" | "description"> => ({
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
});

/** Resources are data, and `page-1` beside `page-l` is no trick; a prompt is chosen by its name. */
export const offerFlags: Flagging = (names) => {
  const prompts = new KnownNames(names.filter(isPrompt));
  return (definition) => flagsOf(definition, isPrompt(definition.name) ? prompts : NO_NAMES);
};

const NO_NAMES = new KnownNames([]);

const isPrompt = (place: string): boolean => place.startsWith("prompts/");

/**
 * Whether an address may be one of a template. Each `{…}` stands for any characters: what is read is judged by its own
 * address, and whether there is such a resource is up to the upstream.
 */
export function isOfTemplate(template: string, uri: string): boolean {
  const literals = template.split(/\{[^{}]*\}/);
  const wildcard = literals.flatMap((literal, at) => [
    ...(at === 0 ? [] : [ANY_RUN]),
    ...Array.from(literal, (character) => character.codePointAt(0) as number),
  ]);
  return matchesWildcard(wildcard, uri, 0, uri.length);
}
