import type { InputError, Refusal } from "../../domain/outcome.ts";
import { visibleJson, visibleLine } from "../../domain/visible.ts";
import type { Flags } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Where in a file something is written, counted from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A no that is not about a call. `placeOf`: where a field is written, for what was read from a file. */
export function showRefusal(
  refusal: Refusal,
  flags: Flags,
  { out, err, paint }: Terminal,
  placeOf?: (field: string) => FilePlace,
): void {
  const errors = placedErrors(refusal, placeOf);
  if (flags["json"]) {
    out(`${visibleJson({ kind: "refused", refusal: errors === undefined ? refusal : { ...refusal, errors } })}\n`);
    return;
  }
  const places = (errors ?? []).map(
    (error) => `  ${paint("bold", visibleLine(placeText(error)))}: ${visibleLine(error.message)}`,
  );
  const lines = [
    `${paint("red", "refused")} ${paint("bold", refusal.code)} ${visibleLine(refusal.message)}`,
    ...places,
    ...(refusal.hint ? [`  ${paint("cyan", "hint")} ${visibleLine(refusal.hint)}`] : []),
  ];
  err(`${lines.join("\n")}\n`);
}

type PlacedError = InputError & Partial<FilePlace>;

/** From the top of the file to its end. */
function placedErrors(
  { errors }: Refusal,
  placeOf: ((field: string) => FilePlace) | undefined,
): readonly PlacedError[] | undefined {
  if (placeOf === undefined) return errors;
  return errors
    ?.map((error) => ({ ...error, ...placeOf(error.field) }))
    .toSorted((a, b) => a.line - b.line || a.column - b.column);
}

const placeText = ({ field, file, line, column }: PlacedError): string =>
  file === undefined ? field : `${file}:${line}:${column}`;
