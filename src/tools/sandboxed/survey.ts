import { LIMITS } from "../../domain/limits.ts";
import type { TreeEntry, Trees } from "../../ports/trees.ts";
import type { ClosedPlaces } from "./closed-places.ts";
import { lacksLead, saysWhereConfigIs } from "./repository-leads.ts";

/** What lies in a tree and is closed. */
export interface Surveyed {
  readonly hidden: readonly Found[];
  readonly readOnly: readonly Found[];
  /** Closed names that are not there: they must not come to be either. */
  readonly lacking: readonly string[];
}

export interface Found {
  readonly path: string;
  readonly kind: TreeEntry["kind"];
}

export interface Closed {
  readonly hide: ClosedPlaces;
  readonly readOnly: ClosedPlaces;
}

interface Seen {
  readonly stamp: bigint;
  readonly found: Surveyed;
  readonly folders: readonly string[];
}

/** Folders that changed a moment ago may change again without a new stamp: the kernel's clock ticks every few ms. */
const SETTLED_NS = 100_000_000n;
/** Between two of these, others get their turn. */
const FOLDERS_AT_ONCE = 200;
const CACHES_MAX = 16;

/**
 * Finds what is closed in a tree. Each folder is read once, and again only when its stamp has changed; what it found is
 * kept for each set of patterns.
 */
export class Survey {
  readonly #trees: Trees;
  readonly #seen = new Map<string, Map<string, Seen>>();

  constructor(trees: Trees) {
    this.#trees = trees;
  }

  /** Null: there is more than can be looked through. `key` stands for what is closed. */
  async of(root: string, closed: Closed, key: string): Promise<Surveyed | null> {
    const seen = this.#cacheFor(key);
    const [hidden, readOnly, lacking]: [Found[], Found[], string[]] = [[], [], []];
    const waiting = [root];
    let [folders, entries] = [0, 0];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const one = this.#look(folder, folder === root, closed, seen);
      hidden.push(...one.found.hidden);
      readOnly.push(...one.found.readOnly);
      lacking.push(...one.found.lacking);
      waiting.push(...one.folders);
      entries += one.folders.length;
      if (entries > LIMITS.walkEntries.maximum) return null;
      if (++folders % FOLDERS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return { hidden, readOnly, lacking };
  }

  #look(folder: string, isRoot: boolean, closed: Closed, seen: Map<string, Seen>): Seen {
    const stamp = this.#trees.stamp(folder);
    const known = seen.get(folder);
    if (known !== undefined && known.stamp === stamp) return known;
    const fresh = this.#read(folder, isRoot, closed, stamp ?? -1n);
    if (stamp !== null && BigInt(Date.now()) * 1_000_000n - stamp > SETTLED_NS) seen.set(folder, fresh);
    else seen.delete(folder);
    return fresh;
  }

  #read(folder: string, isRoot: boolean, { hide, readOnly }: Closed, stamp: bigint): Seen {
    const entries = this.#trees.entries(folder);
    const found = { hidden: [] as Found[], readOnly: [] as Found[], lacking: [] as string[] };
    const folders: string[] = [];
    const names = new Set<string>();
    for (const { name, kind } of entries) {
      names.add(name);
      const path = `${folder === "/" ? "" : folder}/${name}`;
      if (hide.mayMatch(name) && hide.matches(path)) {
        found.hidden.push({ path, kind });
        continue;
      }
      const config = saysWhereConfigIs(path, kind);
      const isKept =
        (readOnly.mayMatch(name) && readOnly.matches(path)) || (config !== null && readOnly.matches(config));
      if (isKept) found.readOnly.push({ path, kind });
      const isWorthALook = hide.reachesInto(path) || (!isKept && readOnly.reachesInto(path));
      if (kind === "directory" && isWorthALook) folders.push(path);
    }
    this.#trees.sweep(folder, names);
    // In a folder that stays as it is, nothing comes to be.
    for (const name of readOnly.matches(folder) ? [] : readOnly.lacking(folder, isRoot))
      if (!names.has(firstOf(name))) found.lacking.push(`${folder === "/" ? "" : folder}/${name}`);
    const lead = lacksLead(folder, names);
    if (lead !== null && readOnly.matches(lead.config) && !found.lacking.includes(lead.path))
      found.lacking.push(lead.path);
    return { stamp, found, folders };
  }

  #cacheFor(key: string): Map<string, Seen> {
    const known = this.#seen.get(key);
    if (known !== undefined) return known;
    if (this.#seen.size === CACHES_MAX) this.#seen.clear();
    const made = new Map<string, Seen>();
    this.#seen.set(key, made);
    return made;
  }
}

const firstOf = (path: string): string => path.split("/", 1)[0] as string;
