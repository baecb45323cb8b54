import { tokenOf, withoutTokens } from "./slot-names.ts";

/** Of a slot in an argument of a command. */
export interface ArgumentPlace {
  /** Slots of one word have the same. */
  readonly word: number;
  /** Nothing but quotes and other slots stands before it in its word: the value may look like an option. */
  readonly isHead: boolean;
  /** `--` stands before the word, so that no value is an option. */
  readonly isBehindDashes: boolean;
  /** A dash of the author's own stands behind it, which begins the word if the value is empty: `{{x}}-v`. */
  readonly hidesDash: boolean;
  /** `-o{{x}}`: if it is empty, the option takes the next word. */
  readonly isGlued: boolean;
  /** `-{{x}}`: the value says which option it is. */
  readonly isOptionName: boolean;
  /** `test` and `[` know no `--`: what looks like an operator is one. */
  readonly isTested: boolean;
}

/** The word that a slot is in. */
export interface InWord extends Pick<ArgumentPlace, "isBehindDashes" | "isTested"> {
  readonly word: number;
  readonly text: string;
}

const QUOTES = /\$(?=['"])|["'\\]/g;

export function argumentPlace({ text, word, isBehindDashes, isTested }: InWord, index: number): ArgumentPlace {
  const at = text.indexOf(tokenOf(index));
  const before = text.slice(0, at).replace(QUOTES, "");
  const behind = text.slice(at + tokenOf(index).length).replace(QUOTES, "");
  const own = withoutTokens(before);
  return {
    ...{ word, isBehindDashes, isTested },
    isHead: own === "",
    hidesDash: behind.startsWith("-"),
    isGlued: /^-[A-Za-z]$/.test(before) && behind === "",
    // What stands behind another value is asked for in every call: that one is not empty.
    isOptionName: before.startsWith("-") && /^-+$/.test(own),
  };
}
