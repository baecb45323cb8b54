import { LIMITS } from "../../domain/limits.ts";
import type { TreeEntry, Trees } from "../../ports/trees.ts";
import type { ClosedPlaces } from "./closed-places.ts";
import { ledToConfig } from "./repository-files.ts";

/** What lies in a tree and is closed. */
export interface Surveyed {
  /** What may not be read. */
  readonly hidden: readonly Found[];
  /** What may not be changed; a place that is hidden as well is in both. Of a closed folder only the folder itself. */
  readonly readOnly: readonly Found[];
  /** Folders that can't be listed now, but that a program may come to open: nobody knows what is in them. */
  readonly unreadable: readonly string[];
  /** Unix sockets. Null: there are too many folders to look through for them. */
  readonly sockets: readonly string[] | null;
}

export interface Found {
  readonly path: string;
  readonly kind: TreeEntry["kind"];
}

export interface Closed {
  readonly hide: ClosedPlaces;
  readonly readOnly: ClosedPlaces;
  /** The same for the same patterns: what was found is kept by it. */
  readonly key: string;
}

interface Seen extends Surveyed {
  readonly sockets: readonly string[];
  readonly stamp: string | null;
  /** To be looked into, each with whether it lies in something that is closed to changes already. */
  readonly folders: readonly Folder[];
}

interface Folder {
  readonly path: string;
  readonly isClosed: boolean;
  /** Whether nothing in it can be closed: it is listed for its sockets. */
  readonly isOpen: boolean;
}

/** A folder that changed a moment ago may change again with the same stamp: the kernel's clock ticks every few ms. */
const SETTLED_NS = 100_000_000n;
/** Between two of these, others get their turn. */
const FOLDERS_AT_ONCE = 200;
const CACHES_MAX = 16;
/** Folders that are listed for nothing but their sockets. Listing that many anew takes about half a second. */
const OPEN_FOLDERS_MAX = 20_000;

/**
 * Finds what is closed in a tree. Each folder is listed once, and again only when its stamp has changed; what was found is
 * kept for each set of patterns.
 */
export class Survey {
  readonly #trees: Trees;
  readonly #seen = new Map<string, Map<string, Seen>>();

  constructor(trees: Trees) {
    this.#trees = trees;
  }

  /** Null: there are more folders than may be looked through. After a program has ended they are looked through all the same. */
  async of(root: string, closed: Closed, when: "before" | "after" = "before"): Promise<Surveyed | null> {
    const seen = this.#cacheFor(closed.key);
    const found = { hidden: [] as Found[], readOnly: [] as Found[], unreadable: [] as string[] };
    const sockets: string[] = [];
    const waiting: Folder[] = [{ path: root, isClosed: closed.readOnly.matches(root), isOpen: false }];
    let [folders, known, open] = [0, 0, 0];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      if (folder.isOpen && ++open > OPEN_FOLDERS_MAX) continue;
      const isTooMany = known > LIMITS.walkEntries.maximum;
      if (isTooMany && when === "before") return null;
      const one = this.#look(folder, closed, isTooMany ? null : seen);
      addAll(found.hidden, one.hidden);
      addAll(found.readOnly, one.readOnly);
      addAll(found.unreadable, one.unreadable);
      addAll(sockets, one.sockets);
      addAll(waiting, one.folders);
      known += one.folders.filter(({ isOpen }) => !isOpen).length;
      if (++folders % FOLDERS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return { ...found, sockets: open > OPEN_FOLDERS_MAX ? null : sockets };
  }

  #look(folder: Folder, closed: Closed, seen: Map<string, Seen> | null): Seen {
    const known = seen?.get(folder.path);
    if (known !== undefined && known.stamp === this.#trees.stamp(folder.path)) return known;
    const fresh = this.#list(folder, closed);
    if (fresh.stamp !== null && isOld(fresh.stamp)) seen?.set(folder.path, fresh);
    else seen?.delete(folder.path);
    return fresh;
  }

  #list({ path: folder, isClosed }: Folder, { hide, readOnly }: Closed): Seen {
    const found = {
      hidden: [] as Found[],
      readOnly: [] as Found[],
      folders: [] as Folder[],
      sockets: [] as string[],
    };
    const { content, stamp } = this.#trees.list(folder);
    if (content === "absent") return { stamp, ...found, unreadable: [] };
    if (content === "unreadable") return { stamp, ...found, unreadable: [folder] };
    for (const { name, kind } of content) {
      const path = `${folder === "/" ? "" : folder}/${name}`;
      // The gate can't look into a folder whose name is no UTF-8, so it is hidden if anything in it could be closed.
      if (!name.isWellFormed()) {
        const isClosed = kind === "directory" ? "reachesInto" : "matches";
        if (hide[isClosed](path) || readOnly[isClosed](path)) found.hidden.push({ path, kind });
        else if (kind === "socket") found.sockets.push(path);
        continue;
      }
      const isHidden = hide.mayMatch(name) && hide.matches(path);
      const config = ledToConfig(path, kind);
      const isKept =
        !isClosed &&
        ((readOnly.mayMatch(name) && readOnly.matches(path)) || (config !== null && readOnly.matches(config)));
      if (isKept) found.readOnly.push({ path, kind });
      if (isHidden) found.hidden.push({ path, kind });
      if (kind === "socket" && !isHidden) found.sockets.push(path);
      if (kind !== "directory" || isHidden) continue;
      const mayBeClosed = hide.reachesInto(path) || (!isClosed && !isKept && readOnly.reachesInto(path));
      found.folders.push({ path, isClosed: isClosed || isKept, isOpen: !mayBeClosed });
    }
    return { stamp, ...found, unreadable: [] };
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

/** `push(...more)` throws for a folder with more than about 100,000 entries: the arguments of a call have to fit on the stack. */
function addAll<Item>(to: Item[], more: readonly Item[]): void {
  for (const one of more) to.push(one);
}

/** A stamp ends in the time of the change, in nanoseconds. */
const isOld = (stamp: string): boolean =>
  BigInt(Date.now()) * 1_000_000n - BigInt(stamp.slice(stamp.indexOf(":") + 1)) > SETTLED_NS;
