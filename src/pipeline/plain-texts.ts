import type { Content } from "../domain/outcome.ts";
import type { Redactor } from "../redact/redactor.ts";

/** Of all texts together, an item counting for some: far below what a result may have, whatever JSON makes of them. */
const LENGTH_MAX = 16 * 1024;
const LENGTH_OF_ITEM = 16;

/**
 * The most common result, a few short texts and nothing else, without its secrets. It is a copy, so that nothing the tool does later to
 * its own can reach it: it is certain to have a JSON form, which can be written when somebody asks. Null: there is more to it.
 */
export function plainTexts(content: readonly Content[], redactor: Redactor): readonly Content[] | null {
  if (!Array.isArray(content)) return null;
  const own: Content[] = []; // and no slice: what that makes, the tool may have a say in
  let length = 0;
  for (let at = 0; at < content.length; at++) {
    const text = textOf(content[at]);
    if (text === null) return null;
    length += text.length + LENGTH_OF_ITEM;
    if (length > LENGTH_MAX) return null;
    own.push({ type: "text", text });
  }
  const clean = redactor.redactContent(own).content;
  return lengthOf(clean) > LENGTH_MAX ? null : clean;
}

const lengthOf = (items: readonly Content[]): number =>
  items.reduce((sum, item) => sum + LENGTH_OF_ITEM + ("text" in item ? String(item.text).length : 0), 0);

/** Null: it is no text, or has members that are not ours. */
function textOf(item: Content | undefined): string | null {
  if (typeof item !== "object" || item === null || item.type !== "text") return null;
  for (const name in item) if (name !== "type" && name !== "text") return null;
  const { text } = item;
  return typeof text === "string" ? text : null;
}
