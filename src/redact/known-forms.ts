import { Buffer } from "node:buffer";
import { quotedForms } from "./quoted-forms.ts";

/**
 * The ways in which a value is written down by tools that don't mean to hide it, as bytes in Latin-1.
 * Line breaks are left out, because the matcher skips them: `base64` wraps its output, and so do terminals and mails.
 */
export function formsOf(value: string): ReadonlySet<string> {
  const bytes = Buffer.from(value);
  const quoted = quotedForms(value);
  const written = [value, ...jsonForms(value), ...quoted, ...quoted.map(jsonEscaped)];
  const texts = written.map((text) => Buffer.from(text).toString("latin1"));
  const all = [...texts, ...urlForms(bytes), ...base64Forms(bytes), bytes.toString("hex"), upperHex(bytes)];
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
