import { type FormatRule, lazyRule } from "./format-rule.ts";
import { KeywordSieve } from "./keyword-sieve.ts";
import { isPassword, isToken } from "./value-judge.ts";

/*
 * `NAME=value` and its relatives. The name begins at the keyword, so whatever stands before it (`DB_`, `github.`) is fine,
 * and little may stand behind it: `token_url` and `secret_length` hold no secrets.
 */

/** Quotes and brackets that close a name, also in JSON inside of JSON (`\"`). */
const NAME_END = "[0-9]{0,2}[\\\\\"'\\]]{0,4}";
/** An equals sign and its relatives, or only blanks. */
const BETWEEN = "(?:[ \\t]{0,16}(?<sign>:=|=>|\\?=|={1,3}|:|>)[ \\t]{0,16}|[ \\t]{1,8})";
/**
 * The head of a value, which is enough to judge it. In quotes it goes to the next quote; else to a blank, or to what ends
 * a list item or a part of a query.
 */
const HEAD = "{6,256}";
const IN_QUOTES = ['"', "'", "`"].map((quote) => `${quote}(?<secret>(?:[^${quote}\\\\\\n]|\\\\.)${HEAD})`);
const IN_ESCAPED_QUOTES = `\\\\{1,3}["'](?<secret>[^"'\\\\\\n]${HEAD})`;
const BARE = `(?<secret>[^ \\t\\r\\n"'\`&,;<>\\\\]${HEAD})`;
const VALUE = `b?(?:${[...IN_QUOTES, IN_ESCAPED_QUOTES, BARE].join("|")})`;
const VALUE_REST = /[^ \t\r\n"'`&,;<>\\]{0,32000}/y;

/** Cursors of paged answers are called tokens as well, and an agent needs them; `jsonwebtoken` is a library. */
const TOKEN = "(?<!(?:next|page|continuation|sync|cancell?ation|cancel|web)[_-]?)token";
const KINDS_OF_KEY = "api|access|auth|account|private|secret|encryption|signing|master|shared|service|webhook|deploy";
const KEY = `(?<=(?:${KINDS_OF_KEY})[_-]?)key`;
/** `STRIPE_KEY=`: only in capitals, since `cache_key` and `primary_key` hold no secrets. */
const KEY_VARIABLE = "(?<=[A-Z0-9]_)(?<!(?:PUBLIC|PRIMARY|FOREIGN|CACHE|SORT|PARTITION)_)KEY";

type Judge = (value: string) => boolean;

function assignment(id: string, keyword: string, name: string, judge: Judge, flags: "y" | "iy" = "iy"): FormatRule {
  const rule: Omit<FormatRule, "expression"> = {
    id,
    keywords: [keyword],
    rest: VALUE_REST,
    filling: "allowed", // the judges look at it
    accepts: (value, match) => (isAssigned(match) ? judge(value) : isUnmistakable(value)),
  };
  return lazyRule(rule, () => new RegExp(`${name}${NAME_END}${BETWEEN}${VALUE}`, flags));
}

/** `--db-password value` */
const OPTION = /(?:^|[ \t\r\n])--?[\w-]{0,40}$/;
const OPTION_LENGTH_MAX = 44;

function isAssigned({ groups, input, index }: RegExpExecArray): boolean {
  return groups?.["sign"] !== undefined || OPTION.test(input.slice(Math.max(0, index - OPTION_LENGTH_MAX), index));
}

/** Prose says `token` too, so what follows a mere blank must be unmistakable. */
const isUnmistakable: Judge = (value) =>
  value.length >= 16 && /^[A-Za-z0-9+=_-]+$/.test(value) && /[0-9]/.test(value) && isToken(value);

const PASSWORD_NAMES = {
  password: "password",
  passwd: "passwd",
  passphrase: "passphrase",
  pwd: "pwd",
  _pass: "_pass",
  "-pass": "-pass",
};
const TOKEN_NAMES = { token: TOKEN, secret: "secret", credential: "credentials?", key: KEY };

export const ASSIGNMENT_RULES: readonly FormatRule[] = [
  ...Object.entries(PASSWORD_NAMES).map(([keyword, name]) => assignment("password", keyword, name, isPassword)),
  ...Object.entries(TOKEN_NAMES).map(([keyword, name]) => assignment("token", keyword, name, isToken)),
  assignment("token", "key", KEY_VARIABLE, isToken, "y"),
];

const memberNamed = (names: Readonly<Record<string, string>>): RegExp =>
  new RegExp(`(?:${Object.values(names).join("|")})[0-9]{0,2}$`, "i");
const PASSWORD_MEMBER = memberNamed({ ...PASSWORD_NAMES, pass: "^pass" });
const TOKEN_MEMBER = memberNamed(TOKEN_NAMES);
/** What stands in all names that tell. Few names have it, and the expressions cost more than the rest of a short text. */
const TELLING_NAMES = new KeywordSieve(["pass", "pwd", "token", "secret", "credential", "key"]);

/** The rule by which a member of a JSON object is secret, because of its name; null = its name says nothing. */
export function ruleOfMember(name: string, value: string): "password" | "token" | null {
  if (!TELLING_NAMES.mayHold(name)) return null;
  if (PASSWORD_MEMBER.test(name)) return isPassword(value) ? "password" : null;
  return TOKEN_MEMBER.test(name) && isToken(value) ? "token" : null;
}
