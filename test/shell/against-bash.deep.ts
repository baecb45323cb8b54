import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { readScript } from "../../src/shell/read-script.ts";
import type { Reading } from "../../src/shell/reading.ts";
import { needs, withCorpus } from "../support/parts.ts";
import { type Compared, comparedDirectly } from "./against-bash.ts";
import { printedByBash } from "./traced-bash.ts";

const SLICE = 1000;

/** Scripts that are not to be let loose even on stubs: they fork without end. */
const ENDLESS = /\|\s*:\s*&|:\(\)/;

function inSlices(scripts: readonly string[]): readonly Compared[] {
  const all: Compared[] = [];
  for (let at = 0; at < scripts.length; at += SLICE) all.push(...comparedDirectly(scripts.slice(at, at + SLICE)));
  return all;
}

/** Bash refuses such a line as a whole, and the reading says that it can't be read. */
const isRefused = ({ reading, missing }: Compared): boolean =>
  missing.length === 0 && reading.unknown.some((reason) => reason.startsWith("bash could not read it"));

const isSame = (compared: Compared): boolean =>
  (compared.missing.length === 0 && compared.extra.length === 0) || isRefused(compared);

/** What is not reached with stubs in place of programs (a branch, a loop over files) is compared as bash writes it down. */
function isSameAsPrinted(some: readonly Compared[]): readonly boolean[] {
  const printed = printedByBash(some.map(({ script }) => script));
  return some.map(({ missing, reading }, index) => {
    const text = printed[index];
    if (missing.length > 0 || text === null || text === undefined) return false;
    return isDeepStrictEqual(commandsOf(readScript(text)), commandsOf(reading));
  });
}

const commandsOf = ({ commands }: Reading): readonly string[] =>
  commands.map(({ argv }) => JSON.stringify(argv.map(({ text, known }) => (known ? text : 0))));

/** What bash ran without the reading having said so, or that it can't say. */
const isMisread = ({ missing, reading }: Compared): boolean => missing.length > 0 && reading.unknown.length === 0;

needs(
  "bwrap",
  "bash",
  "dash",
  "timeout",
)("readings against real bash", () => {
  withCorpus<{ readonly cmd: string }>("commands_real.jsonl")("commands that people use", (rows) => {
    it("are the same in at least 99 of 100, and none is misread", () => {
      const compared = inSlices(rows.map(({ cmd }) => cmd).filter((cmd) => !ENDLESS.test(cmd)));
      const left = compared.filter((each) => !isSame(each));
      const asPrinted = isSameAsPrinted(left);
      const different = left.filter((_, index) => !asPrinted[index]);
      const same = compared.length - different.length;
      const misread = compared.filter(isMisread);
      console.info(
        `commands_real: ${compared.length - left.length} of ${compared.length} ran the same, ${same} are the same with what bash writes down, ${misread.length} misread`,
      );
      for (const { script, extra } of different.slice(0, 40))
        console.info(
          JSON.stringify(script),
          extra.map((words) => words.map(({ text }) => text).join(" ")),
        );
      expect(misread.map(({ script, missing }) => ({ script, missing }))).toEqual([]);
      expect(same / compared.length).toBeGreaterThanOrEqual(0.99);
    });
  });

  withCorpus<{ readonly src: string }>("bash_parse_mvdan.jsonl")("mvdan/sh", (rows) => {
    it("none is misread", () => {
      const scripts = rows.map(({ src }) => src).filter((src) => !ENDLESS.test(src) && !src.includes("\0"));
      const compared = inSlices(scripts);
      const misread = compared.filter(isMisread);
      console.info(
        `mvdan/sh: ${compared.filter(isSame).length} of ${compared.length} the same, ${misread.length} misread`,
      );
      expect(misread.map(({ script, missing }) => ({ script, missing }))).toEqual([]);
    });
  });

  withCorpus<{ readonly src: string }>("bash_parse_treesitter.jsonl")("tree-sitter-bash", (rows) => {
    it("none is misread", () => {
      const compared = inSlices(rows.map(({ src }) => src));
      const misread = compared.filter(isMisread);
      console.info(`tree-sitter-bash: ${compared.filter(isSame).length} of ${compared.length} the same`);
      expect(misread.map(({ script, missing }) => ({ script, missing }))).toEqual([]);
    });
  });
});
