import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import { readJson } from "../schema/json/read-json.ts";
import { withoutComments } from "./client-servers.ts";

export type EditedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/**
 * A text of JSON, which may have comments, with one member of an object at its root set. All else stays as it stands.
 * INVARIANT (nothing else): what comes out is read again, and differs from what went in by that member and nothing more.
 */
export function withMember(text: string, group: string, name: string, value: JsonObject): EditedText {
  const before = readJson(withoutComments(text));
  if (!before.ok) return { ok: false, message: `line ${before.error.line}: ${before.error.message}` };
  const root = before.value;
  if (!isJsonObject(root)) return { ok: false, message: "it is no JSON object" };
  const inside = root[group] ?? {};
  if (!isJsonObject(inside)) return { ok: false, message: `\`${group}\` in it is no object` };
  const edited = inserted(text, group, name, value);
  const after = edited === null ? null : readJson(withoutComments(edited));
  const wanted = { ...root, [group]: { ...inside, [name]: value } };
  if (edited === null || after === null || !after.ok || !isDeepStrictEqual(plain(after.value), plain(wanted)))
    return { ok: false, message: "it is written in a way that can't be edited safely" };
  return { ok: true, text: edited };
}

const plain = (value: JsonValue): unknown => JSON.parse(JSON.stringify(value));

function inserted(text: string, group: string, name: string, value: JsonObject): string | null {
  const root = membersAt(text, skipped(text, 0));
  if (root === null) return null;
  const found = root.members.find((member) => member.name === group);
  if (found === undefined) return putFirst(text, root, group, { [name]: value }, 1);
  const inside = membersAt(text, found.from);
  if (inside === null) return null;
  const known = inside.members.find((member) => member.name === name);
  if (known === undefined) return putFirst(text, inside, name, value, 2);
  return `${text.slice(0, known.from)}${shown(value, 2)}${text.slice(known.to)}`;
}

interface Member {
  readonly name: string;
  /** Where its value begins and ends. */
  readonly from: number;
  readonly to: number;
}

interface Members {
  /** Behind its `{`. */
  readonly open: number;
  readonly members: readonly Member[];
}

const INDENT = "  ";

const shown = (value: JsonObject, depth: number): string =>
  JSON.stringify(value, null, 2).replaceAll("\n", `\n${INDENT.repeat(depth)}`);

function putFirst(text: string, { open, members }: Members, name: string, value: JsonObject, depth: number): string {
  const member = `\n${INDENT.repeat(depth)}${JSON.stringify(name)}: ${shown(value, depth)}`;
  const end = members.length > 0 ? "," : `\n${INDENT.repeat(depth - 1)}`;
  const rest = text.slice(open);
  return `${text.slice(0, open)}${member}${end}${members.length > 0 ? rest : rest.replace(/^[ \t]*\r?\n?[ \t]*(?=\})/, "")}`;
}

/** The members of the object that begins here. Null: none does. Takes text that has been read as JSON already. */
function membersAt(text: string, at: number): Members | null {
  if (text[at] !== "{") return null;
  const members: Member[] = [];
  let next = skipped(text, at + 1);
  while (next < text.length && text[next] !== "}") {
    const nameEnd = valueEnd(text, next);
    const from = skipped(text, skipped(text, nameEnd) + 1); // behind the colon
    const to = valueEnd(text, from);
    members.push({ name: String(JSON.parse(text.slice(next, nameEnd))), from, to });
    next = skipped(text, to);
    if (text[next] === ",") next = skipped(text, next + 1);
  }
  return { open: at + 1, members };
}

/** Behind the value that begins here. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const character = text[at] ?? "";
    if (character === '"') {
      at = stringEnd(text, at);
      if (depth === 0) return at;
    } else if (character === "{" || character === "[") {
      depth++;
      at++;
    } else if (character === "}" || character === "]") {
      if (depth === 0) return at;
      at++;
      if (--depth === 0) return at;
    } else if (depth === 0 && /[\s,/]/.test(character)) return at;
    else at = depth > 0 ? Math.max(skipped(text, at), at + 1) : at + 1;
  }
  return text.length;
}

function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** Behind white space and comments. */
function skipped(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (/\s/.test(text[at] ?? "")) at++;
    else if (text.startsWith("//", at)) at = endOr(text.indexOf("\n", at), text);
    else if (text.startsWith("/*", at)) at = endOr(text.indexOf("*/", at + 2), text) + 2;
    else return Math.min(at, text.length);
  }
}

const endOr = (found: number, text: string): number => (found === -1 ? text.length : found);
