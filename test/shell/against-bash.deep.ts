import { expect, it } from "vitest";
import { needs, withCorpus } from "../support/parts.ts";
import { type Compared, comparedDirectly } from "./against-bash.ts";

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
      const same = compared.filter(isSame).length;
      const misread = compared.filter(isMisread);
      console.info(`commands_real: ${same} of ${compared.length} the same, ${misread.length} misread`);
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
