import type { Word } from "../domain/touch.ts";
import { programName } from "./program-name.ts";

/** Programs whose first operand is a program, where no option names another one; and the options that take a value. */
const EDITORS: ReadonlyMap<string, RegExp> = new Map([
  ["sed", /^-[lnEr]*l$/],
  ...["awk", "gawk", "mawk", "nawk"].map((name): [string, RegExp] => [name, /^-[Fv]$/]),
]);

/** Options whose value is code, or the name of what is run. */
const CODE_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ["flock", /^(?:-c|--command)$/],
  ["git", /^(?:-c|--config-env|--exec-path|--upload-pack|--receive-pack|--exec)$/],
  ["split", /^--filter$/],
  ["tar", /^(?:-[a-zA-Z]*[IF]|--use-compress-program|--checkpoint-action|--to-command|--info-script|--rsh-command)$/],
  ["vi", /^(?:-c|--cmd)$/],
  ["vim", /^(?:-c|--cmd)$/],
  ["ex", /^(?:-c|--cmd)$/],
]);

/** The word of a command that a program takes for code, if `isMeant` says that it is one to look for. */
export function programWord(argv: readonly Word[], isMeant: (word: Word) => boolean): Word | undefined {
  const [first, ...words] = argv;
  const name = programName(first?.text ?? "");
  if (name === "make" || name === "gmake") return words.find(isMeant);
  const values = EDITORS.get(name);
  if (values !== undefined) return editorProgram(words, values, isMeant);
  const options = CODE_OPTIONS.get(name);
  if (options === undefined) return undefined;
  return words.find(
    (word, at) => isMeant(word) && (options.test(words[at - 1]?.text ?? "") || options.test(optionOf(word))),
  );
}

const PROGRAM_OPTION = /^(?:-[a-zA-Z]*[ef]|--(?:expression|file|source|exec|include))$/;

function editorProgram(words: readonly Word[], values: RegExp, isMeant: (word: Word) => boolean): Word | undefined {
  let isGiven = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    if (PROGRAM_OPTION.test(word.text) || PROGRAM_OPTION.test(optionOf(word))) {
      const program = PROGRAM_OPTION.test(word.text) ? words[++at] : word;
      if (program !== undefined && isMeant(program)) return program;
      isGiven = true;
    } else if (values.test(word.text)) at++;
    else if (!word.text.startsWith("-") && !isGiven) {
      if (isMeant(word)) return word;
      isGiven = true;
    }
  }
  return undefined;
}

/** `--filter` of `--filter=…`, `-e` of `-e…`. */
const optionOf = ({ text }: Word): string => /^(--[\w-]+)=/.exec(text)?.[1] ?? /^(-[a-zA-Z])./.exec(text)?.[1] ?? "";
