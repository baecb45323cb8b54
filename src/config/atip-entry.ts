import { isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { canonicalJson } from "../domain/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import type { Trust } from "../domain/tool-effects.ts";
import { parseYaml } from "./yaml-document.ts";

/** A line of `tools.atip`. */
export interface NewAtipEntry {
  readonly file: string;
  readonly trust?: Exclude<Trust, "native">;
  readonly sha256: string;
}

/**
 * The config's text with an entry added, or put in the place of the one at `index`; null = it is written in a way that can
 * only be changed by hand. Nothing else in the text changes: no comment, no space.
 */
export function withAtipEntry(text: string, entry: NewAtipEntry, index: number | null): string | null {
  const document = parseDocument(text, { version: "1.2", schema: "core", merge: false });
  const root = document.contents;
  const made = root === null ? `${text}${blockOf(entry)}` : isMap(root) ? edited(text, root, entry, index) : null;
  return made !== null && isOnlyChange(text, made, entry, index) ? made : null;
}

function edited(text: string, root: YAMLMap, entry: NewAtipEntry, index: number | null): string | null {
  const tools = root.items.find(({ key }) => isScalar(key) && key.value === "tools");
  if (tools === undefined) return `${text}${text.endsWith("\n") ? "" : "\n"}\n${blockOf(entry)}`;
  if (!isMap(tools.value)) return null;
  const atip = tools.value.items.find(({ key }) => isScalar(key) && key.value === "atip");
  if (atip === undefined) return inTools(text, tools.value, entry);
  return isSeq(atip.value) ? inList(text, atip as Pair, atip.value, entry, index) : null;
}

/** Before the first key of a block, or at the end of what stands in braces. */
function inTools(text: string, tools: YAMLMap, entry: NewAtipEntry): string | null {
  const range = tools.range;
  if (!range) return null;
  if (tools.flow) return inBrackets(text, range[1], tools.items.length > 0, `atip: [${inOneLine(entry)}]`);
  const start = text.lastIndexOf("\n", range[0] - 1) + 1;
  const indent = text.slice(start, range[0]);
  if (indent.trim() !== "") return null;
  return `${text.slice(0, start)}${indent}atip:\n${indent}  - ${inOneLine(entry)}\n${text.slice(start)}`;
}

function inList(text: string, _atip: Pair, list: YAMLSeq, entry: NewAtipEntry, index: number | null): string | null {
  const range = list.range;
  if (!range) return null;
  if (index !== null) return inPlaceOf(text, list, entry, index);
  if (list.flow) return inBrackets(text, range[1], list.items.length > 0, inOneLine(entry));
  const start = text.lastIndexOf("\n", range[0] - 1) + 1;
  const indent = text.slice(start, range[0]);
  return indent.trim() === "" ? `${text.slice(0, start)}${indent}- ${inOneLine(entry)}\n${text.slice(start)}` : null;
}

function inPlaceOf(text: string, list: YAMLSeq, entry: NewAtipEntry, index: number): string | null {
  const item = list.items[index] as { readonly range?: readonly [number, number, number] } | undefined;
  if (item?.range == null) return null;
  const [start, end] = item.range;
  const after = text.slice(start, end).endsWith("\n") ? "\n" : "";
  return `${text.slice(0, start)}${inOneLine(entry)}${after}${text.slice(end)}`;
}

/** `end` is behind the bracket. */
const inBrackets = (text: string, end: number, hasMore: boolean, added: string): string => {
  const before = text.slice(0, end - 1);
  const padded = before.endsWith(" ");
  return `${before.trimEnd()}${hasMore ? ", " : padded ? " " : ""}${added}${padded ? " " : ""}${text.slice(end - 1)}`;
};

/** JSON is YAML, and has one way to write a text. */
const inOneLine = (entry: NewAtipEntry): string =>
  `{ ${Object.entries(entry)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")} }`;

const blockOf = (entry: NewAtipEntry): string => `tools:\n  atip:\n    - ${inOneLine(entry)}\n`;

/** What a program has changed in somebody's rules is compared with what it should have, and not trusted. */
function isOnlyChange(before: string, after: string, entry: NewAtipEntry, index: number | null): boolean {
  const [old, made] = [parseYaml(before), parseYaml(after)];
  if (!old.ok || !made.ok) return false;
  const value: JsonObject = isJsonObject(old.document.value) ? old.document.value : {};
  const tools: JsonObject = isJsonObject(value["tools"]) ? value["tools"] : {};
  const list = (tools["atip"] ?? []) as readonly JsonValue[];
  const given = made.document.value as { tools?: { atip?: readonly JsonValue[] } };
  const added = given.tools?.atip ?? [];
  const rest = (items: readonly JsonValue[]) =>
    items
      .filter((item) => !isSame(item, entry))
      .map(canonicalJson)
      .toSorted();
  const kept = index === null ? list : list.filter((_, at) => at !== index);
  if (!added.some((item) => isSame(item, entry)) || rest(added).join() !== rest(kept).join()) return false;
  const bare = (whole: JsonObject, own: JsonObject) => canonicalJson({ ...whole, tools: { ...own, atip: null } });
  return bare(value, tools) === bare(made.document.value as JsonObject, (given.tools ?? {}) as JsonObject);
}

const isSame = (item: JsonValue, entry: NewAtipEntry): boolean => canonicalJson(item) === canonicalJson(entry);
