import { createRequire } from "node:module";
import type { Format } from "ajv";
import type { Work } from "./work.ts";

/**
 * Of ajv-formats. Each of their expressions is anchored, and its runs end at characters that they can't contain, so that
 * the engine has nothing to try twice. Left out: `url`, which is quadratic, and `byte`, which is content with one good line.
 */
const TEXT_FORMATS = [
  ...["date", "time", "date-time", "duration", "iso-time", "iso-date-time"],
  ...["email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uri-template", "uuid"],
  ...["json-pointer", "relative-json-pointer", "regex"],
];
const NUMBER_FORMATS = ["int32", "int64", "float", "double"];

const CHARACTERS_PER_STEP = 8;

const require = createRequire(import.meta.url);

/** A format that is not among them says something to readers only, as JSON Schema has it (Validation 2020-12, section 7.2.1). */
export function checkedFormats(work: Work): Readonly<Record<string, Format>> {
  const { fullFormats } = require("ajv-formats/dist/formats.js") as { fullFormats: Readonly<Record<string, Format>> };
  const numbers = NUMBER_FORMATS.map((name) => [name, fullFormats[name] as Format] as const);
  const texts = TEXT_FORMATS.map((name) => [name, counted(fullFormats[name] as TextFormat, work)] as const);
  return Object.fromEntries([...numbers, ...texts]);
}

type TextFormat = RegExp | ((text: string) => boolean) | { readonly validate: (text: string) => boolean };

function counted(format: TextFormat, work: Work): Format {
  const isGood = format instanceof RegExp ? (text: string) => format.test(text) : validatorOf(format);
  return (text: string) => {
    work.spend(text.length / CHARACTERS_PER_STEP);
    return isGood(text);
  };
}

const validatorOf = (format: Exclude<TextFormat, RegExp>): ((text: string) => boolean) =>
  typeof format === "function" ? format : format.validate;
