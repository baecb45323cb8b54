import type { CallFacts } from "../domain/call-facts.ts";
import type { CostEstimate, Stdin } from "../domain/tool-effects.ts";
import type { Touch, TouchKind } from "../domain/touch.ts";
import { isTrustedAs, trustOf } from "./trust.ts";

/** What conditions see: every member there, what is unknown taken for the worst. */
export interface SettledEffects {
  readonly filesystem: { readonly read: boolean; readonly write: boolean; readonly delete: boolean };
  readonly network: boolean;
  readonly subprocess: boolean;
  readonly idempotent: boolean;
  readonly reversible: boolean;
  readonly destructive: boolean;
  readonly interactive: { readonly stdin: Stdin; readonly prompts: boolean; readonly tty: boolean };
  readonly cost: { readonly estimate: CostEstimate; readonly billable: boolean };
}

/**
 * The effects of one call: what its touches show, and what is said of its tool. What is said may always tighten; that
 * something is safe is believed only of tools trusted as `vendor` or more, and never against the touches.
 */
export function settledEffects(facts: CallFacts): SettledEffects {
  const shown = shownBy(facts.touches);
  const said = facts.effects ?? {};
  const isBelieved = isTrustedAs(trustOf(facts), "vendor");
  const harm = (shows: boolean | undefined, says: boolean | undefined): boolean =>
    shows === true || says === true || (shows ?? (isBelieved ? says : undefined)) !== false;
  const safety = (shows: boolean | undefined, says: boolean | undefined): boolean => !harm(not(shows), not(says));
  const word = <Word>(shows: Word | undefined, says: Word | undefined, worst: Word): Word =>
    shows === undefined && !isBelieved ? worst : (says ?? shows ?? worst);
  return {
    filesystem: {
      read: harm(shown.read, said.filesystem?.read),
      write: harm(shown.write, said.filesystem?.write),
      delete: harm(shown.delete, said.filesystem?.delete),
    },
    network: harm(shown.network, said.network),
    subprocess: harm(shown.subprocess, said.subprocess),
    idempotent: safety(shown.isHarmless, said.idempotent),
    reversible: safety(shown.isHarmless, said.reversible),
    destructive: harm(shown.destroys, said.destructive),
    interactive: {
      stdin: word<Stdin>(shown.talks === false ? "none" : undefined, said.interactive?.stdin, "password"),
      prompts: harm(shown.talks, said.interactive?.prompts),
      tty: harm(shown.talks, said.interactive?.tty),
    },
    cost: {
      estimate: word<CostEstimate>(shown.costs === false ? "free" : undefined, said.cost?.estimate, "high"),
      billable: harm(shown.costs, said.cost?.billable),
    },
  };
}

const not = (known: boolean | undefined): boolean | undefined => (known === undefined ? undefined : !known);

interface Shown {
  readonly read: boolean | undefined;
  readonly write: boolean | undefined;
  readonly delete: boolean | undefined;
  readonly network: boolean | undefined;
  readonly subprocess: boolean | undefined;
  readonly isHarmless: true | undefined;
  readonly destroys: boolean | undefined;
  readonly talks: false | undefined;
  readonly costs: false | undefined;
}

/** Something happens that the touches don't name: in a program, in a tool elsewhere, in the unknown. */
const OPEN: ReadonlySet<TouchKind> = new Set(["exec", "git", "tool", "unknown"]);

/** Touches say what is done; where one of them is open, not that nothing else is. */
function shownBy(touches: readonly Touch[]): Shown {
  const kinds = new Set(touches.map(({ kind }) => kind));
  const isOpen = touches.some(({ kind }) => OPEN.has(kind));
  const has = (...wanted: readonly TouchKind[]): boolean | undefined =>
    wanted.some((kind) => kinds.has(kind)) || (isOpen ? undefined : false);
  const isHarmless = touches.every(({ kind }) => kind === "read") || undefined;
  return {
    read: has("read"),
    write: has("write"),
    delete: has("delete"),
    network: has("connect", "model"),
    subprocess: has("exec", "git"),
    isHarmless,
    destroys: kinds.has("delete") || (isHarmless ? false : undefined),
    talks: isOpen ? undefined : false,
    costs: isOpen || kinds.has("connect") || kinds.has("model") ? undefined : false,
  };
}
