import type { UpstreamTool } from "../../domain/upstream.ts";
import type { ToolFlag } from "../../ports/pins.ts";
import { hasHiddenText } from "../foreign/inert-text.ts";
import type { KnownNames } from "./known-names.ts";

/** Phrases by which descriptions steer a model instead of telling it what the tool does. A hint for people, no proof. */
const STEERING =
  /\b(?:ignore|disregard|override) (?:all |any |the )?(?:previous|prior|other|above)|\b(?:before|instead of|after) (?:using|calling|you (?:use|call)) (?:any|every|all|other|the)|\bdo not (?:tell|mention|inform|show)|\bwithout (?:telling|asking|informing)|<(?:important|system|secret|instructions?)\b|\b(?:always|must) (?:first )?(?:call|use) this tool\b|\bsystem prompt\b/i;

/** What a tool is called in the catalog, and what others are called there that are not its upstream's. */
export interface Called {
  readonly name: string;
  readonly others: KnownNames;
}

/** What somebody should look at before they let it be called. `names`: those of the others as their upstreams have them. */
export function flagsOf(tool: UpstreamTool, names: KnownNames, called?: Called): readonly ToolFlag[] {
  const texts = textsIn({ ...tool });
  return [
    ...(texts.some(hasHiddenText) ? (["hidden-text"] as const) : []),
    ...(texts.some((text) => STEERING.test(text)) ? (["instructions"] as const) : []),
    ...(names.hasLookAlike(tool.name) || isAnothers(tool.name, names, called) ? (["look-alike"] as const) : []),
  ];
}

/** With its prefix, or made legal, it would be called as another tool is, or as good as that. */
const isAnothers = (name: string, names: KnownNames, called: Called | undefined): boolean =>
  called !== undefined && (names.hasNamesake(name) || called.others.hasLike(called.name));

/** Names of members too: a model reads all of a schema. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}
