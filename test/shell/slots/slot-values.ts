// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { corpus } from "../../support/parts.ts";

export const PAYLOADS = (corpus<{ payload: string }>("command_injection.jsonl") ?? []).map(({ payload }) => payload);
const NAUGHTY = (corpus<{ text: string }>("blns.jsonl") ?? []).map(({ text }) => text);
/** Letters that bash uses inside itself, ends of lines, and what looks like our own names. */
const OWN = [
  "plain",
  "",
  " ",
  "\n",
  "a\n\n",
  "\u0001",
  "\u007f",
  "\u0001\u0001\u007f\u007f",
  "\\",
  "\\\\",
  "'",
  '"',
  "`id`",
  "$(id)",
  "${HOME}",
  "${__toolgate_v[0]}",
  "$__toolgate_v",
  "*",
  "~",
  "EOF",
  "EOF\nid\n",
  "-n",
  "--",
  "a[$(id)]",
  "x\r\n",
  "\u{1F4A9}\u0301\u202e",
  "!!",
  "{a,b}",
  "[a-z]*",
  "#",
  "&",
  "\t",
  "{{x}}",
  "}}{{",
];
export const VALUES = [...OWN, ...PAYLOADS, ...NAUGHTY].filter(
  (value) => !value.includes("\0") && value.isWellFormed(),
);
