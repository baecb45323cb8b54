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
      const { fired, loaded } = soup(1000 + round, 4000);
      expect(fired).toEqual([]);
      process.stderr.write(`${loaded} templates were let in\n`);
    });
  }
});
