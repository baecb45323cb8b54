import type { CostEstimate, Stdin, ToolEffects } from "../domain/tool-effects.ts";

/** Undefined = unknown, which lies between the two: it never counts as safe, and never hides what is known to harm. */
type Known = boolean | undefined;

/** True wins, then unknown, then false: for what can do harm. */
const harm = (a: Known, b: Known): Known => (a === true || b === true ? true : a === undefined ? a : b);

/** False wins, then unknown, then true: for what makes harm bearable. */
const safety = (a: Known, b: Known): Known => (a === false || b === false ? false : a === undefined ? a : b);

const COSTS: readonly CostEstimate[] = ["free", "low", "medium", "high"];
const STDINS: readonly Stdin[] = ["none", "optional", "required", "password"];

/** The worst that is known wins, then unknown, then the higher of the two. */
function level<Level>(order: readonly Level[], a: Level | undefined, b: Level | undefined): Level | undefined {
  const worst = order.at(-1);
  if (a === worst || b === worst) return worst;
  if (a === undefined || b === undefined) return undefined;
  return order.indexOf(a) >= order.indexOf(b) ? a : b;
}

/**
 * What is so if both are so: of a tool and of its command, or of two commands in a row. Never safer than either.
 * Commutative and associative, so it does not matter who is asked first (ATIP seed, facts 4.2).
 */
export function mergeEffects(a: ToolEffects, b: ToolEffects): ToolEffects {
  return present({
    filesystem: present({
      read: harm(a.filesystem?.read, b.filesystem?.read),
      write: harm(a.filesystem?.write, b.filesystem?.write),
      delete: harm(a.filesystem?.delete, b.filesystem?.delete),
      paths: union(a.filesystem?.paths, b.filesystem?.paths),
    }),
    network: harm(a.network, b.network),
    subprocess: harm(a.subprocess, b.subprocess),
    idempotent: safety(a.idempotent, b.idempotent),
    reversible: safety(a.reversible, b.reversible),
    destructive: harm(a.destructive, b.destructive),
    creates: union(a.creates, b.creates),
    modifies: union(a.modifies, b.modifies),
    deletes: union(a.deletes, b.deletes),
    interactive: present({
      stdin: level(STDINS, a.interactive?.stdin, b.interactive?.stdin),
      prompts: harm(a.interactive?.prompts, b.interactive?.prompts),
      tty: harm(a.interactive?.tty, b.interactive?.tty),
    }),
    cost: present({
      estimate: level(COSTS, a.cost?.estimate, b.cost?.estimate),
      billable: harm(a.cost?.billable, b.cost?.billable),
    }),
    duration: present({
      typical: a.duration?.typical === b.duration?.typical ? a.duration?.typical : undefined,
      timeoutMs: strictest(a.duration?.timeoutMs, b.duration?.timeoutMs),
    }),
  });
}

function union(a: readonly string[] = [], b: readonly string[] = []): readonly string[] | undefined {
  const all = [...new Set([...a, ...b])].toSorted();
  return all.length === 0 ? undefined : all;
}

/** A limit that only one of the two has is a limit. */
const strictest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);

type Present<Members> = { [Key in keyof Members]?: Exclude<Members[Key], undefined> };

/** Without the members that are unknown: unknown is absent, and nothing else is. */
const present = <Members extends object>(members: Members): Present<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<Members>;
