import type { Refusal } from "../../domain/outcome.ts";
import { visibleLine, visibleText } from "../../domain/visible.ts";
import { showRefusal } from "./show-refusal.ts";
import type { Terminal } from "./terminal.ts";

/** Why a command did not do what it was to do, where that need not be a refusal of the gate. */
export interface CommandError {
  readonly code?: Refusal["code"];
  readonly message: string;
  readonly hint?: string | undefined;
}

/** With `--json` it is the result, in the shape of every other no: who reads that reads nothing else. */
export function showError(error: CommandError, json: unknown, terminal: Terminal): void {
  const { code, message, hint } = error;
  if (json === true) {
    const refusal = { code: code ?? "INVALID_ARGUMENTS", stage: "resolve", message, ...(hint && { hint }) } as const;
    showRefusal(refusal, { json: true }, terminal);
    return;
  }
  const { err, paint } = terminal;
  err(`${paint("red", code ?? "error")} ${visibleText(message)}\n`);
  if (hint) err(`  ${paint("cyan", "hint")} ${visibleLine(hint)}\n`);
}
