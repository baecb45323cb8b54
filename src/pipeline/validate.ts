import { pass, type ResolvedCall, refuse, type ValidCall } from "../domain/call.ts";
import { isJsonObject } from "../domain/json.ts";
import type { InputError } from "../domain/outcome.ts";
import type { Stage } from "./stage.ts";

/** Second stage. Checks the arguments against the tool's schema; all errors at once. */
export const validate: Stage<ResolvedCall, ValidCall, object> = (call) => {
  const { rawInput, tool } = call;
  if (!isJsonObject(rawInput)) {
    return invalid([{ field: "", rule: "type", message: "the arguments have to be an object" }]);
  }
  const errors = tool.check(rawInput);
  return errors.length === 0 ? pass({ ...call, input: rawInput }) : invalid(errors);
};

const invalid = (errors: readonly InputError[]) =>
  refuse({
    code: "INVALID_ARGUMENTS",
    stage: "validate",
    message: errors.length === 1 ? (errors[0]?.message ?? "") : `${errors.length} things are wrong with the arguments`,
    hint: "`toolgate tools` shows what each tool takes",
    errors,
  });
