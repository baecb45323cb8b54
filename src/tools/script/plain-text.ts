import type { JsonObject } from "../../domain/json.ts";
import { parseTemplate } from "../../shell/parse-template.ts";
import { unrollTemplate } from "../../shell/unroll-template.ts";

/** A template of plain text: nobody reads what comes out as code. What is absent is nothing. */
export const renderedText = (text: string, input: JsonObject): string =>
  renderedParts(text, input)
    .map((part) => (typeof part === "string" ? part : (part[0] ?? "")))
    .join("");

/** The same before its parts are joined, so that no values look like others, or like text of the template. */
export function renderedParts(text: string, input: JsonObject): readonly (string | readonly [string | null])[] {
  const parsed = parseTemplate(text);
  if (!parsed.ok) return [text];
  return unrollTemplate(parsed.template.nodes, input).map((piece) =>
    typeof piece === "string" ? piece : ([piece.value] as const),
  );
}
