import type { Word } from "../domain/touch.ts";

export const ANY_WORD: unique symbol = Symbol("*");
export const ANY_WORDS: unique symbol = Symbol("**");

/** A word of a pattern: itself, `*` or `**`. */
export type Token = string | typeof ANY_WORD | typeof ANY_WORDS;

/** Whether a wildcard may stand for this word. */
export type WordTest = (word: Word) => boolean;

/** Whether the words are what the pattern says, for sure. A word that may become several is covered by `**` only. */
export function isMatch(tokens: readonly Token[], words: readonly Word[], covers: WordTest): boolean {
  let token = 0;
  let at = 0;
  let runToken = -1;
  let runAt = 0;
  while (at < words.length) {
    const wanted = tokens[token];
    const word = words[at] as Word;
    if (wanted === ANY_WORDS) {
      runToken = token++;
      runAt = at;
    } else if (wanted === ANY_WORD ? word.many !== true && covers(word) : word.known && wanted === word.text) {
      token++;
      at++;
    } else if (runToken === -1 || !covers(words[runAt] as Word)) {
      return false;
    } else {
      // The latest run takes one word more: an earlier run can take nothing that the latest can't.
      at = ++runAt;
      token = runToken + 1;
    }
  }
  while (tokens[token] === ANY_WORDS) token++;
  return token === tokens.length;
}

/** Whether the words could turn out to be what the pattern says, whatever those become that are not known yet. */
export function couldMatch(tokens: readonly Token[], words: readonly Word[]): boolean {
  // What asks about every command.
  if (tokens.length === 1 && tokens[0] === ANY_WORDS) return true;
  // Row by row of tokens × words; `reached[w]` = the tokens so far can stand for the first w words.
  let reached = new Array<boolean>(words.length + 1).fill(false);
  reached[0] = true;
  for (let w = 0; w < words.length && words[w]?.many === true; w++) reached[w + 1] = true;
  for (const token of tokens) {
    const next = new Array<boolean>(words.length + 1).fill(false);
    next[0] = token === ANY_WORDS && reached[0] === true;
    for (let w = 1; w <= words.length; w++) {
      const word = words[w - 1] as Word;
      const isOne = reached[w - 1] === true && couldBe(token, word);
      const isMore = token === ANY_WORDS && (reached[w] === true || next[w - 1] === true);
      // One word that becomes several takes several tokens; one that becomes none takes no token.
      const isSplit = word.many === true && (reached[w] === true || next[w - 1] === true);
      next[w] = isOne || isMore || isSplit;
    }
    reached = next;
  }
  return reached[words.length] === true;
}

const couldBe = (token: Token, { text, known }: Word): boolean => typeof token !== "string" || !known || token === text;
