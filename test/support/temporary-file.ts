import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, vi } from "vitest";

/**
 * Runs before each test file. The file gets a temporary folder of its own, and fails if it leaves anything there: vitest
 * reports the failure with the file's name.
 */
const run = process.env["TOOLGATE_TEST_RUN"];
if (run !== undefined) {
  const folder = mkdtempSync(join(run, "t"));
  chmodSync(folder, 0o1777); // some tests work as another user
  process.env["TMPDIR"] = folder;
  // Vitest runs the hook that was registered first as the last one.
  afterAll(async () => {
    try {
      // A process that was killed may still be on its way out.
      await vi.waitFor(() => expect(readdirSync(folder), "left in the temporary folder").toEqual([]), {
        timeout: 20_000,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
