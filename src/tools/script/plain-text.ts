import type { JsonObject } from "../../domain/json.ts";
import { parseTemplate } from "../../shell/parse-template.ts";
import { unrollTemplate } from "../../shell/unroll-template.ts";

/** A template of plain text: nobody reads what comes out as code. What is absent is nothing. */
export function renderedText(text: string, input: JsonObject): string {
  const parsed = parseTemplate(text);
  if (!parsed.ok) return text;
  return unrollTemplate(parsed.template.nodes, input)
    .map((piece) => (typeof piece === "string" ? piece : (piece.value ?? "")))
    .join("");
}
