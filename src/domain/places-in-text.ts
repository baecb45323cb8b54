/** Up to so many characters the language's own search is fast, whatever is searched. */
const SHORT_MAX = 32;

/**
 * Where a text is found in another, also where matches overlap. In linear time (Knuth, Morris and Pratt), unlike
 * `indexOf`, which takes a minute for half a megabyte where somebody has chosen both.
 */
export function placesInText(text: string, wanted: string): Generator<number> {
  return wanted.length <= SHORT_MAX ? placesOfShort(text, wanted) : placesOfLong(text, wanted);
}

export const isInText = (text: string, wanted: string): boolean => placesInText(text, wanted).next().done === false;

function* placesOfShort(text: string, wanted: string): Generator<number> {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    yield at;
    if (at === text.length) return; // where nothing is wanted, it is found there again and again
  }
}

function* placesOfLong(text: string, wanted: string): Generator<number> {
  if (wanted.length > text.length) return;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    matched = extended(wanted, borders, matched, text.charCodeAt(at));
    if (matched < wanted.length) continue;
    yield at + 1 - wanted.length;
    matched = borders[matched] ?? 0;
  }
}

/** For each length of a beginning of the text: how long the longest shorter beginning is that it ends with. */
function bordersOf(wanted: string): Int32Array {
  const borders = new Int32Array(wanted.length + 1);
  for (let at = 1, matched = 0; at < wanted.length; at++) {
    matched = extended(wanted, borders, matched, wanted.charCodeAt(at));
    borders[at + 1] = matched;
  }
  return borders;
}

/** How much of the beginning is matched with one more character. */
function extended(wanted: string, borders: Int32Array, before: number, code: number): number {
  let matched = before;
  while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched] ?? 0;
  return wanted.charCodeAt(matched) === code ? matched + 1 : 0;
}
