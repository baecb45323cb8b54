import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openScratch } from "../../files/scratch.ts";
import { testProgram } from "../../support/test-program.ts";

const PROGRAM = testProgram("searches-files.ts");
const NOBODY = 65534;

/** Root passes every permission check, so root's tests run the program as nobody. */
const AS_SOMEBODY = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const canRun = spawnSync(process.execPath, [PROGRAM, "/usr/share", "nosuch"], AS_SOMEBODY).status === 0;

describe.skipIf(!canRun)(
  `search_files as a plain user${canRun ? "" : " (skipped: nobody may not run it here)"}`,
  () => {
    it("searches in the sandbox, and tells of what it may not read", () => {
      using scratch = openScratch();
      scratch.put("a.txt", "needle\n");
      scratch.put("closed.txt", "needle\n");
      chmodSync(scratch.workspace, 0o755);
      chmodSync(join(scratch.workspace, "closed.txt"), 0);
      const result = JSON.parse(
        execFileSync(process.execPath, [PROGRAM, scratch.workspace, "needle"], { ...AS_SOMEBODY, encoding: "utf8" }),
      );
      expect(result).toMatchObject({ kind: "completed", structured: { matches: 1 } });
      expect(result.content[0].text).toBe("a.txt:1: needle\n[left out: some files or folders that could not be read]");
    });
  },
);
