/**
 * Patterns of `.gitignore` files, for names that are shown: nothing is allowed or denied by them (rules have patterns of
 * their own). Matched by hand and not by expressions, since a hostile repository writes them: three times `**` in one
 * pattern kept the `ignore` package busy for two seconds, eight for more than a minute.
 */
export interface Glob {
  /** `path` is relative to where the pattern stands. False also where the steps are used up. */
  readonly matches: (path: string, steps?: Steps) => boolean;
}

/**
 * How much may be compared, in characters and names. Even without going back far, thousands of patterns against a path of a
 * thousand folders take minutes.
 */
export class Steps {
  #left: number;
  readonly #max: number;

  constructor(max = Number.POSITIVE_INFINITY) {
    this.#left = max;
    this.#max = max;
  }

  get isExhausted(): boolean {
    return this.#left < 0;
  }

  get taken(): number {
    return this.#max - this.#left;
  }

  take(count: number): boolean {
    this.#left -= count;
    return this.#left >= 0;
  }
}

const ANY_RUN = "any run";
const ANY_ONE = "any one";
const ANY_DEPTH = "any depth";

interface CharacterSet {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [number, number])[];
}

type Token = typeof ANY_RUN | typeof ANY_ONE | number | CharacterSet;
type Component = typeof ANY_DEPTH | readonly Token[];

/** A slash at the beginning or in the middle ties it to its place; without one it speaks about names at any depth. */
export function globFrom(pattern: string): Glob {
  const isTied = pattern.includes("/");
  const parts = (pattern.startsWith("/") ? pattern.slice(1) : pattern).split("/");
  const components = parts.map((part): Component => (part === "**" ? ANY_DEPTH : tokensFrom([...part])));
  const all: readonly Component[] = isTied ? components : [ANY_DEPTH, ...components];
  return { matches: (path, steps = new Steps()) => matchesAll(all, path.split("/"), steps) };
}

/** Goes back to the latest `**` only, as in a component to the latest `*`: never exponential. */
function matchesAll(components: readonly Component[], names: readonly string[], steps: Steps): boolean {
  let [part, at] = [0, 0];
  let [deepPart, deepAt] = [-1, 0];
  while (at < names.length) {
    if (!steps.take(1)) return false;
    const component = components[part];
    if (component === ANY_DEPTH) {
      // At the end, `**` is everything inside: one name at least.
      if (part === components.length - 1) return true;
      deepPart = part++;
      deepAt = at;
    } else if (component !== undefined && matchesName(component, names[at] ?? "", steps)) {
      part++;
      at++;
    } else if (deepPart === -1) {
      return false;
    } else {
      at = ++deepAt;
      part = deepPart + 1;
    }
  }
  return part === components.length;
}

function matchesName(tokens: readonly Token[], name: string, steps: Steps): boolean {
  let [token, at] = [0, 0];
  let [runToken, runAt] = [-1, 0];
  while (at < name.length) {
    const wanted = tokens[token];
    if (!steps.take(typeof wanted === "object" ? wanted.ranges.length + 1 : 1)) return false;
    const character = name.codePointAt(at) ?? 0;
    if (wanted === ANY_RUN) {
      runToken = token++;
      runAt = at;
    } else if (matchesOne(wanted, character)) {
      token++;
      at += widthOf(character);
    } else if (runToken === -1) {
      return false;
    } else {
      runAt += widthOf(name.codePointAt(runAt) ?? 0);
      at = runAt;
      token = runToken + 1;
    }
  }
  while (tokens[token] === ANY_RUN) token++;
  return token === tokens.length;
}

/** In units of a string. */
const widthOf = (character: number): number => (character > 0xffff ? 2 : 1);

function matchesOne(token: Token | undefined, character: number): boolean {
  if (typeof token !== "object") return token === ANY_ONE || token === character;
  return token.ranges.some(([first, last]) => first <= character && character <= last) !== token.isNegated;
}

function tokensFrom(characters: readonly string[]): readonly Token[] {
  const tokens: Token[] = [];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? "";
    if (character === "*") {
      if (tokens.at(-1) !== ANY_RUN) tokens.push(ANY_RUN);
    } else if (character === "?") {
      tokens.push(ANY_ONE);
    } else if (character === "[") {
      const set = setFrom(characters, i + 1);
      if (set === null) return [NEVER];
      tokens.push(set.set);
      i = set.end;
    } else {
      if (character === "\\") i++;
      tokens.push(codeAt(characters, i));
    }
  }
  return tokens;
}

/** A set that is never closed matches nothing. */
const NEVER: CharacterSet = { isNegated: false, ranges: [] };

const codeAt = (characters: readonly string[], i: number): number => characters[i]?.codePointAt(0) ?? -1;

const CLASSES: Readonly<Record<string, CharacterSet["ranges"]>> = {
  alpha: [
    [65, 90],
    [97, 122],
  ],
  digit: [[48, 57]],
  alnum: [
    [48, 57],
    [65, 90],
    [97, 122],
  ],
  lower: [[97, 122]],
  upper: [[65, 90]],
  space: [
    [9, 13],
    [32, 32],
  ],
  punct: [
    [33, 47],
    [58, 64],
    [91, 96],
    [123, 126],
  ],
  xdigit: [
    [48, 57],
    [65, 70],
    [97, 102],
  ],
};

/** From behind the `[`. A `]` right there is a member; null = there is no end. */
function setFrom(characters: readonly string[], from: number): { set: CharacterSet; end: number } | null {
  const isNegated = characters[from] === "!" || characters[from] === "^";
  const start = isNegated ? from + 1 : from;
  const ranges: (readonly [number, number])[] = [];
  for (let i = start; i < characters.length; i++) {
    if (characters[i] === "]" && i > start) return { set: { isNegated, ranges }, end: i };
    const named = /^\[:([a-z]+):\]/.exec(characters.slice(i, i + 12).join(""))?.[1];
    if (named !== undefined) {
      ranges.push(...(CLASSES[named] ?? []));
      i += named.length + 3;
      continue;
    }
    if (characters[i] === "\\") i++;
    const first = codeAt(characters, i);
    const isRange = characters[i + 1] === "-" && i + 2 < characters.length && characters[i + 2] !== "]";
    if (!isRange) {
      ranges.push([first, first]);
      continue;
    }
    i += characters[i + 2] === "\\" ? 3 : 2;
    ranges.push([first, codeAt(characters, i)]);
  }
  return null;
}
