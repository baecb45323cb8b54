import type { Ajv2020 } from "ajv/dist/2020.js";
import type { KeywordCxt } from "ajv/dist/compile/validate/index.js";
import type { CodeKeywordDefinition, KeywordDefinition, KeywordErrorCxt } from "ajv/dist/types/index.js";
import type { JsonValue } from "../../domain/json.ts";
import { checkFromSchema } from "../check-from-schema.ts";
import { NONE } from "../mismatch.ts";
import { isMultiple } from "./is-multiple.ts";
import { STEP } from "./prepare-schema.ts";
import { repeatsAnItem } from "./repeats-an-item.ts";
import type { Work } from "./work.ts";

type AjvModule = typeof import("ajv/dist/2020.js");

const CHARACTERS_PER_STEP = 256;
const STEPS_PER_DIVISION = 10;
/** Where errors pile up already, the next schema is likely to make another, which takes longer than to find nothing. */
const STEPS_BESIDE_ERRORS = 4;

/** Every schema counts a step for every value it looks at: references may make exponentially many of few. */
export function addSteps(ajv: Ajv2020, { _, Name }: AjvModule, work: Work): void {
  const step = (value: JsonValue, errors: readonly unknown[] | null): void => {
    const length = typeof value === "string" ? value.length : 0;
    work.spend((errors === null ? 1 : STEPS_BESIDE_ERRORS) + length / CHARACTERS_PER_STEP);
  };
  const errors = new Name("vErrors"); // what Ajv's generated code calls them
  ajv.addKeyword({
    keyword: STEP,
    code: ({ gen, data }) => void gen.code(_`${gen.scopeValue("func", { ref: step })}(${data}, ${errors})`),
  });
}

/** Ajv's own equality throws for a member called `toString`, and its `uniqueItems` is quadratic. */
export function replaceEquality(ajv: Ajv2020, work: Work): void {
  for (const keyword of ["const", "enum"]) {
    const compile = (given: JsonValue) => {
      const check = checkFromSchema({ [keyword]: given });
      return (value: JsonValue): boolean => check(value) === NONE;
    };
    ajv.removeKeyword(keyword).addKeyword({ keyword, errors: false, compile });
  }
  ajv.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    type: "array",
    errors: false,
    validate: (wanted: boolean, items: readonly JsonValue[]) => !wanted || !repeatsAnItem(items, work),
  });
}

/** Ajv divides, and then 19.99 is no multiple of 0.01. */
export function replaceMultiples(ajv: Ajv2020, work: Work): void {
  ajv.removeKeyword("multipleOf").addKeyword({
    keyword: "multipleOf",
    type: "number",
    errors: false,
    validate: (step: number, value: number) => {
      work.spend(STEPS_PER_DIVISION);
      return isMultiple(value, step);
    },
  });
}

/**
 * Inside `not` and `if` Ajv stops at the first name that is missing, and takes the name itself for the answer: an
 * empty one is then never missing. So these look for all of them, there too.
 */
export function findEmptyNames(ajv: Ajv2020): void {
  for (const keyword of ["required", "dependentRequired"]) {
    const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition; // not a boolean: they are Ajv's own
    const { code } = definition;
    const withAllErrors = (cxt: KeywordCxt): KeywordCxt =>
      Object.create(cxt, { it: { value: { ...cxt.it, allErrors: true } } });
    Object.assign(definition, { code: (cxt: KeywordCxt) => code(withAllErrors(cxt)) });
  }
}

/** Their errors come after those of the schemas they hold, and then tell in `params.inner` how many those were. */
const ENCLOSING = ["anyOf", "oneOf", "contains", "propertyNames"];

export function countInnerErrors(ajv: Ajv2020, { _, Name }: AjvModule): void {
  const count = new Name("errors"); // what Ajv's generated code calls it
  for (const keyword of ENCLOSING) {
    const definition = ajv.getKeyword(keyword) as KeywordDefinition; // not a boolean: they are Ajv's own
    const own = definition.error?.params;
    const ownOf = (cxt: KeywordErrorCxt) => (typeof own === "function" ? own(cxt) : _`{}`);
    const params = (cxt: KeywordErrorCxt) => _`{...${ownOf(cxt)}, inner: ${count} - ${cxt.errsCount}}`;
    Object.assign(definition, { trackErrors: true, error: { params } });
  }
}
