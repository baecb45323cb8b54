import type { Word } from "../domain/touch.ts";
import { STARTS } from "./hazard-reasons.ts";
import type { Interpreter } from "./interpreters.ts";
import { isOpenFile } from "./open-file.ts";
import { readProgram } from "./read-program.ts";
import type { Candidate, ScriptReader } from "./script-reader.ts";

const { code: CODE, loads: LOADS } = STARTS;
const AT_RUN_TIME = "is known only at run time, and may be code";

/** `python -c`, `node -e`: code that stands in the command is shown and has to be named; code from a pipe is unknown. */
export function readInterpreter(
  reader: ScriptReader,
  candidate: Candidate,
  interpreter: Interpreter,
  name: string,
): void {
  const found = scan(candidate.argv, interpreter);
  const { module } = found;
  if (found.program === "none" || (module !== null && READS_CODE.test(module)))
    reader.say(`\`${name}\` reads its program from a pipe or file`);
  readProgram(reader, candidate, name, found.words);
}

/** Modules that are told what to run by their input, whatever else they are given. */
const READS_CODE = /^(?:code|asyncio|pdb|ipdb|pudb|IPython|bpython|ptpython)$/;

/** Before the letter there is none that would take what follows it for its value. */
const MODULE = /^-[ABD-VYZabd-z]*?m/;

/** The module of `python -m pip` and `python -Impip`. */
function moduleAt(argv: readonly Word[], at: number): string | null {
  const text = argv[at]?.text ?? "";
  const glued = text.replace(MODULE, "");
  if (glued === text) return null;
  return glued === "" ? (argv[at + 1]?.text ?? "") : glued;
}

interface Scanned {
  readonly words: readonly Word[];
  readonly program: "named" | "none";
  readonly module: string | null;
}

interface Options {
  readonly code: ReadonlySet<string>;
  readonly loads: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly done: ReadonlySet<string>;
}

const known = new WeakMap<Interpreter, Options>();

function optionsOf(interpreter: Interpreter): Options {
  const found = known.get(interpreter);
  if (found !== undefined) return found;
  const { code, loads, values, done } = interpreter;
  const made = { code: named(code), loads: named(loads), values: named(values), done: named(done) };
  known.set(interpreter, made);
  return made;
}

const named = (list = ""): ReadonlySet<string> => new Set(list.split(" ").filter((option) => option !== ""));

function scan(argv: readonly Word[], interpreter: Interpreter): Scanned {
  const { code, loads, values, done } = optionsOf(interpreter);
  const words = [...argv];
  const mark = (at: number, hazard: string): void => {
    if (argv[at] !== undefined) words[at] = { ...(argv[at] as Word), hazard };
  };
  let isNamed = false;
  let module: string | null = null;
  for (let at = 1; at < argv.length; at++) {
    const { text, known } = argv[at] as Word;
    if (!known) {
      mark(at, AT_RUN_TIME);
      return { words, program: "named", module };
    }
    if (interpreter.looks?.test(text)) {
      mark(at, CODE);
      mark(++at, CODE);
      isNamed = true;
      continue;
    }
    if (!text.startsWith("-") || text === "-") {
      if (code.has(text)) mark(at, CODE);
      isNamed ||= !isOpenFile(text);
      // `deno run -`: behind a word that says what to do, too.
      const rest = done.has(text) ? argv.slice(at + 1) : [];
      for (const [behind, word] of rest.entries()) if (interpreter.looks?.test(word.text)) mark(at + 1 + behind, CODE);
      isNamed &&= !rest.some((word) => word.known && isOpenFile(word.text));
      return { words, program: isNamed ? "named" : "none", module };
    }
    const [name = text] = text.split("=");
    const given = name === text ? `${text}=${argv[at + 1]?.text}` : text;
    const isHarmless = done.has(name) || interpreter.harmless?.test(given) === true;
    const hazard = isHarmless ? null : hazardOf(name, code, loads);
    if (hazard !== null) {
      mark(at, hazard);
      if (hazard === CODE) {
        mark(at + 1, CODE);
        isNamed = true;
      }
    }
    if (interpreter.modules === true) module ??= moduleAt(argv, at);
    if (done.has(name) || module !== null) isNamed = true;
    if (values.has(name)) at++;
  }
  return { words, program: isNamed ? "named" : "none", module };
}

/** Also in a cluster, `-ne`, and with the code right behind it, `-e1`. */
function hazardOf(name: string, code: ReadonlySet<string>, loads: ReadonlySet<string>): string | null {
  if (code.has(name)) return CODE;
  if (loads.has(name)) return LOADS;
  if (name.startsWith("--")) {
    if ([...code].some((option) => option.startsWith(name))) return CODE;
    return [...loads].some((option) => option.startsWith(name)) ? LOADS : null;
  }
  const letters = [...name.slice(1)].map((letter) => `-${letter}`);
  if (letters.some((letter) => code.has(letter))) return CODE;
  return letters.some((letter) => loads.has(letter)) ? LOADS : null;
}
