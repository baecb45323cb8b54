import { type Digest, digestOf } from "../../domain/digest.ts";
import type { JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { UpstreamTool } from "../../domain/upstream.ts";
import type { Pin, Pins, ToolFlag } from "../../ports/pins.ts";
import { definitionOfTool } from "./definition-of-tool.ts";
import { KnownNames } from "./known-names.ts";
import type { Malformed } from "./malformed.ts";
import { flagsOf } from "./tool-flags.ts";

/** A cache and nothing more: a list is asked for its digests several times, and a definition never changes. */
const digests = new WeakMap<UpstreamTool, Digest>();

/** Of what is pinned of it. The cast: it came as JSON. */
export function digestOfTool(tool: UpstreamTool): Digest {
  const digest = digests.get(tool) ?? digestOf(definitionOfTool(tool) as unknown as JsonValue);
  digests.set(tool, digest);
  return digest;
}

/** What is odd about a definition, for all that are held against the same names. */
export type Flagging = (names: readonly string[]) => (definition: UpstreamTool) => readonly ToolFlag[];

const plainFlags: Flagging = (names) => {
  const known = new KnownNames(names);
  return (definition) => flagsOf(definition, known);
};

/** What happened to the pins of an upstream when its list was seen. */
export interface Compared {
  readonly pins: Pins;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Changed before, and now what was pinned again. */
  readonly restored: readonly string[];
  /** Pinned before, and now no definition at all: why not. */
  readonly broken: Readonly<Record<string, string>>;
  /** New ones for which there was no room. */
  readonly beyond: number;
}

/** Whoever offers others each time is not followed for ever. What is pinned never makes room: it would be seen anew, and changed. */
const PINS_MAX = 4 * LIMITS.upstreamTools.default;

/**
 * The list of an upstream against what is pinned. INVARIANT (first sight): what is pinned stays until a person accepts
 * something else; a definition that differs is put beside it and is not in force.
 */
export function compared(
  listed: readonly UpstreamTool[],
  known: Pins,
  { at, otherNames, flags = plainFlags, malformed = [] }: Comparing,
): Compared {
  // Without a prototype: a tool may be called `__proto__`.
  const pins: Record<string, Pin> = Object.assign(Object.create(null), known);
  const [added, changed, restored]: [string[], string[], string[]] = [[], [], []];
  const flagged = flags([...otherNames, ...listed.map(({ name }) => name)]);
  let [room, beyond] = [PINS_MAX - Object.keys(known).length, 0];
  for (const definition of listed) {
    const { name } = definition;
    const digest = digestOfTool(definition);
    const pin = Object.hasOwn(known, name) ? known[name] : undefined;
    if (pin === undefined && room <= 0) beyond++;
    else if (pin === undefined) {
      room--;
      pins[name] = { digest, definition, flags: flagged(definition), seenAt: at };
      added.push(name);
    } else if (pin.digest === digest) {
      const { changed: gone, malformed: bad, ...rest } = pin;
      pins[name] = rest;
      if (gone !== undefined || bad !== undefined) restored.push(name);
    } else if (pin.changed?.digest !== digest || pin.malformed !== undefined) {
      const { malformed: _, ...rest } = pin;
      pins[name] = { ...rest, changed: { digest, definition, seenAt: at } };
      changed.push(name);
    }
  }
  const broken = breakAll(pins, malformed, at);
  return { pins: inOrder(pins), added, changed, restored, broken, beyond };
}

export interface Comparing {
  readonly at: string;
  readonly otherNames: readonly string[];
  readonly flags?: Flagging;
  /** What was listed and is no definition. */
  readonly malformed?: readonly Malformed[];
}

/**
 * Marks what is pinned and comes malformed now, also beside a sound one of its name. What was never pinned leaves no mark:
 * once it is a definition, it is seen for the first time.
 */
function breakAll(
  pins: Record<string, Pin>,
  malformed: readonly Malformed[],
  seenAt: string,
): Readonly<Record<string, string>> {
  const broken: Record<string, string> = Object.create(null);
  for (const { name, because } of malformed) {
    const pin = name !== null && Object.hasOwn(pins, name) ? pins[name] : undefined;
    if (name === null || pin === undefined || pin.malformed?.because === because) continue;
    pins[name] = { ...pin, malformed: { because, seenAt } };
    broken[name] = because;
  }
  return broken;
}

/** As they are read back: what clients and models are shown has one order, the first time as later. */
const inOrder = (pins: Pins): Pins =>
  Object.fromEntries(Object.entries(pins).toSorted(([a], [b]) => (a < b ? -1 : a === b ? 0 : 1)));

/** With what the upstream says now in the place of what was pinned, and its flags overlooked. */
export function accepted(pin: Pin, who: { readonly at: string; readonly by: string }): Pin {
  const { changed, ...rest } = pin;
  const now = changed ?? pin;
  return {
    ...rest,
    digest: now.digest,
    definition: now.definition,
    flags: plainFlags([])(now.definition),
    seenAt: now.seenAt,
    accepted: who,
  };
}

/** Why it must not be called; null = it may, as far as its definition goes. */
export function whyHeldBack({ changed, malformed, flags, accepted: word }: Pin): string | null {
  if (malformed !== undefined) return `what its upstream says of it now can't be used: ${malformed.because}`;
  if (changed !== undefined) return "its definition is no longer the one that was pinned";
  if (word !== undefined) return null;
  if (flags.includes("hidden-text")) return "its definition holds text that people don't see";
  return flags.includes("look-alike") ? "its name looks like that of another tool" : null;
}
