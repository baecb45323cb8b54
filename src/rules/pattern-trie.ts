import type { Pattern } from "./pattern.ts";

interface Node<Entry> {
  readonly next: Map<string, Node<Entry>>;
  /** By the last step that a subject must have. */
  readonly byLast: Map<string, Entry[]>;
  readonly open: Entry[];
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
    for (const step of pattern?.head ?? []) node = madeAt(node.next, step, newNode<Entry>);
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
