import type { Redirection } from "unbash";
import type { ConstantValues } from "./constant-values.ts";
import { type FlowingCommand, type Heads, NO_HEADS } from "./flow-uses.ts";
import { shapeGiven } from "./input-parts.ts";
import { inputForms, operandForms } from "./operand-forms.ts";

/** Forms by what stands around values in variables, and in what is fed, as far as that is written out. */
export function flowingForms(
  { words, isFunction }: FlowingCommand,
  redirects: readonly Redirection[],
  constants: ConstantValues,
): Heads {
  if (isFunction) return NO_HEADS;
  const spelled = words.map((word) => ({ ...word, shape: constants.spelled(word.shape) }));
  const fed = redirects.flatMap(shapeGiven).map((shape) => constants.spelled(shape));
  return { ...NO_HEADS, forms: [...operandForms(spelled), ...inputForms(words, fed)] };
}
