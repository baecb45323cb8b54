const SHOWN_MAX = 80;

/** Control characters, marks that turn the direction of text (CVE-2021-42574), and the backtick around foreign text. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}`]/gu;

/** Foreign text in a form that keeps a message on one line and a terminal unharmed. */
export function shown(text: string): string {
  const short = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
  return short.replace(UNSHOWABLE, escaped);
}

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
