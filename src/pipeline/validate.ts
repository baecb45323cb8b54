import { pass, type ResolvedCall, refuse, type ValidCall } from "../domain/call.ts";
import { isJsonObject } from "../domain/json.ts";
import type { InputError } from "../domain/outcome.ts";
import { validCall } from "./call-states.ts";
import { ownInput } from "./own-input.ts";
import type { SyncStage } from "./stage.ts";

/** Second stage. Checks the arguments against the tool's schema; all errors at once. */
export const validate: SyncStage<ResolvedCall, ValidCall, object> = (call) => {
  const { rawInput, tool } = call;
  if (!isJsonObject(rawInput)) {
    return invalid([{ field: "", rule: "type", message: "the arguments have to be an object" }]);
  }
  const own = ownInput(rawInput);
  if ("error" in own) return invalid([own.error]);
  // INVARIANT (judged = run): from here on there is only the coerced form.
  const input = tool.coerce(own.input);
  const errors = tool.check(input);
  return errors.length === 0 ? pass(validCall(call, input)) : invalid(errors);
};

const invalid = (errors: readonly InputError[]) =>
  refuse({
    code: "INVALID_ARGUMENTS",
    stage: "validate",
    message: errors.length === 1 ? (errors[0]?.message ?? "") : `${errors.length} things are wrong with the arguments`,
    hint: "`toolgate tools` shows what each tool takes",
    errors,
  });
