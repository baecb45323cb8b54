import { isWithin } from "../../domain/is-within.ts";
import type { ForeignRecord, ProgramName, ProgramRecord } from "../../ports/program-records.ts";
import { closedPlaces } from "./closed-places.ts";
import { ledToConfig } from "./repository-files.ts";
import type { Closed, Found } from "./survey.ts";

/** Something that came to be at a closed place while programs ran. */
export interface HeldBack extends Found {
  /** Where it is now. Null = nowhere: it was too large to be kept, or it could not be moved. */
  readonly to: string | null;
  /** Why it is still there. */
  readonly left?: string;
}

/** A folder that a program may change, and patterns of what is closed in it. */
export interface TreeToClose {
  readonly root: string;
  readonly hide: readonly string[];
  readonly readOnly: readonly string[];
}

export interface WatchedTree extends TreeToClose {
  readonly closed: Closed;
  /** The same for the same folder and patterns. */
  readonly id: string;
  /** Whether the program may make it. */
  readonly allows: (found: Found) => boolean;
}

/** Patterns in the form in which a tree is searched for them. */
export const closedIn = ({ hide, readOnly }: Omit<TreeToClose, "root">, workspace: string): Closed => ({
  hide: closedPlaces(hide, workspace),
  readOnly: closedPlaces(readOnly, workspace),
  key: JSON.stringify([hide, readOnly]),
});

function watchedTree(tree: TreeToClose, workspace: string): WatchedTree {
  const { root, hide, readOnly } = tree;
  const closed = closedIn(tree, workspace);
  const isClosed = ({ path, kind }: Found): boolean =>
    closed.readOnly.matches(path) || closed.readOnly.matches(ledToConfig(path, kind) ?? path);
  const allows = (found: Found) => isWithin(found.path, root) && !isClosed(found);
  return { root, hide, readOnly, closed, id: JSON.stringify([root, closed.key]), allows };
}

/** Of the different trees of programs that ran beside one: more than ever differ in what they may write. */
const BESIDE_MAX = 100;
/** Of a program that runs for long. The ledger has all. */
const REPORTED_MAX = 1000;

interface Surrounding {
  readonly workspace: string;
  /** All that is mounted for it. */
  readonly sees?: readonly string[];
  readonly foreign?: ForeignRecord | null;
}

/** A program, what was closed to it when it started, and what was taken away since. */
export class WatchedProgram {
  readonly name: ProgramName;
  readonly trees: readonly WatchedTree[];
  /** Of another gate's program: its record. */
  readonly foreign: ForeignRecord | null;
  readonly heldBack: HeldBack[] = [];
  readonly #sees: readonly string[];
  readonly #known = new Set<string>();
  readonly #givenUp = new Set<string>();
  readonly #beside = new Map<string, WatchedTree>();

  constructor(name: ProgramName, trees: readonly TreeToClose[], { workspace, sees = [], foreign = null }: Surrounding) {
    this.name = name;
    this.#sees = sees;
    this.trees = trees.map((tree) => watchedTree(tree, workspace));
    this.foreign = foreign;
  }

  knows(paths: readonly string[]): void {
    for (const path of paths) this.#known.add(path);
  }

  /** Whether it was there before, or lies in something that was, which is covered as a whole. */
  isKnown(path: string): boolean {
    if (this.#known.size === 0) return false;
    for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) if (this.#known.has(at)) return true;
    return false;
  }

  /** Another program may write what this one may not. What it made is not this one's, also after it has ended. */
  runsBeside({ trees }: WatchedProgram): void {
    for (const tree of trees) {
      if (this.trees.some(({ id }) => id === tree.id)) continue;
      if (this.#beside.size < BESIDE_MAX) this.#beside.set(tree.id, tree);
    }
  }

  get treesBeside(): readonly WatchedTree[] {
    return [...this.#beside.values()];
  }

  /**
   * Whether both see a folder in which one could make a unix socket for the other. Only programs of calls: those of the operator run for
   * days, and all that a person makes meanwhile would be taken for theirs.
   */
  mayMeet(other: WatchedProgram): boolean {
    if (this.name.callId === null || other.name.callId === null) return false;
    return this.#sees.some((one) => other.#sees.some((path) => isWithin(one, path) || isWithin(path, one)));
  }

  /** Whether all that is looked through for the other one is looked through for this one as well. */
  watchesLike({ trees }: WatchedProgram): boolean {
    return trees.every(({ id }) => this.trees.some((tree) => tree.id === id));
  }

  reports(taken: readonly HeldBack[]): void {
    const isItsOwn = ({ path }: HeldBack) => this.trees.some(({ root }) => isWithin(path, root)) && !this.isKnown(path);
    this.heldBack.push(...taken.filter(isItsOwn).slice(0, REPORTED_MAX - this.heldBack.length));
  }

  /** It could not be taken away, which was reported once. */
  giveUpOn(path: string): void {
    this.#givenUp.add(path);
  }

  gaveUpOn(path: string): boolean {
    return this.#givenUp.has(path);
  }

  record(): ProgramRecord {
    const known = [...this.#known].sort();
    const trees = this.trees.map(({ root, hide, readOnly }, index) => ({
      ...{ root, hide, readOnly },
      known: index === 0 ? known : [],
    }));
    return { name: this.name, trees };
  }
}
