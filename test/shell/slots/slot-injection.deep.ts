import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { CONTEXTS } from "./slot-contexts.ts";
import { VALUES } from "./slot-values.ts";
import { wrongArrivals } from "./wrong-arrivals.ts";

needs(
  "bwrap",
  "bash",
  "timeout",
)("all values in all slots, in real bash", () => {
  for (const name of Object.keys(CONTEXTS)) {
    it(`arrive byte for byte and run nothing: ${name}`, () => {
      expect(wrongArrivals(name, VALUES)).toEqual({ wrong: [], arrivals: VALUES.length, ways: 1, canary: false });
    });
  }
});
