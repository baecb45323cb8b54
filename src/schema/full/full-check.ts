import { type Digest, digestOfText } from "../../domain/digest.ts";
import type { JsonObject } from "../../domain/json.ts";
import { jsonKey } from "../json-set.ts";
import { type Check, mismatch, NONE } from "../mismatch.ts";
import { compileWithAjv } from "./compile-with-ajv.ts";
import { inheritedName } from "./inherited-name.ts";
import { mismatchesFromErrors } from "./mismatches-from-errors.ts";
import { prepareSchema } from "./prepare-schema.ts";
import { TooMuchWork } from "./work.ts";

/**
 * The check of an inspected schema. Compiled when it is first used: most tools of a catalog are never called.
 * INVARIANT (fail closed): whatever goes wrong in a check is a no, never a yes and never a crash.
 */
export function fullCheck(schema: JsonObject): Check {
  const prepared = prepareSchema(schema); // a copy, so that nobody changes the schema between now and then
  let compiled: Check | undefined;
  return (value) => {
    try {
      compiled ??= compiledOnce(prepared);
      return compiled(value);
    } catch (error) {
      return error instanceof TooMuchWork ? TOO_MUCH_WORK : FAULT;
    }
  };
}

const TOO_MUCH_WORK = mismatch("max_work", "takes too many steps to check against the schema; make it smaller");
const FAULT = mismatch("fault", "can't be checked against the tool's schema");

const KEPT_MAX = 256;
const kept = new Map<Digest, Check>();

/** A server that is asked for its tools again sends the same schemas again. The longest kept goes first. */
function compiledOnce(prepared: JsonObject): Check {
  const digest = digestOfText(jsonKey(prepared));
  const check = kept.get(digest) ?? compile(prepared);
  kept.set(digest, check);
  const [longest] = kept.keys();
  if (kept.size > KEPT_MAX) kept.delete(longest as Digest);
  return check;
}

function compile(prepared: JsonObject): Check {
  const errorsOf = compileWithAjv(prepared);
  const isOpenToInherited = JSON.stringify(prepared).includes('"unevaluatedProperties"');
  return (value) => {
    const errors = errorsOf(value);
    if (errors.length > 0) return mismatchesFromErrors(errors, value);
    // Ajv looks up evaluated members in a plain object, where `toString` is always found.
    const path = isOpenToInherited ? inheritedName(value) : null;
    return path === null ? NONE : [{ path, rule: "unknown_field", says: "is not a known field" }];
  };
}
