import type { Refusal } from "../../domain/outcome.ts";
import { visibleJson, visibleLine } from "../../domain/visible.ts";
import type { Flags } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** A no that is not about a call. `placeOf`: where a field is written, for what was read from a file. */
export function showRefusal(
  refusal: Refusal,
  flags: Flags,
  { out, err, paint }: Terminal,
  placeOf: (field: string) => string = (field) => field,
): void {
  if (flags["json"]) {
    out(`${visibleJson({ kind: "refused", refusal })}\n`);
    return;
  }
  const places = (refusal.errors ?? []).map(
    ({ field, message }) => `  ${paint("bold", visibleLine(placeOf(field)))}: ${visibleLine(message)}`,
  );
  const lines = [
    `${paint("red", "refused")} ${paint("bold", refusal.code)} ${visibleLine(refusal.message)}`,
    ...places,
    ...(refusal.hint ? [`  ${paint("cyan", "hint")} ${visibleLine(refusal.hint)}`] : []),
  ];
  err(`${lines.join("\n")}\n`);
}
