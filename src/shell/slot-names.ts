/** The shell's own list of what the slots hold: never exported, so that no program gets it. */
export const VALUES = "__toolgate_v";
/** A variable that is never set: what reaches it ends the script. */
export const ABSENT = "__toolgate_absent";
/** Says which value is missing, and ends the script also from within a subshell. */
export const MISSING = "__toolgate_missing";

/** What stands for a slot while the shell's grammar is read: letters only, so that it is a plain part of a word. */
const TOKEN = "TgSlotQzv";

export const RESERVED = /__toolgate_|TgSlotQzv/;

export const tokenOf = (index: number): string => `${TOKEN}${index}x`;

const TOKENS = new RegExp(`${TOKEN}(\\d+)x`, "g");

export const tokensIn = (text: string): readonly number[] =>
  text.includes(TOKEN) ? [...text.matchAll(TOKENS)].map(([, index]) => Number(index)) : [];

/** Whether one begins between these places. */
export function hasToken(text: string, from: number, end: number): boolean {
  const at = text.indexOf(TOKEN, from);
  return at !== -1 && at < end;
}

export const withoutTokens = (text: string): string => text.replace(TOKENS, "");

export const holdsReference = (text: string): boolean => text.includes(VALUES);

const REFERENCES = new RegExp(`\\$\\{${VALUES}\\[\\d+\\]\\}`, "g");

export const withoutReferences = (text: string): string => text.replace(REFERENCES, "");
