import type { Word } from "../domain/touch.ts";
import { isOpenFile } from "./open-file.ts";
import { programName } from "./program-name.ts";
import { readProgram } from "./read-program.ts";
import { readUnread } from "./read-unread.ts";
import type { Candidate, Dialect, ScriptReader } from "./script-reader.ts";

const FLAGS = "celuxvfhmnprtETCBbs";
const LONG_FLAGS: ReadonlySet<string> = new Set(["--norc", "--noprofile", "--login", "--noediting", "--restricted"]);
const SHOWS: ReadonlySet<string> = new Set(["--version", "--help"]);
const SET_OPTIONS =
  /^(?:errexit|nounset|xtrace|verbose|pipefail|noglob|noclobber|errtrace|functrace|monitor|notify|hashall|physical|noexec)$/;

interface Started {
  readonly letters: string;
  readonly operands: readonly Word[];
  readonly shows: boolean;
}

/** `bash -c text`, `bash script`, `bash < text`: the text is read like the script it stands in. */
export function readShell(reader: ScriptReader, candidate: Candidate, dialect: Dialect): void {
  const { argv, stdin } = candidate;
  const started = startedAs(argv);
  const name = programName((argv[0] as Word).text);
  const asProgram = (): void => readProgram(reader, candidate, name);
  if (typeof started === "string") return void readUnread(reader, candidate, name, started);
  const [first] = started.operands;
  if (started.shows) return void asProgram();
  if (started.letters.includes("c")) {
    // Dash runs the text, and then its input.
    if (started.letters.includes("s")) reader.say("a shell is told to run a text and what it reads");
    if (first === undefined) return void asProgram();
    if (first.known) return void readText(reader, candidate, first.text, dialect);
    reader.say(`a script is known only at run time: \`${first.text}\``);
    return void asProgram();
  }
  const isFile = first !== undefined && !started.letters.includes("s") && !(first.known && isOpenFile(first.text));
  if (isFile) {
    if (!first.known) reader.say(`a script is known only at run time: \`${first.text}\``);
    return void asProgram();
  }
  if (typeof stdin === "object") return void readText(reader, candidate, stdin.text, dialect);
  reader.say("a shell reads its commands from a pipe or file");
  asProgram();
}

function readText(reader: ScriptReader, { argv, env, via }: Candidate, text: string, dialect: Dialect): void {
  const { outer } = reader;
  reader.text(text, dialect, "subshell", { env: [...outer.env, ...env], via: [...outer.via, ...via, argv] });
}

/** The shell's own options; a text says which of them changes how the rest is read. */
function startedAs(argv: readonly Word[]): Started | string {
  let letters = "";
  let shows = false;
  let at = 1;
  for (; at < argv.length; at++) {
    const { text, known } = argv[at] as Word;
    if (!known) {
      if (letters.includes("c")) break;
      return "an option of a shell is known only at run time";
    }
    if (text === "--" || text === "-") {
      at++;
      break;
    }
    if (SHOWS.has(text)) shows = true;
    else if (text.startsWith("--")) {
      if (!LONG_FLAGS.has(text)) return `\`${text}\` changes what a shell does`;
    } else if (text === "-o" || text === "+o" || /^-[celux]*o$/.test(text)) {
      letters += text.slice(1, -1);
      const name = argv[++at];
      if (name?.known !== true || !SET_OPTIONS.test(name.text)) return "an option changes what a shell does";
    } else if (/^[-+]./.test(text)) {
      const odd = [...text.slice(1)].find((letter) => !FLAGS.includes(letter));
      if (odd !== undefined) return `\`${text}\` changes what a shell does`;
      // `bash +c text` runs the text; of `+s` dash takes it for the end of `-s`, and bash for the same.
      if (text.startsWith("+") && text.includes("s")) return `\`${text}\` changes what a shell does`;
      letters += text.slice(1);
    } else break;
  }
  return { letters, operands: argv.slice(at), shows };
}
