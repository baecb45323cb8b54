import { createRequire } from "node:module";
import type { ErrorObject } from "ajv";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { addSteps, countInnerErrors, findEmptyNames, replaceEquality, replaceMultiples } from "./ajv-keywords.ts";
import { checkedFormats } from "./checked-formats.ts";
import { linearPattern } from "./linear-pattern.ts";
import { Work } from "./work.ts";

const require = createRequire(import.meta.url);

/**
 * Ajv's errors of a value under a prepared schema. An instance of its own for each schema: Ajv keeps all it has ever
 * compiled, and a server may send new schemas for ever.
 */
export function compileWithAjv(prepared: JsonObject): (value: JsonValue) => readonly ErrorObject[] {
  const module = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  const work = new Work();
  const ajv = new module.Ajv2020({
    strict: false, // `inspectSchema` has refused what is unknown; what is only odd is other people's style
    allErrors: true,
    verbose: true,
    messages: false, // the words are ours
    ownProperties: true,
    inlineRefs: false, // references to references would be written out, and grow without bound
    validateSchema: false, // `inspectSchema` did it, and compiling the meta-schema takes longer than all the rest
    meta: false,
    logger: false,
    formats: checkedFormats(work),
    code: { regExp: Object.assign((pattern: string) => countedPattern(pattern, work), { code: "countedPattern" }) },
  });
  addSteps(ajv, module, work);
  replaceEquality(ajv, work);
  replaceMultiples(ajv, work);
  findEmptyNames(ajv);
  countInnerErrors(ajv, module);
  const validate = ajv.compile(prepared);
  return (value) => {
    work.begin();
    const errors = validate(value) ? [] : (validate.errors as ErrorObject[]);
    validate.errors = null; // they hold the value
    return errors;
  };
}

/** INVARIANT (one pattern, one key): Ajv takes two patterns with one `toString` for the same. */
function countedPattern(pattern: string, work: Work) {
  const compiled = linearPattern(pattern);
  if ("problem" in compiled) throw new TypeError(`the pattern \`${pattern}\` ${compiled.problem}`);
  const test = (text: string): boolean => {
    work.spend(compiled.stepsFor(text));
    return compiled.test(text);
  };
  return { test, toString: () => `/${pattern}/` };
}
