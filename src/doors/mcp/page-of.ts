import { ProtocolError } from "@modelcontextprotocol/server";
import { digestOfText } from "../../domain/digest.ts";

/** Clients of 2025 read one page and no more, some of them: so most lists are one. */
const PAGE_MAX = 250;

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: { readonly nextCursor?: string };
}

/** One page. A cursor names the list that it is of: in another list it would skip items, or give them twice. */
export function pageOf<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  cursor: string | undefined,
): Page<Item> {
  const mark = items.length <= PAGE_MAX ? "whole" : digestOfText(items.map(nameOf).join("\n")).slice(0, 16);
  const from = cursor === undefined ? 0 : startFrom(cursor, mark);
  const next = from + PAGE_MAX;
  return {
    items: items.slice(from, next),
    next: next < items.length ? { nextCursor: `${mark}.${next}` } : {},
  };
}

function startFrom(cursor: string, mark: string): number {
  const [given, at = ""] = cursor.split(".");
  const from = /^[1-9]\d{0,8}$/.test(at) ? Number(at) : Number.NaN;
  if (given === mark && from % PAGE_MAX === 0) return from;
  throw new ProtocolError(-32_602, "the cursor is of no list that is there now; begin without one");
}
