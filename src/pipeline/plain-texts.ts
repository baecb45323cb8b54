import type { Content } from "../domain/outcome.ts";
import type { Redactor } from "../redact/redactor.ts";

/** Far below what a result may have, whatever JSON makes of it. */
const LENGTH_MAX = 16 * 1024;

/**
 * The most common result, one short text, without its secrets. It is a copy, so that nothing the tool does later to its own can reach
 * it: it is certain to have a JSON form, which can be written when somebody asks. Null: there is more to it. Several texts take the
 * long way, because a secret may be split over them.
 */
export function plainTexts(content: readonly Content[], redactor: Redactor): readonly Content[] | null {
  if (!Array.isArray(content) || content.length > 1) return null;
  if (content.length === 0) return [];
  const given = textOf(content[0]);
  if (given === null || given.length > LENGTH_MAX) return null;
  const text = redactor.text(given);
  return text.length > LENGTH_MAX ? null : [{ type: "text", text }];
}

/** Null: it is no text, or has members that are not ours. */
function textOf(item: Content | undefined): string | null {
  if (typeof item !== "object" || item === null || item.type !== "text") return null;
  for (const name in item) if (name !== "type" && name !== "text") return null;
  const { text } = item;
  return typeof text === "string" ? text : null;
}
