import { expect, it } from "vitest";
import type { Limit } from "../../src/domain/limit.ts";
import { LIMITS } from "../../src/domain/limits.ts";

/** The constants table of the APM2 seed. */
const SEED = {
  MAX_ID_LEN: [256, LIMITS.idLength],
  MAX_PATH_LEN: [4096, LIMITS.pathBytes],
  MAX_READ_LIMIT: [1024 ** 3, LIMITS.readBytes],
  MAX_WRITE_SIZE: [100 * 1024 ** 2, LIMITS.writeBytes],
  MAX_EDIT_SIZE: [10 * 1024 ** 2, LIMITS.editBytes],
  MAX_COMMAND_LEN: [1024 ** 2, LIMITS.commandBytes],
  MAX_TIMEOUT_MS: [3_600_000, LIMITS.toolTimeoutMs],
  MAX_ARG_LEN: [32 * 1024, LIMITS.itemBytes],
  MAX_TOKENS: [1_000_000, LIMITS.tokens],
  HASH_SIZE: [32, LIMITS.hashBytes],
  MAX_REPEATED_ITEMS: [1000, LIMITS.repeatedItems],
} as const;

it.each(Object.entries(SEED))("%s is the seed's", (_, [seeds, { maximum }]) => expect(maximum).toBe(seeds));

it.each(Object.entries<Limit>(LIMITS))("%s has a default within its bounds, and a reason", (_, limit) => {
  expect(limit.minimum).toBeLessThanOrEqual(limit.default);
  expect(limit.default).toBeLessThanOrEqual(limit.maximum);
  expect(limit.because).not.toBe("");
});

it("has room in a JSON text for the largest content that can be written", () =>
  expect(LIMITS.jsonBytes.default).toBeGreaterThan(LIMITS.writeBytes.maximum));
