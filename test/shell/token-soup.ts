// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { expect, it } from "vitest";
import { readScript } from "../../src/shell/read-script.ts";
import { needs } from "../support/parts.ts";
import { comparedInTheEnd } from "./against-bash.ts";
import { Dice } from "./compositions.ts";

const STUBS = ["ca", "cb", "cc1"];

const TOKENS: readonly string[] = [
  ...["ca", "cb", "cc1", "ca", "cb", " ", " ", " ", "\n", ";", "&", "&&", "||", "|", "|&", "(", ")", "{ ", ";}", "}"],
  ...[
    "$(",
    "`",
    '"',
    "'",
    "\\",
    "<(",
    ">(",
    ">",
    "<",
    ">>",
    "<<E\n",
    "\nE\n",
    "<<<",
    "$'",
    '$"',
    "#",
    "=",
    "a=",
    "b+=",
  ],
  ...["$x", "${x", "${x:-", "${#x}", "$((", "))", "((", "[[ ", " ]]", "if ", "then ", "fi", "else ", "do ", "done"],
  ...["for x in ", "while ", "case x in x) ", "case ca in ", "esac", ";;", ";&", "!", "! ", "time ", "coproc "],
  ...[
    "function f ",
    "f() ",
    "f",
    "eval ",
    "\r",
    "\t",
    "2",
    "2>",
    "1",
    "*",
    "?",
    "~",
    "{a,b}",
    "{ca,",
    "[",
    "]",
    ",",
    "-",
  ],
  ...["@(", "!(", "+(", "\u00a0", "x", "-c", "env ", "command ", "exec ", "builtin ", "trap ", "EXIT", "bash -c "],
  ...[
    "\\\n",
    "select ",
    "in ",
    "until ",
    "'ca'",
    '"cb"',
    "$'ca\\n'",
    "\\x63",
    "$",
    "a[0]=",
    "=(",
    "1)",
    "%",
    "^",
    "--",
  ],
  ...[
    "\u2028",
    "\f",
    "\v",
    "declare ",
    "local ",
    "export ",
    "${x/",
    "/",
    "@P}",
    "&>",
    "<&",
    "<>",
    ">|",
    "{x}>",
    "true ",
  ],
  ...["false ", ": ", "echo ", "read ", "wait ", "let ", "xargs "],
];

/** Tokens in a row, as they fall. Whatever is said to be read has to be all that bash runs; most is no bash at all. */
export function traceTokenSoup(count: number, seed: number): void {
  needs(
    "bwrap",
    "bash",
    "dash",
    "timeout",
  )("tokens in a row", () => {
    it(`of ${count} that are read without a doubt, bash runs nothing that is not listed`, () => {
      const dice = new Dice(seed);
      const scripts: string[] = [];
      while (scripts.length < count) {
        const length = 2 + dice.roll(9);
        const script = Array.from({ length }, () => dice.pick(TOKENS)).join("");
        // The end of a script is cut off by whoever hands it to bash, a backslash before it is not.
        if (!/c[abc]/.test(script) || /^[\w\s;]*$/.test(script) || /\\\s*$/.test(script)) continue;
        const { unknown, tooComplex } = readScript(script);
        if (unknown.length === 0 && tooComplex === null) scripts.push(script);
      }
      const misread = comparedInTheEnd(scripts, STUBS).filter(({ missing }) => missing.length > 0);
      expect(misread.map(({ script, missing }) => ({ script, missing }))).toEqual([]);
    });
  });
}
