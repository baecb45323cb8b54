import type { TouchVerdict } from "../domain/call.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import type { Touch, TouchKind } from "../domain/touch.ts";
import { ANY_DEPTH } from "./path-component.ts";
import type { PathPattern } from "./path-pattern.ts";
import { overlapWithTree } from "./path-tree.ts";
import type { Pattern } from "./pattern.ts";
import type { Rule } from "./rule.ts";
import type { RuleGrant } from "./rule-grant.ts";
import { concerns, patternsFor } from "./rule-index.ts";
import { covered, faulty } from "./verdict.ts";

type Texts = Readonly<Record<"read" | "write" | "connect", readonly { readonly text: string }[]>>;

/** Whether a rule may keep something back. One marked `otherwise` is silent, since the grant speaks. */
export const isRestricting = ({ effect, otherwise }: Rule): boolean => effect !== "allow" && !otherwise;

/** What rules keep from a program although it was let through. */
export interface Restrictions {
  readonly denied: Texts;
  readonly asked: Texts;
  readonly spoken: readonly TouchVerdict[];
}

/** Who may write a place may delete what is there, so a rule about either speaks about both. */
const KINDS = { read: ["read"], write: ["write", "delete"], connect: ["connect"] } as const satisfies Record<
  keyof Texts,
  readonly TouchKind[]
>;

const EVERYWHERE = { text: "/**" };
const ANY_HOST = { text: "*:*" };

/**
 * The rules that deny or ask about something that the grant opens. One without a condition, or whose condition is about
 * the call, keeps its patterns closed. One whose condition is about the touch can't be asked for each file that a
 * program might open: it speaks for the whole call.
 */
export function restrictionsFor(rules: readonly Rule[], facts: CallFacts, grant: RuleGrant): Restrictions {
  const denied = { read: [], write: [], connect: [] } as Record<keyof Texts, { text: string }[]>;
  const asked = { read: [], write: [], connect: [] } as Record<keyof Texts, { text: string }[]>;
  const spoken: TouchVerdict[] = [];
  for (const rule of rules) {
    if (!concerns(rule, facts)) continue;
    for (const name of ["read", "write", "connect"] as const) {
      const patterns = KINDS[name].flatMap((kind) => patternsFor(rule, kind));
      const touch = patterns.length === 0 ? null : firstOverlap(name, patterns, grant);
      if (touch === null) continue;
      const answer = rule.condition === null || rule.condition.decide(touch, facts);
      if (typeof answer === "object") spoken.push(faulty(touch, rule, answer.fault));
      else if (rule.condition?.names.has("touch") === true) spoken.push(covered(touch, rule));
      else if (answer) {
        const all = name === "connect" ? ANY_HOST : EVERYWHERE;
        (rule.effect === "deny" ? denied : asked)[name].push(...patterns.map((pattern) => pattern ?? all));
      }
    }
  }
  return { denied, asked, spoken };
}

/** What of the grant the rule is about, as a touch that a person can be shown. Null = nothing. */
function firstOverlap(
  name: keyof Texts,
  patterns: readonly (Pattern | null)[],
  { read, write, connect }: RuleGrant,
): Touch | null {
  if (name === "connect") return connect.length === 0 ? null : { kind: "connect", host: "*", port: 0, scheme: "tcp" };
  const opened = name === "read" ? [...read, ...write] : write;
  for (const one of opened) {
    const folder = folderOf(one);
    if (patterns.some((pattern) => pattern === null || overlapWithTree(pattern as PathPattern, folder) !== null))
      return { kind: name, path: folder, tree: true };
  }
  return null;
}

/** The folder that everything lies in that the pattern matches. */
export function folderOf({ components }: PathPattern): string {
  const firstOpen = components.findIndex((component) => component === ANY_DEPTH || "wildcard" in component);
  const exact = firstOpen === -1 ? components : components.slice(0, firstOpen);
  return `/${exact.map((component) => (component as { literal: string }).literal).join("/")}`;
}
