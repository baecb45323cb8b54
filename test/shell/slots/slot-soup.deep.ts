import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { soup } from "./slot-soup.ts";

const ROUNDS = 20;

needs(
  "bwrap",
  "bash",
  "timeout",
)("slots put anywhere, many times", () => {
  it("are refused, or run nothing", () => {
    let loaded = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const found = soup(1000 + round, 4000);
      expect(found.fired).toEqual([]);
      loaded += found.loaded;
    }
    process.stderr.write(`${loaded} templates were let in\n`);
  });
});
