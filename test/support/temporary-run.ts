import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Vitest runs this before all tests. The whole run gets a temporary folder of its own, which is removed at the end even if a
 * test left something there. The name is short, because the path of a Unix socket may have 107 bytes at most.
 * @public
 */
export function setup(): (() => void) | undefined {
  // Each project of the configuration runs the global set-up.
  if (process.env["TOOLGATE_TEST_RUN"] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "tg-run-"));
  chmodSync(folder, 0o711); // some tests work as another user
  process.env["TOOLGATE_TEST_RUN"] = folder;
  process.env["TMPDIR"] = folder;
  return () => {
    const left = readdirSync(folder);
    rmSync(folder, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`left in the temporary folder after all tests: ${left.join(", ")}`);
  };
}
