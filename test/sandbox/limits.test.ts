import { expect, it } from "vitest";
import type { SandboxReport } from "../../src/domain/sandbox-report.ts";
import { isRoot, ranAs } from "../support/as-somebody.ts";
import { needs } from "../support/parts.ts";

interface Met {
  readonly report: SandboxReport;
  readonly ends: Readonly<Record<string, readonly [within: string, beyond: string]>>;
}

const CODES = {
  memory: "LIMIT_MEMORY",
  "memory of all together": "LIMIT_MEMORY",
  "shared memory": "LIMIT_MEMORY",
  "files in memory": "LIMIT_MEMORY",
  "files without a name": "LIMIT_MEMORY",
  tasks: "LIMIT_PROCESSES",
  threads: "LIMIT_PROCESSES",
  "open files": "LIMIT_FILES",
  "size of a file": "LIMIT_FSIZE",
  "private space": "LIMIT_DISK",
  output: "LIMIT_OUTPUT",
  "processor time": "LIMIT_CPU",
};

/** Only a cgroup counts the tasks of root. */
const expected = ({ tasks }: SandboxReport): Met["ends"] =>
  Object.fromEntries(
    Object.entries(CODES)
      .filter(([, code]) => tasks !== "none" || code !== "LIMIT_PROCESSES")
      .map(([name, code]) => [name, ["completed", code]]),
  );

const CASES = [
  ["the user of this test", "this user", [], isRoot ? "root" : "same"],
  ["an ordinary user", "an ordinary user", [], "same"],
  ["root, in the workspace of an ordinary user", "this user", ["for-owner"], "switched"],
  ["the same without cgroups", "this user", ["for-owner", "no-cgroups"], "switched"],
  ["root without cgroups", "this user", ["no-cgroups"], "root"],
] as const;

needs(
  "bwrap",
  "prlimit",
  "python3",
  "setpriv",
)("each limit holds, on both sides of it, and has its own code (A20, F28)", () => {
  it.each(CASES.filter(([name]) => isRoot || name === "the user of this test"))("of %s", async (_, as, args, user) => {
    const { report, ends } = await ranAs<Met>(as, "meets-limits.ts", ...args);
    expect(report.user).toBe(user);
    expect(ends).toEqual(expected(report));
  });
});
