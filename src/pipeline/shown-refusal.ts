import type { Refusal } from "../domain/outcome.ts";
import type { Redactor } from "../redact/redactor.ts";
import { withoutWorkspace } from "./without-workspace.ts";

/** A refusal as it leaves the gate and enters the ledger: without secrets, with paths as the workspace knows them. */
export function shownRefusal(refusal: Refusal, redactor: Redactor, workspace: string): Refusal {
  const { message, hint } = refusal;
  return redactor.redactJson({
    ...refusal,
    message: withoutWorkspace(message, workspace),
    ...(hint !== undefined && { hint: withoutWorkspace(hint, workspace) }),
  }).value;
}
