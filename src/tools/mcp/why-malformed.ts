import { isSpecType } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { OfferKind } from "./offers.ts";

export type ListedKind = "tools" | OfferKind;

/** What each is called by, and the type that MCP has for it. */
const SHAPES = {
  tools: { name: "name", fits: isSpecType.Tool },
  prompts: { name: "name", fits: isSpecType.Prompt },
  resources: { name: "uri", fits: isSpecType.Resource },
  templates: { name: "uriTemplate", fits: isSpecType.ResourceTemplate },
} as const satisfies Record<ListedKind, { readonly name: string; readonly fits: (value: unknown) => boolean }>;

/** What an item of a list is called; null = nothing. */
export function nameIn(kind: ListedKind, item: JsonValue): string | null {
  const name = isJsonObject(item) ? item[SHAPES[kind].name] : undefined;
  return typeof name === "string" && name !== "" ? name : null;
}

/** Why an item of an upstream's list can't be used, in a few words; null = it can, as far as its shape goes. */
export function whyMalformed(kind: ListedKind, item: JsonValue): string | null {
  if (!isJsonObject(item)) return "it is no object";
  if (nameIn(kind, item) === null) return `it has no \`${SHAPES[kind].name}\``;
  const inside = wrongInside(item);
  if (inside !== null) return inside;
  const size = JSON.stringify(item).length;
  const most = LIMITS.upstreamDefinitionBytes.default;
  if (size > most) return `its definition is too large: ${size} characters, at most ${most}`;
  const wrong = kind === "tools" ? wrongSchema(item) : null;
  if (wrong !== null) return wrong;
  return SHAPES[kind].fits(item) ? null : (wrongText(item) ?? "its definition is not one that MCP has");
}

function wrongSchema({ inputSchema, outputSchema }: Readonly<Record<string, JsonValue>>): string | null {
  if (inputSchema === undefined) return "it has no input schema";
  if (!isJsonObject(inputSchema)) return "its input schema is no object";
  if (inputSchema["type"] !== "object") return "its input schema is not that of an object (`type: object`)";
  return outputSchema === undefined || isJsonObject(outputSchema) ? null : "its output schema is no object";
}

const wrongText = (item: Readonly<Record<string, JsonValue>>): string | null => {
  const wrong = ["title", "description"].find((name) => item[name] !== undefined && typeof item[name] !== "string");
  return wrong === undefined ? null : `its \`${wrong}\` is no text`;
};

/** By levels: whoever reads it afterwards calls themselves for each of them. What has no canonical form has no digest either. */
function wrongInside(item: JsonValue): string | null {
  let level: readonly JsonValue[] = [item];
  for (let depth = 0; depth < LIMITS.jsonDepth.default; depth++) {
    if (!level.every(hasDigest)) return "its definition holds half a character, or a number that is none";
    level = level.flatMap(membersOf);
    if (level.length === 0) return null;
  }
  return "its definition is nested too deep";
}

const membersOf = (value: JsonValue): readonly JsonValue[] =>
  typeof value === "object" && value !== null ? Object.values(value) : [];

function hasDigest(value: JsonValue): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.keys(value).every((name) => name.isWellFormed());
}
