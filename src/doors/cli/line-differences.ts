/** A table of so many places is made at once. What is longer is shown as all gone and all new, which it may as well be. */
const PLACES_MAX = 4_000_000;

/**
 * All lines of both, with those marked that only one has. INVARIANT (shown = accepted): where they differ, something is marked; lines
 * that only changed their places are others, since in a schema the place of a line is what it means.
 */
export function lineDifferences(before: readonly string[], after: readonly string[]): readonly string[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const [old, fresh] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  return [
    ...before.slice(0, head).map((line) => `  ${line}`),
    ...(old.length * fresh.length > PLACES_MAX ? allMarked(old, fresh) : marked(old, fresh)),
    ...before.slice(before.length - tail).map((line) => `  ${line}`),
  ];
}

const allMarked = (old: readonly string[], fresh: readonly string[]): readonly string[] => [
  ...old.map((line) => `- ${line}`),
  ...fresh.map((line) => `+ ${line}`),
];

/** By the longest run of lines that both have in the same order. */
function marked(old: readonly string[], fresh: readonly string[]): readonly string[] {
  const width = fresh.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = fresh.length - 1; column >= 0; column--)
      common[row * width + column] =
        old[row] === fresh[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    const isSame = row < old.length && column < fresh.length && old[row] === fresh[column];
    if (isSame) {
      lines.push(`  ${fresh[column]}`);
      row++;
      column++;
    } else if (column >= fresh.length || (row < old.length && at(row + 1, column) >= at(row, column + 1)))
      lines.push(`- ${old[row++]}`);
    else lines.push(`+ ${fresh[column++]}`);
  }
  return lines;
}
