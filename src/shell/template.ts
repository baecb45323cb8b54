import type { JsonValue } from "../domain/json.ts";

/** A place in a template's text where a value goes. */
export interface TemplateSlot {
  readonly kind: "slot";
  /** A parameter, `key` or `value` of an object's section, or `.` of a list's. */
  readonly name: string;
  /** Of `default(…)`: used where the value is absent or null. Left out = there is none. */
  readonly fallback?: JsonValue;
  /** `tojson`. */
  readonly json: boolean;
  readonly at: number;
}

/** What stands between `{{#x}}` and `{{/x}}`, or between `{{^x}}` and `{{/x}}`. */
export interface TemplateSection {
  readonly kind: "section";
  readonly name: string;
  readonly inverted: boolean;
  readonly body: readonly TemplateNode[];
  readonly at: number;
}

export type TemplateNode = { readonly kind: "text"; readonly text: string } | TemplateSlot | TemplateSection;

export interface Template {
  readonly nodes: readonly TemplateNode[];
}

/** What is wrong with a template. `at` is the offset in its text. */
export interface TemplateProblem {
  readonly code: "TEMPLATE_INVALID" | "TEMPLATE_UNDECLARED" | "TEMPLATE_UNSAFE_SLOT";
  readonly message: string;
  readonly hint: string;
  readonly at: number;
}

/** All slots of a template, with the sections that they stand in, outermost first. */
export function* slotsOf(
  nodes: readonly TemplateNode[],
  within: readonly TemplateSection[] = [],
): Generator<{ readonly slot: TemplateSlot; readonly within: readonly TemplateSection[] }> {
  for (const node of nodes) {
    if (node.kind === "slot") yield { slot: node, within };
    else if (node.kind === "section") yield* slotsOf(node.body, [...within, node]);
  }
}

export function* sectionsOf(
  nodes: readonly TemplateNode[],
  within: readonly TemplateSection[] = [],
): Generator<{ readonly section: TemplateSection; readonly within: readonly TemplateSection[] }> {
  for (const node of nodes) {
    if (node.kind !== "section") continue;
    yield { section: node, within };
    yield* sectionsOf(node.body, [...within, node]);
  }
}
