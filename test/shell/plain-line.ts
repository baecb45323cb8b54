// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import fc from "fast-check";
import { expect, it } from "vitest";
import { parseBash } from "../../src/shell/parse-bash.ts";
import { plainScript } from "../../src/shell/plain-line.ts";
import { readArithmetic } from "../../src/shell/read-arithmetic.ts";
import { readScript } from "../../src/shell/read-script.ts";
import { readStatements } from "../../src/shell/read-statements.ts";
import type { Reading } from "../../src/shell/reading.ts";
import { ScriptReader } from "../../src/shell/script-reader.ts";

export const isPlainLine = (text: string): boolean => plainScript(text) !== null;

/** What is read with the parser, whatever the text is. */
function parsed(text: string): Reading {
  const reader = new ScriptReader({ script: readStatements, arithmetic: readArithmetic });
  reader.nested(parseBash(text), "here");
  return reader.finish();
}

const told = ({ commands, files, connections, unknown, functions, tooComplex }: Reading) => ({
  commands,
  files,
  connections,
  unknown,
  functions,
  tooComplex,
});

/** Of lines that the parser is not asked about, it would have said the same. */
export function expectSame(text: string): void {
  if (isPlainLine(text)) expect(told(readScript(text)), JSON.stringify(text)).toEqual(told(parsed(text)));
}

const WORDS = ["ls", "cd", "cat", "git", "log", "x", "src/a.ts", "-n", "--flag=1", "-", "--", "..", "/", "a=b", "0"];
const READ_BY_NAME = ["timeout", "env", "xargs", "find", "sed", "bash", "-c", "tee", "python3", "test", "read", "set"];
const GRAMMAR = ["if", "then", "fi", "do", "done", "for", "in", "case", "esac", "time", "coproc", "function", "select"];
const DECLARING = ["declare", "export", "local", "readonly", "eval", "let", "alias", "command", "builtin", "exec"];
const OPERATORS = [" ", " ", " ", " ", " ", "\t", ";", "&&", "||", "|", " | ", " && ", "; ", "&", "|&", ";;", "\n"];
const QUOTED = ["'a b'", "''", '""', '"a | b"', "'$(x)'", '"$x"', "'*'", '"~"', "'", '"', "'a''b'", "'\\&'", "'{a,b}'"];
const SIGNS = [
  "=",
  ":",
  ",",
  "@",
  "%",
  "+",
  "!",
  "#",
  "~",
  "*",
  "?",
  "[",
  "]",
  "{",
  "}",
  "^",
  "\\",
  "$",
  "`",
  "(",
  ")",
];
const OTHERS = ["2>&1", "2>/dev/null", " 2>&1 ", " 2>&1", ">", "<", "2>", ">&1", "1", "2", "\r", "\0", "é", "\u00a0"];
const TOKENS = [WORDS, WORDS, READ_BY_NAME, GRAMMAR, DECLARING, QUOTED, SIGNS, OTHERS].flat();

/** Words and what stands between them; mostly such as are plain, or nearly. */
const soup = fc
  .array(fc.tuple(fc.constantFrom(...TOKENS), fc.constantFrom(...OPERATORS)), { minLength: 1, maxLength: 7 })
  .map((pairs) => pairs.flat().join(""));

/** A line of plain words with one thing put in somewhere. */
const spoilt = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...WORDS, ...READ_BY_NAME), fc.constantFrom(" ", " ", "; ", " | ", " && ")), {
      minLength: 1,
      maxLength: 5,
    }),
    fc.oneof(fc.constantFrom(...TOKENS, ...OPERATORS), fc.string({ maxLength: 2 })),
    fc.nat(60),
  )
  .map(([pairs, token, at]) => {
    const line = pairs.flat().join("").trimEnd();
    return line.slice(0, at) + token + line.slice(at);
  });

export function readBothWays(runs: number): void {
  it("is read as the parser reads it, whatever its words are", () => {
    let plain = 0;
    const property = fc.property(fc.oneof(soup, spoilt), (line) => {
      if (isPlainLine(line)) plain++;
      expectSame(line);
    });
    fc.assert(property, { numRuns: runs });
    // A line in seven or more: the property is about something.
    expect(plain).toBeGreaterThan(runs / 7);
  });
}
