import { KnownValues } from "../redact/known-values.ts";
import { Redactor } from "../redact/redactor.ts";
import { ShapeFinder } from "../redact/shape-finder.ts";

/** Names of variables, headers and parameters whose values are kept to oneself. */
const NAME = /token|key|secret|passw|pwd|auth|credential|cookie|dsn|(?:^|[_-])pat(?:$|[_-])/i;
/** The same as words of an option or an assignment: `--api-key`, not `--keyboard`. */
const WORD = /(?:^|[-_])(?:token|key|secret|passw\w*|pwd|auth\w*|credentials?|cookie|dsn|pat)s?$/i;
/** `scheme://user:password@host` */
const HOLDS_A_PASSWORD = /\/\/[^/\s:@]*:[^/\s@]+@/;
/** Long, with letters and digits: what services put into an address instead of a header. */
const LONG_MIXED = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_-]{20,}$/;
/** `$NAME` and `${NAME}` name a value, and are none. */
const REFERENCE = /^\$(?:\w+|\{[^}]*\})$/;

let shapes: Redactor | null = null;

/** What looks like a secret by itself, whatever it is called. */
const hasShape = (text: string): boolean => {
  shapes ??= new Redactor({ known: new KnownValues([]), shapes: new ShapeFinder("on", []), memberNames: "ignored" });
  return shapes.text(text) !== text;
};

export const isSecretValue = (name: string, value: string): boolean =>
  NAME.test(name) || HOLDS_A_PASSWORD.test(value) || hasShape(value);

/** Whether an address holds what only its owner should know. */
export function isSecretAddress(address: string): boolean {
  if (HOLDS_A_PASSWORD.test(address) || hasShape(address)) return true;
  const url = URL.parse(address);
  if (url === null) return false;
  const isNamed = [...url.searchParams].some(([name, value]) => value !== "" && NAME.test(name));
  const parts = [...url.pathname.split("/"), ...url.searchParams.values(), url.hash.slice(1)];
  return url.username !== "" || url.password !== "" || isNamed || parts.some((part) => LONG_MIXED.test(part));
}

/** The place of the first argument that holds a secret; null = none does. */
export function secretArgument(args: readonly string[]): number | null {
  const found = args.findIndex((arg, at) => {
    const [, name, value] = /^(-{0,2}[\w.-]+)=(.*)$/s.exec(arg) ?? [];
    if (name !== undefined && value !== undefined) return WORD.test(name) ? isValue(value) : holds(value);
    const before = args[at - 1] ?? "";
    return (/^--?[A-Za-z]/.test(before) && WORD.test(before) && !arg.startsWith("-") && isValue(arg)) || holds(arg);
  });
  return found === -1 ? null : found;
}

const isValue = (text: string): boolean => text !== "" && !REFERENCE.test(text);

const holds = (text: string): boolean =>
  /^https?:\/\//i.test(text) ? isSecretAddress(text) : HOLDS_A_PASSWORD.test(text) || hasShape(text);
