import type { ArithmeticExpression, ArithmeticWord } from "unbash";
import { printsNumber } from "./printed-number.ts";
import { setsVariable } from "./reach-of.ts";
import { readParts } from "./read-word.ts";
import type { ScriptReader } from "./script-reader.ts";
import { VALUES } from "./slot-names.ts";

const NUMBER = /^(?:0[xX][0-9a-fA-F]+|\d+(?:#[\w@]+)?)$/;
const NAME = /^\$?\{?([A-Za-z_]\w*)\}?$/;
const ELEMENT = /^([A-Za-z_]\w*)\[([\w\s+*/%()-]*)\]$/;
const ASSIGNS = /^(?:[-+*/%&|^]|<<|>>)?=$/;

/** Arithmetic runs commands through subscripts, also those in the value of a variable: `a[$(x)]`. */
export function readArithmetic(reader: ScriptReader, expression: ArithmeticExpression): void {
  switch (expression.type) {
    case "ArithmeticBinary":
      // What is computed is a number, whatever it was before.
      if (ASSIGNS.test(expression.operator) && expression.operator === "=") readTarget(reader, expression.left);
      else readArithmetic(reader, expression.left);
      return void readArithmetic(reader, expression.right);
    case "ArithmeticUnary":
      return void readArithmetic(reader, expression.operand);
    case "ArithmeticTernary":
      readArithmetic(reader, expression.test);
      readArithmetic(reader, expression.consequent);
      return void readArithmetic(reader, expression.alternate);
    case "ArithmeticGroup":
      return void readArithmetic(reader, expression.expression);
    case "ArithmeticWord":
      return void readOperand(reader, expression);
    case "ArithmeticCommandExpansion":
      reader.nested(expression.script, "subshell");
      if (!reader.functions.has(printsNumber(expression.script) ?? "") && printsNumber(expression.script) !== null)
        return;
      return void reader.say("what a command prints is computed with, and may hold commands");
    default:
      reader.say("it has arithmetic that can't be read");
      return void (expression satisfies never);
  }
}

function readTarget(reader: ScriptReader, target: ArithmeticExpression): void {
  if (target.type !== "ArithmeticWord" || !/^[A-Za-z_]\w*$/.test(target.value)) readArithmetic(reader, target);
  else setsVariable(reader, target.value);
}

function readOperand(reader: ScriptReader, { value, parts }: ArithmeticWord): void {
  const text = value.trim();
  if (text === "" || NUMBER.test(text) || isNumberInSlot(reader, text)) return;
  if (COUNTED.test(text)) return void readParts(reader, parts ?? []);
  const [, name] = NAME.exec(text) ?? [];
  if (name !== undefined) return void reader.computed.add(name);
  const [, array, subscript = ""] = ELEMENT.exec(text) ?? [];
  if (array !== undefined) {
    reader.computed.add(array);
    for (const [one] of subscript.matchAll(/[A-Za-z_]\w*/g)) reader.computed.add(one);
    return;
  }
  readParts(reader, parts ?? []);
  if (parts?.length === 1 && parts[0]?.type === "ArithmeticExpansion") return;
  reader.say("it computes with a value that may hold commands");
}

/** `$#`, `$?`, `${#list[@]}`: numbers, whatever they count. To get there, bash computes the index of `${#list[n]}`. */
const COUNTED = /^\$(?:[#?$!]|\{#[\w@*[\]]*\})$/;

const INTEGER = /^[-+]?\d+$/;

/** Whether a value in a script is a number for sure, so that computing with it runs nothing. */
export const isNumber = (text: string): boolean =>
  INTEGER.test(text) || COUNTED.test(text) || /^\$\(\([^$`'"[\]]*\)\)$/.test(text);

const SLOT = new RegExp(`^"?\\$\\{${VALUES}\\[(\\d+)\\]\\}"?$`);

/** A slot that holds a number, by itself. */
export const isNumberInSlot = (reader: ScriptReader, text: string): boolean =>
  INTEGER.test(reader.slots[Number(SLOT.exec(text)?.[1] ?? Number.NaN)] ?? "");

/** Text that a builtin computes: `let`, an operand of `-eq`. Static, and read by its letters alone. */
export function readComputedText(reader: ScriptReader, text: string): void {
  if (/^[\w\s+\-*/%<>=!&|^~?:(),]*$/.test(text)) {
    for (const [one] of text.matchAll(/[A-Za-z_]\w*/g)) reader.computed.add(one);
  } else reader.say("it computes with text that may hold commands");
}
