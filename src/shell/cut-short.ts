/** What means something else to a program that takes its words cut short: `npm in` is `npm install`. */
const OTHERS: ReadonlySet<string> = new Set(["in", "se"]);

/** The words, and all that they may be cut down to where two letters are enough: `npm exe` is `npm exec`. */
export const cutShort = (words: string): string =>
  words
    .split(" ")
    .flatMap((word) => [word, ...beginnings(word)])
    .join(" ");

const beginnings = (word: string): readonly string[] =>
  Array.from({ length: Math.max(0, word.length - 2) }, (_, cut) => word.slice(0, cut + 2)).filter(
    (beginning) => !OTHERS.has(beginning),
  );
