import type { JsonValue } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import { quoted } from "../domain/visible.ts";
import type { Template, TemplateNode, TemplateProblem, TemplateSection, TemplateSlot } from "./template.ts";

export type ParsedTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly problem: TemplateProblem };

const NAME = "[A-Za-z_][A-Za-z0-9_]*";
const SLOT = new RegExp(`^\\s*(${NAME}|\\.)\\s*((?:\\|[^]*)?)$`);
const SECTION = new RegExp(`^([#^/])\\s*(${NAME}|\\.)\\s*$`);
const FILTER =
  /^\|\s*(?:(tojson)|default\(\s*(?:(-?\d+(?:\.\d+)?)|(true|false)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\))\s*/s;
const DEPTH_MAX = LIMITS.templateDepth.default;

interface Open {
  readonly section: Omit<TemplateSection, "body"> | null;
  readonly body: TemplateNode[];
}

/**
 * The one small language of script templates. What is in double braces and is not of it is a mistake, and never taken
 * out in silence: the author meant something by it.
 */
export function parseTemplate(text: string): ParsedTemplate {
  const open: Open[] = [{ section: null, body: [] }];
  const last = (): Open => open.at(-1) as Open;
  const add = (node: TemplateNode): void =>
    void (node.kind === "text" && node.text === "" ? 0 : last().body.push(node));
  let from = 0;
  for (let at = text.indexOf("{{"); at !== -1; at = text.indexOf("{{", from)) {
    const end = closingAt(text, at);
    if (end === -1) return wrong(at, "the braces `{{` are never closed", FORMS);
    const inside = text.slice(at + 2, end);
    const [, sign, name = ""] = SECTION.exec(inside) ?? [];
    const tag = sign === undefined ? { from: at, to: end + 2 } : aloneOnItsLine(text, at, end + 2);
    add({ kind: "text", text: text.slice(from, Math.max(from, tag.from)) });
    from = tag.to;
    if (sign === undefined) {
      const slot = slotFrom(inside, at);
      if (slot === null) return wrong(at, `${quoted(`{{${inside}}}`)} is no part of a template`, FORMS);
      add(slot);
    } else if (sign === "/") {
      const closed = open.pop();
      if (closed?.section == null || closed.section.name !== name)
        return wrong(at, `\`{{/${name}}}\` closes a section that is not open`, "sections end in the order they began");
      add({ ...closed.section, body: closed.body });
    } else {
      if (open.length > DEPTH_MAX)
        return wrong(at, `sections are nested more than ${DEPTH_MAX} deep`, "split the tool into several");
      open.push({ section: { kind: "section", name, inverted: sign === "^", at }, body: [] });
    }
  }
  const { section } = last();
  if (section !== null)
    return wrong(section.at, `the section \`${section.name}\` is never closed`, `add \`{{/${section.name}}}\``);
  add({ kind: "text", text: text.slice(from) });
  return { ok: true, template: { nodes: last().body } };
}

const FORMS = "use `{{x}}`, `{{x|default('…')}}`, `{{x|tojson}}`, `{{#x}}…{{/x}}` or `{{^x}}…{{/x}}`";

const wrong = (at: number, message: string, hint: string): ParsedTemplate => ({
  ok: false,
  problem: { code: "TEMPLATE_INVALID", message, hint, at },
});

/** The braces that close a slot; those inside the quotes of a default don't. */
function closingAt(text: string, at: number): number {
  let quote = "";
  for (let i = at + 2; i < text.length; i++) {
    const letter = text[i] as string;
    if (letter === "\n" && quote === "") return -1;
    if (quote === "") {
      if (letter === "}" && text[i + 1] === "}") return i;
      if ((letter === "'" || letter === '"') && text.slice(at, i).includes("(")) quote = letter;
    } else if (letter === "\\") i++;
    else if (letter === quote) quote = "";
  }
  return -1;
}

function slotFrom(inside: string, at: number): TemplateSlot | null {
  const [whole, name = "", rest = ""] = SLOT.exec(inside) ?? [];
  if (whole === undefined) return null;
  let slot: TemplateSlot = { kind: "slot", name, json: false, at };
  for (let filters = rest; filters !== ""; ) {
    const found = FILTER.exec(filters);
    if (found === null) return null;
    const [all, json, number, boolean, single, double] = found;
    if (json !== undefined) slot = { ...slot, json: true };
    else if (slot.fallback !== undefined || slot.json) return null;
    else slot = { ...slot, fallback: fallbackFrom(number, boolean, single ?? double) };
    filters = filters.slice(all.length);
  }
  return slot;
}

function fallbackFrom(number: string | undefined, boolean: string | undefined, text: string | undefined): JsonValue {
  if (number !== undefined) return Number(number);
  if (boolean !== undefined) return boolean === "true";
  return (text ?? "").replace(/\\(['"\\])/g, "$1");
}

/** A section's braces that have a line for themselves leave none behind: a command may go on over it. */
function aloneOnItsLine(text: string, at: number, end: number): { readonly from: number; readonly to: number } {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const rest = text.slice(end, lineEnd === -1 ? text.length : lineEnd);
  const isAlone = text.slice(lineStart, at).trim() === "" && rest.trim() === "";
  return isAlone ? { from: lineStart, to: lineEnd === -1 ? text.length : lineEnd + 1 } : { from: at, to: end };
}
