import { visibleJson, visibleLine, visibleText } from "../../domain/visible.ts";
import type { Terminal } from "./terminal.ts";

/** Why a command did not do what it was to do, where that is no refusal of the gate and so has no code of its own. */
export interface CommandError {
  readonly code?: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** With `--json` it is the result: who reads that reads nothing else. */
export function showError(
  { code, message, hint }: CommandError,
  json: unknown,
  { out, err, paint }: Pick<Terminal, "out" | "err" | "paint">,
): void {
  if (json === true) {
    const error = { ...(code !== undefined && { code }), message, ...(hint !== undefined && { hint }) };
    out(`${visibleJson({ error })}\n`);
    return;
  }
  err(`${paint("red", code ?? "error")} ${visibleText(message)}\n`);
  if (hint !== undefined) err(`  ${paint("cyan", "hint")} ${visibleLine(hint)}\n`);
}
