/** Letters that most people take for another one at a glance. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  i: "l",
  "5": "s",
  а: "a",
  е: "e",
  о: "o",
  р: "p",
  с: "c",
  у: "y",
  х: "x",
  і: "l",
};

/** The same for all names that look alike: case, separators and similar letters don't count. */
export const lookOf = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{Cf}\p{Mn}_.-]/gu, "")
    .replaceAll("rn", "m")
    .replace(/./gu, (letter) => LOOKS_LIKE[letter] ?? letter);

/** Names that are the same or look the same, in groups of two and more. */
export function lookAlikes(names: readonly string[]): readonly (readonly string[])[] {
  return [...Map.groupBy(names, lookOf).values()].filter(({ length }) => length > 1);
}
