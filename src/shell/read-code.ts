import type { Word } from "../domain/touch.ts";
import { awkHazard } from "./awk-code.ts";
import { operandsOf } from "./hazards.ts";
import type { Meaning } from "./meaning.ts";
import { optionsOf } from "./program-options.ts";
import { readProgram } from "./read-program.ts";
import type { Candidate, ScriptReader } from "./script-reader.ts";
import { sedHazard } from "./sed-code.ts";

const NOT_KNOWN = "is a program that is known only at run time";

export const readAwk: Meaning = (reader, candidate) => {
  const { argv } = candidate;
  // Without -f, the first operand is the program.
  readMarked(reader, candidate, "awk", new Map(firstOperands("awk", argv).map((at) => [at, awkHazard])));
};

const EXPRESSION = /^(?:-[nErsuz]*e|--expression)$/;

export const readSed: Meaning = (reader, candidate) => {
  const { argv } = candidate;
  const code = new Map<number, (text: string) => string | null>();
  for (let at = 1; at < argv.length; at++) {
    const { text } = argv[at] as Word;
    // Most commands have one script and no option for it.
    if (!text.startsWith("-")) continue;
    if (EXPRESSION.test(text)) code.set(at + 1, sedHazard);
    const [, attached] = /^(?:-[nErsuz]*e|--expression=)(.+)$/s.exec(text) ?? [];
    if (attached !== undefined) code.set(at, () => sedHazard(attached));
  }
  if (code.size === 0) for (const at of firstOperands("sed", argv)) code.set(at, sedHazard);
  readMarked(reader, candidate, "sed", code);
};

/** The first operand; and what may be the value of an option, or may be it. */
function firstOperands(name: string, argv: readonly Word[]): readonly number[] {
  const operands = operandsOf(optionsOf(name), argv);
  const sure = operands.findIndex((at) => !/^--./.test(argv[at - 1]?.text ?? "") || argv[at - 1]?.text.includes("="));
  return operands.slice(0, sure === -1 ? operands.length : sure + 1);
}

function readMarked(
  reader: ScriptReader,
  candidate: Candidate,
  name: string,
  code: ReadonlyMap<number, (text: string) => string | null>,
): void {
  const marked = candidate.argv.map((word, at): Word => {
    const why = code.get(at);
    if (why === undefined) return word;
    const hazard = word.known ? why(word.text) : NOT_KNOWN;
    return hazard === null ? word : { ...word, hazard };
  });
  readProgram(reader, candidate, name, marked);
}
