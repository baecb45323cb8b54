import * as fc from "fast-check";
import { expect } from "vitest";
import type { FormatName } from "../../src/formats/formats.ts";
import { Offer } from "../../src/formats/offer.ts";
import { TOOL_RULES } from "./provider-rules.ts";
import { someCatalog } from "./some-tools.ts";

/** Random catalogs, with schemas of all kinds: what is written keeps to the provider's rules. */
export function expectGoodDefinitions(format: FormatName, catalogs: number): void {
  void fc.assert(
    fc.property(someCatalog(6), (catalog) => {
      const tools = JSON.parse(JSON.stringify(new Offer(format, catalog).tools()));
      expect(TOOL_RULES[format](tools)).toEqual([]);
    }),
    { numRuns: catalogs },
  );
}
