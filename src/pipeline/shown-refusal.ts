import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Failure, Refusal } from "../domain/outcome.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { SeenTexts } from "../redact/seen-texts.ts";
import { truncateText } from "../redact/truncate.ts";
import { mapTexts } from "./map-texts.ts";
import { withoutWorkspace } from "./without-workspace.ts";

/** A refusal as it leaves the gate and enters the ledger: without secrets, with paths as the workspace knows them. */
export function shownRefusal(refusal: Refusal, redactor: Redactor, workspace: string): Refusal {
  const shown = (text: string): string => withoutWorkspace(redactor.message(text), workspace);
  return mapTexts(refusal as unknown as JsonObject, shown) as unknown as Refusal;
}

/** Longer ones are output, and belong into `content`. */
const MESSAGE_BYTES_MAX = LIMITS.entryTextBytes.maximum;

/** The failure of a tool as it leaves the gate. `seen`: its texts, if they were searched ahead. */
export function shownFailure(
  error: Failure,
  redactor: Redactor,
  workspace: string,
  seen: SeenTexts | null = null,
): Failure {
  const shown = (text: string): string =>
    truncateText(withoutWorkspace(redactor.withoutCutValues(text), workspace), MESSAGE_BYTES_MAX).text;
  // `detail` is the tool's own, so that its members' names count as well.
  return mapTexts(redactor.redactJson(error as unknown as JsonObject, seen).value, shown) as unknown as Failure;
}
