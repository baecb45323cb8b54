import { Buffer } from "node:buffer";
import type { FormatRule } from "./format-rule.ts";
import { isPassword, isPlaceholder, isToken } from "./value-judge.ts";

/*
 * Secrets that are known by what stands around them. All but private keys stand on one line, so that a stream can be
 * looked at line by line. Blanks are spelt out: `\s` takes the byte A0 for one, which is a part of many letters in UTF-8.
 */

/** What one of the schemes of HTTP authentication carries: long, and no word. */
const isHeaderValue = (value: string): boolean => !isPlaceholder(value) && (/[0-9]/.test(value) || isToken(value));

/** RFC 7617: the name and the password, joined by a colon. */
const isBasic = (value: string): boolean => /^[ -~]+:[ -~]*$/.test(Buffer.from(value, "base64").toString("latin1"));

const isUrlPassword = (password: string, { groups }: RegExpExecArray): boolean =>
  password !== groups?.["user"] && !/^(.)\1*$/.test(password) && !isPlaceholder(password);

const isUserPassword = (password: string, { groups }: RegExpExecArray): boolean =>
  password !== groups?.["user"] && !isPlaceholder(groups?.["user"] ?? "") && isPassword(password);

const PEM_BEGIN = "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
const PEM_END = "-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{0,5}";
/** Base64, the headers of RFC 1421, and what surrounds lines that are quoted in code. Never the dashes of another frame. */
const PEM_BODY = "(?:[A-Za-z0-9+/=\\t-\\r \\\\:;,.\"'#>|()*@<_]|-(?!----)){0,33000}";
/** A key that is cut off: the lines that are there, or the one line that it is. */
const PEM_BREAK = "(?:[\\t-\\r \"',]|\\\\[nr]){1,12}";
const PEM_LINES = `(?:${PEM_BREAK}[A-Za-z0-9+/=]{16,80}(?![A-Za-z0-9+/=])){1,300}|${PEM_BREAK}[A-Za-z0-9+/=]{16,33000}`;

/** The only secret by its shape that has several lines. */
export const PRIVATE_KEY: FormatRule = {
  id: "private-key",
  keywords: ["-----begin "],
  expression: new RegExp(`${PEM_BEGIN}(?:${PEM_BODY}${PEM_END}|${PEM_LINES})`, "y"),
  filling: "allowed",
};

export const CONTEXT_RULES: readonly FormatRule[] = [
  PRIVATE_KEY,
  {
    id: "url-password",
    keywords: ["://"],
    expression: /:\/\/(?<user>[^ \t\r\n/?#:@"'<>]{0,128}):(?<secret>[^ \t\r\n/?#"'<>]{4,256})(?=@[\w[{$%(-])/y,
    filling: "allowed",
    accepts: isUrlPassword,
  },
  {
    id: "url-token",
    keywords: ["://"],
    expression: /:\/\/(?<secret>[A-Za-z0-9_.-]{20,256})(?=(?::x-oauth-basic)?@[\w[])/y,
    accepts: isToken,
  },
  {
    id: "authorization",
    keywords: ["authorization"],
    expression:
      /authorization["'\\]{0,4}[ \t]{0,8}[:=][ \t]{0,8}["'\\]{0,4}(?:(?:Bearer|Basic|Token|Digest|Negotiate|ApiKey|SSWS|Bot)[ \t]{1,8})?(?<secret>[^ \t\r\n"'`,;<>\\]{8,8000})/iy,
    filling: "allowed",
    accepts: isHeaderValue,
  },
  {
    id: "bearer",
    keywords: ["bearer "],
    expression: /bearer[ \t]{1,8}(?<secret>[A-Za-z0-9._~+/-]{16,8000}={0,2})/iy,
    accepts: isToken,
  },
  {
    id: "basic",
    keywords: ["basic "],
    expression: /basic[ \t]{1,8}(?<secret>[A-Za-z0-9+/]{8,2000}={0,2})/iy,
    accepts: isBasic,
  },
  {
    id: "user-option",
    keywords: [" -u", "--user", "--proxy-user"],
    expression:
      /(?: -u|--(?:proxy-)?user)[ =]{0,4}["']?(?<user>[^ \t\r\n"':]{0,128})["']?:["']?(?<secret>[^ \t\r\n"'`]{4,256})/y,
    filling: "allowed",
    accepts: isUserPassword,
  },
  {
    // `curl -u KEY:`, where the name is the secret.
    id: "user-option",
    keywords: [" -u", "--user"],
    expression: /(?: -u|--user)[ =]{0,4}["']?(?<secret>[^ \t\r\n"':]{8,256})(?=:(?:["' \t\r\n]|$))/y,
    filling: "allowed",
    accepts: isToken,
  },
];
