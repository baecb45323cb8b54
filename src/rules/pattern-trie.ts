import type { Pattern } from "./pattern.ts";

interface Node<Entry> {
  readonly next: Map<string, Node<Entry>>;
  /** Where the only way on leads to, past nodes that hold nothing; undefined = not looked at since the last entry. */
  skip?: Skip<Entry> | null;
  /** By the last step that a subject must have. */
  readonly byLast: Map<string, Entry[]>;
  readonly open: Entry[];
}

/** `text`: the steps on the way, with slashes between them. */
interface Skip<Entry> {
  readonly text: string;
  readonly to: Node<Entry>;
}

const newNode = <Entry>(): Node<Entry> => ({ next: new Map(), byLast: new Map(), open: [] });

/**
 * Entries by the steps that their patterns begin with, and by the one they end in. Looking one up costs the steps of
 * the subject and the entries that may match it, however many others there are.
 */
export class PatternTrie<Entry> {
  readonly #root = newNode<Entry>();

  /** Null = whatever the subject is. */
  add(entry: Entry, pattern: Pick<Pattern, "head" | "last"> | null): void {
    let node = this.#root;
    for (const step of pattern?.head ?? []) {
      delete node.skip;
      node = madeAt(node.next, step, newNode<Entry>);
    }
    delete node.skip;
    const last = pattern?.last ?? null;
    (last === null ? node.open : madeAt(node.byLast, last, () => [])).push(entry);
  }

  /** Every entry whose pattern may match the subject. A callback, because this runs for each touch of each call. */
  along(steps: readonly string[], visit: (entries: readonly Entry[]) => void): void {
    const last = steps.at(-1) ?? "";
    let node: Node<Entry> | undefined = this.#root;
    for (let i = 0; node !== undefined; i++) {
      visit(node.open);
      const ending = node.byLast.get(last);
      if (ending !== undefined) visit(ending);
      node = node.next.get(steps[i] ?? "");
    }
  }

  /**
   * The same for a canonical path, whose steps stand between slashes. Most rules are about what is below the workspace, and
   * the way there is one comparison.
   */
  alongPath(path: string, visit: (entries: readonly Entry[]) => void): void {
    const last = path.slice(path.lastIndexOf("/") + 1);
    let node: Node<Entry> | undefined = this.#root;
    for (let at = 1; node !== undefined; ) {
      if (node.open.length > 0) visit(node.open);
      const ending = node.byLast.get(last);
      if (ending !== undefined) visit(ending);
      if (at >= path.length) return;
      const skip = skipOf(node);
      const end = skip === null ? stepEnd(path, at) : at + skip.text.length;
      if (skip === null) node = node.next.get(path.slice(at, end));
      else node = path.startsWith(skip.text, at) && (end === path.length || path[end] === "/") ? skip.to : undefined;
      at = end + 1;
    }
  }

  /** Every entry whose pattern may match the subject, or a longer one that begins with its steps. */
  within(steps: readonly string[], visit: (entries: readonly Entry[]) => void): void {
    let node: Node<Entry> = this.#root;
    for (const step of steps) {
      visitNode(node, visit);
      const next = node.next.get(step);
      if (next === undefined) return;
      node = next;
    }
    visitAll(node, visit);
  }
}

function stepEnd(path: string, from: number): number {
  const slash = path.indexOf("/", from);
  return slash === -1 ? path.length : slash;
}

/** Null: there are several ways on, or none. */
function skipOf<Entry>(node: Node<Entry>): Skip<Entry> | null {
  node.skip ??= onlyWay(node);
  return node.skip;
}

function onlyWay<Entry>(node: Node<Entry>): Skip<Entry> | null {
  const steps: string[] = [];
  let to = node;
  do {
    const [way, ...others] = to.next;
    if (way === undefined || others.length > 0) break;
    steps.push(way[0]);
    to = way[1];
  } while (to.open.length === 0 && to.byLast.size === 0);
  return steps.length === 0 ? null : { text: steps.join("/"), to };
}

function visitNode<Entry>({ open, byLast }: Node<Entry>, visit: (entries: readonly Entry[]) => void): void {
  visit(open);
  for (const ending of byLast.values()) visit(ending);
}

function visitAll<Entry>(node: Node<Entry>, visit: (entries: readonly Entry[]) => void): void {
  visitNode(node, visit);
  for (const next of node.next.values()) visitAll(next, visit);
}

function madeAt<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
