import type { JsonObject } from "../domain/json.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Redactor } from "../redact/redactor.ts";
import { mapTexts } from "./map-texts.ts";
import { withoutWorkspace } from "./without-workspace.ts";

/** A refusal as it leaves the gate and enters the ledger: without secrets, with paths as the workspace knows them. */
export function shownRefusal(refusal: Refusal, redactor: Redactor, workspace: string): Refusal {
  const shown = (text: string): string => withoutWorkspace(redactor.message(text), workspace);
  return mapTexts(refusal as unknown as JsonObject, shown) as unknown as Refusal;
}
