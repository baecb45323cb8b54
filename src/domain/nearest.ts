/** The candidates that a person who wrote `word` may have meant, nearest first. */
export function nearest(word: string, candidates: Iterable<string>, atMost = 3): readonly string[] {
  const wanted = folded(word);
  return [...candidates]
    .map((name) => ({ name, distance: distance(wanted, folded(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, atMost)
    .map(({ name }) => name);
}

/** Whether a word is another one with a single slip: a letter too many, too few or wrong, or letters in another order. */
export function isSlipOf(word: string, name: string): boolean {
  const [given, meant] = [folded(word), folded(name)];
  const sorted = (text: string): string => [...text].sort().join("");
  return given !== meant && (distance(given, meant) === 1 || sorted(given) === sorted(meant));
}

/** Look-alikes should find what they imitate: the suggestion is for people, the match itself stays exact. */
const folded = (text: string): string => text.slice(0, 64).normalize("NFKC").toLowerCase().replaceAll("-", "_");

/** Levenshtein distance, one row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...a].entries()) {
    const next = [line + 1];
    for (let column = 0; column < b.length; column++) {
      const replaced = (row[column] ?? 0) + (letter === b[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
