import { Buffer } from "node:buffer";
import { quotedForms } from "./quoted-forms.ts";

/**
 * The ways in which a value is written down by tools that don't mean to hide it, as bytes in Latin-1.
 * A line of a key file has fewer forms: a tool that escapes everything escapes the whole file.
 * Line breaks are left out, because the matcher skips them: `base64` wraps its output, and so do terminals and mails.
 */
export function formsOf(value: string, kind: "value" | "line" = "value"): ReadonlySet<string> {
  const bytes = Buffer.from(value);
  const quoted = quotedForms(value);
  const written = [value, ...jsonForms(value), ...quoted, ...quoted.map(jsonEscaped)];
  const texts = written.map((text) => Buffer.from(text).toString("latin1"));
  const all = [...texts, ...urlForms(bytes), ...base64Forms(bytes), bytes.toString("hex"), upperHex(bytes)];
  if (kind === "value") all.push(...hexForms(bytes), ...escapedForms(value));
  for (const wide of utf16Forms(value)) all.push(wide.toString("latin1"), ...base64Forms(wide));
  return new Set(all.map((form) => form.replace(/[\r\n]/g, "")));
}

/**
 * As Windows writes texts, and PowerShell its commands in Base64. Without the zero at the edge, which is of the first byte of the
 * next character as well: of ASCII, both orders of bytes are the same then.
 */
function utf16Forms(value: string): readonly Buffer[] {
  const [little, big] = [Buffer.from(value, "utf16le"), Buffer.from(value, "utf16le").swap16()];
  const forms = [little.at(-1) === 0 ? little.subarray(0, -1) : little, big[0] === 0 ? big.subarray(1) : big];
  return forms[0]?.equals(forms[1] as Buffer) ? forms.slice(1) : forms;
}

const upperHex = (bytes: Buffer): string => bytes.toString("hex").toUpperCase();

/** Byte by byte, as `hexdump`, `openssl` and compilers write it. */
function hexForms(bytes: Buffer): readonly string[] {
  const lower = [" ", ":", ", 0x", ",0x"].map((between) => Array.from(bytes, hexByte).join(between));
  return [...lower, ...lower.map((form) => form.toUpperCase().replaceAll("0X", "0x"))];
}

const hexByte = (byte: number): string => byte.toString(16).padStart(2, "0");

/** How one byte, one UTF-16 unit or one character is escaped if nothing is left as it is. */
const ESCAPED_BYTE = [
  (byte: number) => `\\x${hexByte(byte)}`,
  (byte: number) => `\\${byte.toString(8).padStart(3, "0")}`,
];
const ESCAPED_UNIT = [(unit: number) => `\\u${unit.toString(16).padStart(4, "0")}`];
const ESCAPED_CHARACTER = [
  (code: number) => `&#${code};`,
  (code: number) => `&#x${code.toString(16)};`,
  (code: number) => `&#x${code.toString(16).padStart(4, "0")};`,
  (code: number) => `\\u{${code.toString(16)}}`,
  (code: number) => `\\U${code.toString(16).padStart(8, "0")}`,
];

/**
 * The value with every character escaped in the same way, its digits in lower or upper case, also inside of JSON. Mixtures (some
 * characters escaped, some not, or in several ways) are out of reach: there are too many, and no tool writes them.
 */
function escapedForms(value: string): readonly string[] {
  const bytes = Array.from(Buffer.from(value));
  const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at));
  const codes = Array.from(value, (character) => character.codePointAt(0) ?? 0);
  const lower = [
    ...ESCAPED_BYTE.map((written) => bytes.map(written).join("")),
    ...ESCAPED_UNIT.map((written) => units.map(written).join("")),
    ...ESCAPED_CHARACTER.map((written) => codes.map(written).join("")),
  ];
  const both = [...lower, ...lower.map(upperDigits)];
  return [...both, ...both.map(jsonEscaped)];
}

const upperDigits = (form: string): string => form.replace(/[a-f]+/g, (digits) => digits.toUpperCase());

/** Also JSON inside of JSON, which is how a tool's JSON output travels in a text item. */
function jsonForms(value: string): readonly string[] {
  const plain = jsonEscaped(value);
  const variants = [
    plain,
    plain.replaceAll("/", "\\/"), // PHP
    unicodeEscaped(plain, /[^ -~]/g), // Python, Java
    unicodeEscaped(plain, /[<>&\u2028\u2029]/g), // Go
  ];
  return [...variants, ...variants.map(jsonEscaped)];
}

const jsonEscaped = (text: string): string => JSON.stringify(text).slice(1, -1);

const unicodeEscaped = (text: string, which: RegExp): string =>
  text.replace(which, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** What stays as it is: encodeURIComponent, RFC 3986, RFC 3986 with slashes (Python), forms (WHATWG URL), nothing. */
const KEPT_IN_URLS = [/[\w.!~*'()-]/, /[\w.~-]/, /[\w.~/-]/, /[\w.*-]/, /(?!)/];

function urlForms(bytes: Buffer): readonly string[] {
  const characters = Array.from(bytes.toString("latin1"));
  const upper = KEPT_IN_URLS.map((kept) =>
    characters.map((character) => (kept.test(character) ? character : percentEncoded(character))).join(""),
  );
  const encoded = [...upper, ...upper.map((form) => form.replaceAll("%20", "+"))];
  return encoded.flatMap((form) => [form, form.replace(/%../g, (encoded) => encoded.toLowerCase())]);
}

const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/**
 * Base64 of a longer text that holds the value: depending on how many bytes stand before it (modulo 3) there are three
 * forms. Digits that also depend on the neighbours are left out, so each form is found with anything around it.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  const standard = [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return standard.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}
