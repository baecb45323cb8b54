import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { baseImage, missing, packageDisk } from "./image.ts";
import { checkedInMachine } from "./machine.ts";

const TIMEOUT_MS = 45 * 60_000;
const lacks = missing();

describe.skipIf(lacks !== null)(
  `on Debian with systemd and cgroup v2${lacks === null ? "" : ` (skipped: needs ${lacks})`}`,
  () => {
    it("holds programs in for a user with and without a group, and for root", { timeout: TIMEOUT_MS }, async () => {
      const folder = mkdtempSync(join(tmpdir(), "toolgate-vm-"));
      try {
        const checks = await checkedInMachine(baseImage(), packageDisk(folder), folder);
        for (const { who, how, check, held, saw } of checks)
          process.stdout.write(`${held ? "held" : "NOT "}  ${who} | ${how} | ${check} | ${saw}\n`);
        expect(checks.filter(({ held }) => !held)).toEqual([]);
        if (process.env["VM_ONLY"] === undefined) expect(checks.length).toBeGreaterThan(50);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  },
);
