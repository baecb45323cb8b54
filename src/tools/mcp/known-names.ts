import { lookOf } from "../lint/look-alikes.ts";
import { legalName } from "./legal-name.ts";

/** Longer than any name that is ever called. What two names have beyond it does not tell them apart. */
const LENGTH_MAX = 256;

const looked = (name: string): string => lookOf(name.slice(0, LENGTH_MAX));
const made = (name: string): string => legalName(name.slice(0, LENGTH_MAX));

/**
 * Names, as they look and as they are once they are legal. INVARIANT (once each): that is found out once for each name, however many
 * are held against them: an upstream may list a thousand, and everybody else waits meanwhile.
 */
export class KnownNames {
  readonly #names: readonly string[];
  #looks: ReadonlyMap<string, ReadonlySet<string>> | null = null;
  #legal: ReadonlyMap<string, ReadonlySet<string>> | null = null;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Whether another one looks like it. Itself is no other. */
  hasLookAlike(name: string): boolean {
    return hasOther(this.#byLook().get(looked(name)), name);
  }

  /** Whether another one is the same once both are legal. */
  hasNamesake(name: string): boolean {
    this.#legal ??= grouped(this.#names, made);
    return hasOther(this.#legal.get(made(name)), name);
  }

  /** Whether one is it, or looks like it. */
  hasLike(name: string): boolean {
    return this.#byLook().has(looked(name));
  }

  #byLook(): ReadonlyMap<string, ReadonlySet<string>> {
    this.#looks ??= grouped(this.#names, looked);
    return this.#looks;
  }
}

const grouped = (names: readonly string[], by: (name: string) => string): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map([...Map.groupBy(names, by)].map(([key, group]) => [key, new Set(group)]));

const hasOther = (group: ReadonlySet<string> | undefined, name: string): boolean =>
  group !== undefined && group.size > (group.has(name) ? 1 : 0);
