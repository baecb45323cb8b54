import { quoted } from "../domain/visible.ts";
import { byName, checkPieces, type Declared, type TemplateParameter } from "./check-pieces.ts";
import { parseTemplate } from "./parse-template.ts";
import type { Reading } from "./reading.ts";
import {
  sectionsOf,
  slotsOf,
  type Template,
  type TemplateNode,
  type TemplateProblem,
  type TemplateSection,
  type TemplateSlot,
} from "./template.ts";
import { type Gives, parameterOf, type Scope, scopeOf, type TypeOf } from "./template-scope.ts";
import { templateVariants } from "./template-variants.ts";

export type CheckedTemplate =
  | {
      readonly ok: true;
      readonly template: Template;
      /** Names that are used with a default and were not declared: optional strings. */
      readonly undeclared: readonly string[];
      /** What its scripts run, with nothing known of the values. */
      readonly readings: readonly Reading[];
    }
  | { readonly ok: false; readonly problems: readonly TemplateProblem[] };

/**
 * Everything that can be said of a template before any value is there: its names, and that every slot is in a place
 * where a value stays data, however often its sections are repeated.
 */
export function checkTemplate(
  text: string,
  parameters: readonly TemplateParameter[],
  dataFor: readonly string[] = [],
): CheckedTemplate {
  const parsed = parseTemplate(text);
  if (!parsed.ok) return { ok: false, problems: [parsed.problem] };
  const { nodes } = parsed.template;
  const declared = byName(parameters);
  const typeOf: TypeOf = (name) => declared.get(name)?.type;
  const names = nameProblems(nodes, declared, typeOf);
  if (names.length > 0) return { ok: false, problems: names };
  const readings: Reading[] = [];
  for (const pieces of templateVariants(nodes, typeOf)) {
    const checked = checkPieces(pieces, declared, new Set(dataFor));
    if (!checked.ok) return { ok: false, problems: [problemAt(checked.slot, checked.why, checked.fix)] };
    const { tooComplex } = checked.reading;
    if (tooComplex !== null)
      return { ok: false, problems: [problemAt(null, tooComplex, "split the tool into several")] };
    readings.push(checked.reading);
  }
  const undeclared = [...slotsOf(nodes)].flatMap(({ slot, within }) =>
    isOfSection(slot.name, within, typeOf) || declared.has(slot.name) ? [] : [slot.name],
  );
  return { ok: true, template: parsed.template, undeclared: [...new Set(undeclared)], readings };
}

const problemAt = (slot: TemplateSlot | null, why: string, fix: string): TemplateProblem => ({
  code: slot === null ? "TEMPLATE_INVALID" : "TEMPLATE_UNSAFE_SLOT",
  message: slot === null ? why : `the slot ${quoted(`{{${slot.name}}}`)} can't stand here: ${why}`,
  hint: fix,
  at: slot?.at ?? 0,
});

function nameProblems(nodes: readonly TemplateNode[], declared: Declared, typeOf: TypeOf): readonly TemplateProblem[] {
  const undeclared = (name: string, at: number): TemplateProblem => ({
    code: "TEMPLATE_UNDECLARED",
    message: `${quoted(`{{${name}}}`)} is no parameter of this tool`,
    hint: `declare \`${name}\` under \`parameters\`, or give the slot a default`,
    at,
  });
  return [
    ...[...slotsOf(nodes)].flatMap(({ slot, within }) =>
      isOfSection(slot.name, within, typeOf) || declared.has(slot.name) || isOptional(slot)
        ? []
        : [undeclared(slot.name, slot.at)],
    ),
    ...[...sectionsOf(nodes)].flatMap(({ section, within }) =>
      isOfSection(section.name, within, typeOf) || declared.has(section.name)
        ? []
        : [undeclared(section.name, section.at)],
    ),
  ];
}

const isOptional = ({ name, fallback }: TemplateSlot): boolean => name !== "." && fallback !== undefined;

/** `.` in a section over a list or one value; `key` and `value` in one over an object; all in what may be either. */
function isOfSection(name: string, within: readonly TemplateSection[], typeOf: TypeOf): boolean {
  const scopes: Scope<Gives>[] = [];
  for (const section of within) scopes.push(scopeOf(section, scopes, typeOf));
  return parameterOf(name, scopes).isOfSection;
}
