import type { Word } from "../domain/touch.ts";
import { baseName } from "./command-steps.ts";
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

/** Who is shown what a look comes upon. An object and no callback, because this runs for each touch of each call. */
export interface Visitor<Entry> {
  readonly visit: (entries: readonly Entry[]) => void;
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

  /** Every entry whose pattern may match the subject, the most special first: mostly it spares a look at the others. */
  along(steps: readonly string[], visitor: Visitor<Entry>): void {
    visitAlong(this.#root, steps, 0, visitor);
  }

  /** The same for the words of a command, its program without a folder. From a word on that is not known all is possible. */
  alongWords(argv: readonly Word[], visitor: Visitor<Entry>): void {
    visitWords(this.#root, argv, 0, visitor);
  }

  /**
   * The same for a canonical path, whose steps stand between slashes. Most rules are about what is below the workspace, and
   * the way there is one comparison.
   */
  alongPath(path: string, visitor: Visitor<Entry>): void {
    const last = path.slice(path.lastIndexOf("/") + 1);
    let node: Node<Entry> | undefined = this.#root;
    for (let at = 1; node !== undefined; ) {
      if (node.open.length > 0) visitor.visit(node.open);
      const ending = node.byLast.get(last);
      if (ending !== undefined) visitor.visit(ending);
      if (at >= path.length) return;
      const skip = skipOf(node);
      const end = skip === null ? stepEnd(path, at) : at + skip.text.length;
      if (skip === null) node = node.next.get(path.slice(at, end));
      else node = path.startsWith(skip.text, at) && (end === path.length || path[end] === "/") ? skip.to : undefined;
      at = end + 1;
    }
  }

  /** Every entry whose pattern may match the subject, or a longer one that begins with its steps. */
  within(steps: readonly string[], visitor: Visitor<Entry>): void {
    let node: Node<Entry> = this.#root;
    for (const step of steps) {
      visitNode(node, visitor);
      const next = node.next.get(step);
      if (next === undefined) return;
      node = next;
    }
    visitAll(node, visitor);
  }
}

function visitAlong<Entry>(
  { next, open, byLast }: Node<Entry>,
  steps: readonly string[],
  at: number,
  visitor: Visitor<Entry>,
): void {
  const further = at < steps.length && next.size > 0 ? next.get(steps[at] as string) : undefined;
  if (further !== undefined) visitAlong(further, steps, at + 1, visitor);
  const ending = byLast.size > 0 ? byLast.get(steps.at(-1) ?? "") : undefined;
  if (ending !== undefined) visitor.visit(ending);
  if (open.length > 0) visitor.visit(open);
}

/** No array of steps is made: this runs for each command of each call. */
function visitWords<Entry>(node: Node<Entry>, argv: readonly Word[], at: number, visitor: Visitor<Entry>): void {
  const { next, open, byLast } = node;
  const word = next.size > 0 ? argv[at] : undefined;
  if (word !== undefined) {
    if (!word.known) return void visitAll(node, visitor);
    const further = next.get(at === 0 ? baseName(word.text) : word.text);
    if (further !== undefined) visitWords(further, argv, at + 1, visitor);
  }
  // No pattern of commands has a last step.
  if (byLast.size > 0) visitNode(node, visitor);
  else if (open.length > 0) visitor.visit(open);
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

function visitNode<Entry>({ open, byLast }: Node<Entry>, visitor: Visitor<Entry>): void {
  visitor.visit(open);
  for (const ending of byLast.values()) visitor.visit(ending);
}

function visitAll<Entry>(node: Node<Entry>, visitor: Visitor<Entry>): void {
  visitNode(node, visitor);
  for (const next of node.next.values()) visitAll(next, visitor);
}

function madeAt<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
