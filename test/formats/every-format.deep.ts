import { it } from "vitest";
import { FORMAT_NAMES } from "../../src/formats/formats.ts";
import { expectGoodDefinitions } from "./good-definitions.ts";

it.each(FORMAT_NAMES)(
  "%s: definitions of many catalogs are good by the provider's own rules",
  { timeout: 300_000 },
  (format) => {
    expectGoodDefinitions(format, 3000);
  },
);
