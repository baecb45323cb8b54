import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { soup } from "./slot-soup.ts";

const ROUNDS = 20;

needs(
  "bwrap",
  "bash",
  "timeout",
)("slots put anywhere, many times", () => {
  for (let round = 0; round < ROUNDS; round++) {
    it(`are refused, or run nothing (${round + 1} of ${ROUNDS})`, () => {
      const { fired, loaded, programs } = soup(1000 + round, 4000);
      process.stderr.write(`${loaded} of 4000 templates were let in, ${programs} of them made of programs\n`);
      expect(fired).toEqual([]);
    });
  }
});
