import type { TemplateNode, TemplateSection } from "./template.ts";
import { type Gives, parameterOf, type Scope, scopeOf, type TypeOf } from "./template-scope.ts";
import type { Piece } from "./unroll-template.ts";

/** So many names of sections are tried in every combination; with more of them, each with all and without any other. */
const NAMES_MAX = 6;

/** How often a name's section is there: `{{#x}}` so often, `{{^x}}` once where that is not at all. */
type Counts = ReadonlyMap<string, number>;

/**
 * The scripts that a template may come to, before any value is there: every section there and not, with every other, and
 * lists by themselves twice. What a call really comes to is looked at again.
 */
export function* templateVariants(nodes: readonly TemplateNode[], typeOf: TypeOf): Generator<readonly Piece[]> {
  const seen = new Set<string>();
  for (const counts of combinations([...new Set(namesIn(nodes, [], typeOf))])) {
    const pieces = unrolled(nodes, [], counts, typeOf);
    const key = pieces.map((piece) => (typeof piece === "string" ? piece : `\0${piece.slot.at}\0`)).join("");
    if (!seen.has(key)) yield pieces;
    seen.add(key);
  }
}

function* combinations(names: readonly string[]): Generator<Counts> {
  const all = (count: number): Counts => new Map(names.map((name) => [name, count]));
  for (const count of [1, 2, 0]) yield all(count);
  for (const name of names)
    for (const others of [1, 0]) for (const count of [0, 1, 2]) yield new Map([...all(others), [name, count]]);
  if (names.length > NAMES_MAX) return;
  for (let bits = 2 ** names.length - 1; bits > 0; bits--)
    yield new Map(names.map((name, at) => [name, (bits >> at) % 2]));
}

/** A section inside of another one's items is there or not by itself. */
const nameOf = (section: TemplateSection, scopes: readonly Scope<Gives>[]): string =>
  parameterOf(section.name, scopes).isOfSection ? `${section.name} in ${scopes.length}` : section.name;

const namesIn = (nodes: readonly TemplateNode[], scopes: readonly Scope<Gives>[], typeOf: TypeOf): readonly string[] =>
  nodes.flatMap((node) =>
    node.kind === "section"
      ? [nameOf(node, scopes), ...namesIn(node.body, [...scopes, scopeOf(node, scopes, typeOf)], typeOf)]
      : [],
  );

function unrolled(
  nodes: readonly TemplateNode[],
  scopes: readonly Scope<Gives>[],
  counts: Counts,
  typeOf: TypeOf,
): readonly Piece[] {
  return nodes.flatMap((node): readonly Piece[] => {
    if (node.kind === "text") return [node.text];
    if (node.kind === "slot") return [{ slot: node, parameter: parameterOf(node.name, scopes).parameter, value: "" }];
    const scope = scopeOf(node, scopes, typeOf);
    const count = repeats(node, counts.get(nameOf(node, scopes)) ?? 0, mayRepeat(node, scopes, typeOf));
    if (count === 0) return [];
    const inside = unrolled(node.body, [...scopes, scope], counts, typeOf);
    return Array.from({ length: count }, () => inside).flat();
  });
}

const repeats = ({ inverted }: TemplateSection, count: number, mayBeTwo: boolean): number => {
  if (inverted) return count === 0 ? 1 : 0;
  return mayBeTwo ? count : Math.min(count, 1);
};

/** Of a boolean, a text or a number there is one at the most. */
function mayRepeat({ name }: TemplateSection, scopes: readonly Scope<Gives>[], typeOf: TypeOf): boolean {
  const { parameter, isOfSection } = parameterOf(name, scopes);
  const type = isOfSection ? undefined : typeOf(parameter);
  return type === undefined || type === "array" || type === "object";
}
