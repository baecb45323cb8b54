const QUOTED_MAX = 80;

/** Control characters, marks that turn the direction of text (CVE-2021-42574), and the backtick that would end it. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}`]/gu;

/** Foreign text in backticks, in a form that keeps a message on one line and a terminal unharmed. */
export function quoted(text: string): string {
  const short = text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text;
  return `\`${short.replace(UNSHOWABLE, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)}\``;
}
