import type { Word as SyntaxWord, TestExpression } from "unbash";
import { isNumber, isNumberInSlot, readComputedText } from "./read-arithmetic.ts";
import { readParts, readSubscript, wordOf } from "./read-word.ts";
import type { ScriptReader } from "./script-reader.ts";

const COMPUTES = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** `[[ … ]]`. Its comparisons of numbers compute, and so may run what a value holds. */
export function readTest(reader: ScriptReader, expression: TestExpression): void {
  switch (expression.type) {
    case "TestUnary":
      if (expression.operator === "-v" || expression.operator === "-R") readName(reader, expression.operand);
      else readPattern(reader, expression.operand);
      return;
    case "TestBinary":
      if (COMPUTES.test(expression.operator)) {
        readComputed(reader, expression.left);
        readComputed(reader, expression.right);
      } else {
        readPattern(reader, expression.left);
        readPattern(reader, expression.right);
      }
      return;
    case "TestLogical":
      for (const operand of expression.operands) readTest(reader, operand);
      return;
    case "TestNot":
      return void readTest(reader, expression.operand);
    case "TestGroup":
      return void readTest(reader, expression.expression);
    default:
      reader.say("it has a test that can't be read");
      return void (expression satisfies never);
  }
}

/** Extended patterns are always on in here, so they mean what the parser says. */
function readPattern(reader: ScriptReader, { parts }: SyntaxWord): void {
  for (const part of parts ?? []) {
    if (part.type === "ExtendedGlob") readParts(reader, part.parts ?? []);
    else readParts(reader, [part]);
  }
}

function readComputed(reader: ScriptReader, word: SyntaxWord): void {
  if (isNumberInSlot(reader, word.text)) return;
  if (isNumber(word.text)) return void readParts(reader, word.parts ?? []);
  const [only] = word.parts ?? [];
  const isQuotedOnce = word.parts?.length === 1 && only?.type === "DoubleQuoted" && only.parts.length === 1;
  if (isQuotedOnce) return void readSubscript(reader, { ...word, text: word.text.slice(1, -1), parts: only.parts });
  readSubscript(reader, word);
}

function readName(reader: ScriptReader, word: SyntaxWord): void {
  const { text, known } = wordOf(reader, word);
  if (!known) reader.say("a name is tested that is known only at run time");
  else if (text.includes("[")) readComputedText(reader, text.slice(text.indexOf("[") + 1).replace(/\]$/, ""));
}
