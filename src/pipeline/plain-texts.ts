import type { Content } from "../domain/outcome.ts";
import type { Redactor } from "../redact/redactor.ts";

/** Of all texts together, an item counting for some: far below what a result may have, whatever JSON makes of them. */
const LENGTH_MAX = 16 * 1024;
const LENGTH_OF_ITEM = 16;

/**
 * What most tools say: a few short texts and nothing else. They are copied, without secrets, so that nothing the tool
 * does later to its own can reach them: they are certain to have a JSON form, which can be written when somebody asks.
 * Null: there is more to it.
 */
export function plainTexts(content: readonly Content[], redactor: Redactor): readonly Content[] | null {
  if (!Array.isArray(content)) return null;
  const own: Content[] = []; // and no slice: what that makes, the tool may have a say in
  let length = 0;
  for (let at = 0; at < content.length; at++) {
    const given = textOf(content[at]);
    if (given === null || length + given.length > LENGTH_MAX) return null;
    const text = redactor.text(given);
    length += text.length + LENGTH_OF_ITEM;
    if (length > LENGTH_MAX) return null;
    own.push({ type: "text", text });
  }
  return own;
}

/** Null: it is no text, or has members that are not ours. */
function textOf(item: Content | undefined): string | null {
  if (typeof item !== "object" || item === null || item.type !== "text") return null;
  for (const name in item) if (name !== "type" && name !== "text") return null;
  const { text } = item;
  return typeof text === "string" ? text : null;
}
