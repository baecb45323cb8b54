import type { ErrorObject } from "ajv";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { quoted } from "../../domain/visible.ts";
import { checkFromSchema } from "../check-from-schema.ts";
import { fieldFromPath } from "../field-from-path.ts";
import { below, type Mismatch, type MismatchRule, mismatch } from "../mismatch.ts";
import type { SupportedSchema } from "../supported-schema.ts";
import type { TypeName } from "../type-name.ts";
import type { NestedError } from "./nested-errors.ts";
import { pathFromPointer } from "./path-from-pointer.ts";

/** An error of Ajv as a mismatch; `input` is the whole value that was checked. */
export function mismatchFromError(nestedError: NestedError, input: JsonValue): Mismatch {
  const { path, rule, says } = found(nestedError, input);
  return { path: [...pathFromPointer(nestedError.error.instancePath, input), ...path], rule, says };
}

type Words = (nestedError: NestedError, input: JsonValue) => readonly Mismatch[];

const found = (nestedError: NestedError, input: JsonValue): Mismatch => {
  const [first] = (WORDS.get(nestedError.error.keyword) ?? asOwnChecker)(nestedError, input);
  return first ?? UNEXPLAINED;
};

const UNEXPLAINED: Mismatch = { path: [], rule: "fault", says: "is not what the schema asks for" };

/** What both engines know is said by our own: the keyword alone, and the value it was about. */
const asOwnChecker: Words = ({ error: { keyword, schema, data } }) => ownWords({ [keyword]: schema }, data);

const ownWords = (schema: object, value: unknown): readonly Mismatch[] =>
  checkFromSchema(schema as SupportedSchema)(value as JsonValue);

const simple =
  (rule: MismatchRule, says: (error: ErrorObject) => string): Words =>
  ({ error }) =>
    mismatch(rule, says(error));

const WORDS: ReadonlyMap<string, Words> = new Map<string, Words>([
  ["required", ({ error }) => below(error.params["missingProperty"], mismatch("required", "is missing"))],
  ["dependentRequired", ({ error: { params } }) => missingBeside(params["missingProperty"], params["property"])],
  ["additionalProperties", ({ error }) => unknownField(error, error.params["additionalProperty"])],
  ["unevaluatedProperties", ({ error }) => unknownField(error, error.params["unevaluatedProperty"])],
  ["items", ({ error }) => ownWords({ maxItems: error.params["limit"] }, error.data)],
  ["unevaluatedItems", ({ error }) => ownWords({ maxItems: error.params["limit"] }, error.data)],
  ["false schema", simple("forbidden", () => "is not allowed here")],
  ["pattern", simple("pattern", ({ schema }) => `must match the pattern ${quoted(schema as string)}`)],
  ["format", simple("format", ({ schema }) => `must have the format ${quoted(schema as string)}`)],
  ["multipleOf", simple("multiple_of", ({ schema, data }) => `must be a multiple of ${schema}, not ${data}`)],
  ["uniqueItems", simple("unique_items", () => "must not have the same item twice")],
  ["contains", simple("contains", ({ params }) => containsInWords(params))],
  [
    "minProperties",
    simple("min_fields", ({ schema, data }) => `must have at least ${fields(schema)}, has ${size(data)}`),
  ],
  [
    "maxProperties",
    simple("max_fields", ({ schema, data }) => `must have at most ${fields(schema)}, has ${size(data)}`),
  ],
  ["not", simple("not", () => "has a form that is ruled out")],
  ["anyOf", (nestedError, input) => noneFits("any_of", nestedError, input)],
  ["oneOf", (nestedError, input) => notOneFits(nestedError, input)],
  ["propertyNames", (nestedError, input) => badName(nestedError, input)],
]);

const missingBeside = (missing: string, present: string): readonly Mismatch[] =>
  below(missing, mismatch("required", `is missing, and ${quoted(present)} needs it`));

/**
 * With the nearest known one, which our own checker names. It may be known itself: where one schema of several finds fault with
 * a value, Ajv takes what the others know for not evaluated.
 */
function unknownField({ parentSchema }: ErrorObject, name: string): readonly Mismatch[] {
  const others = Object.keys(parentSchema?.["properties"] ?? {}).filter((key) => key !== name);
  const known = others.map((key) => [key, {}]);
  return ownWords(
    { properties: Object.fromEntries(known), additionalProperties: false },
    Object.fromEntries([[name, 0]]),
  );
}

function containsInWords({ minContains, maxContains }: Record<string, number>): string {
  const most = maxContains === undefined ? "" : ` and at most ${maxContains}`;
  return `must contain at least ${minContains}${most} of the items that the schema asks for`;
}

const fields = (count: unknown): string => (count === 1 ? "1 field" : `${count} fields`);
const size = (data: unknown): number => Object.keys(data as JsonObject).length;

/** A choice among types reads like one type: `must be an integer or null, not a string`. */
function noneFits(rule: "any_of" | "one_of", nestedError: NestedError, input: JsonValue): readonly Mismatch[] {
  const { error, inner } = nestedError;
  const isChoiceOfTypes = inner.every(
    (one) => one.error.keyword === "type" && one.error.instancePath === error.instancePath,
  );
  if (!isChoiceOfTypes) return mismatch(rule, `has none of the forms that it may have: ${inWords(nestedError, input)}`);
  return ownWords({ type: [...new Set(inner.flatMap((one) => one.error.schema as TypeName))] }, error.data);
}

function notOneFits(nestedError: NestedError, input: JsonValue): readonly Mismatch[] {
  const isNone = nestedError.error.params["passingSchemas"] === null;
  return isNone
    ? noneFits("one_of", nestedError, input)
    : mismatch("one_of", "has several of the forms of which it may have one");
}

const badName = (nestedError: NestedError, input: JsonValue): readonly Mismatch[] =>
  below(
    nestedError.error.params["propertyName"],
    mismatch("field_name", `is a name that is not allowed: ${inWords(nestedError, input)}`),
  );

const TOLD_MAX = 5;

function inWords({ error, inner }: NestedError, input: JsonValue): string {
  const own = fieldFromPath(pathFromPointer(error.instancePath, input));
  const told = inner.slice(0, TOLD_MAX).map((one) => {
    const { path, says } = mismatchFromError(one, input);
    const field = fieldFromPath(path);
    return field === own ? says : `\`${field}\` ${says}`;
  });
  return `${[...new Set(told)].join("; ")}${inner.length > TOLD_MAX ? "; …" : ""}`;
}
