import type { Word } from "../domain/touch.ts";
import type { Meaning } from "./meaning.ts";
import { readProgram } from "./read-program.ts";

const RUNS = /^-(?:exec|execdir|ok|okdir)$/;

/** `find … -exec command {} +`: a search, and a command for what it finds. */
export const readFind: Meaning = (reader, candidate, interpret) => {
  const { argv, env, via, depth } = candidate;
  readProgram(reader, candidate, "find");
  for (let at = 1; at < argv.length; at++) {
    const { text } = argv[at] as Word;
    if (!text.startsWith("-") || !RUNS.test(text)) continue;
    const { folders } = reader;
    if (text.endsWith("dir")) reader.folders = null;
    const end = commandEnd(argv, at + 1);
    const begun = startsBelow(argv) ? "./{}" : "{}";
    const command = argv.slice(at + 1, end).map((word) => filled(word, begun));
    interpret(reader, { argv: command, env, external: true, via, stdin: "other", depth: depth + 1 });
    reader.folders = folders;
    at = end;
  }
};

/** At `;`, or at a `+` behind `{}`. A command that does not end is read to the end of the line: find refuses it. */
function commandEnd(argv: readonly Word[], from: number): number {
  for (let at = from; at < argv.length; at++) {
    const { text } = argv[at] as Word;
    if (text === ";" || (text === "+" && argv[at - 1]?.text === "{}")) return at;
  }
  return argv.length;
}

function filled(word: Word, begun: string): Word {
  if (!word.text.includes("{}")) return word;
  return word.text === "{}" ? { text: begun, known: false, many: true } : { text: word.text, known: false };
}

/** What is found begins with where the search began: it is an option only if that is one. */
function startsBelow(argv: readonly Word[]): boolean {
  const end = argv.findIndex(({ text }, at) => at > 0 && /^[-(!]/.test(text));
  return argv.slice(1, end === -1 ? argv.length : end).every(({ text, known }) => known && /^[\w./]/.test(text));
}
