import type { TemplateParameter } from "../../../src/shell/check-pieces.ts";
import { checkTemplate } from "../../../src/shell/check-template.ts";

const string = (name: string): TemplateParameter => ({ name, type: "string", isClosed: false });

/** What the templates of these tests are about, one of each kind. */
export const PARAMETERS: readonly TemplateParameter[] = [
  string("x"),
  string("y"),
  { name: "n", type: "number", isClosed: false },
  { name: "o", type: "object", isClosed: false },
  { name: "l", type: "array", isClosed: false },
  { name: "b", type: "boolean", isClosed: false },
  { name: "e", type: "string", isClosed: true },
  { name: "d", type: "string", isClosed: false, allowsDash: true },
];

/** Why the template is refused; null = it loads. */
export const problemOf = (text: string, dataFor: readonly string[] = []) => {
  const checked = checkTemplate(text, PARAMETERS, dataFor);
  return checked.ok ? null : checked.problems[0];
};
