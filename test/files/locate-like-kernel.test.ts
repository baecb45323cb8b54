import { closeSync, openSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeOf, openScratch, type Scratch } from "./scratch.ts";

const O_PATH = 0o10000000;

/** What the kernel makes of the path: where it leads, or why not. */
function kernelAnswer(path: string): string {
  try {
    const fd = openSync(path, O_PATH);
    const found = readlinkSync(`/proc/self/fd/${fd}`);
    closeSync(fd);
    return found;
  } catch (error) {
    return String(error instanceof Error && "code" in error && error.code);
  }
}

const OUR_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  ENOENT: ["absent", "unreachable"],
  ENOTDIR: ["unreachable"],
  ELOOP: ["PATH_INVALID"],
};

const NAMES = ["a", "b", "c", "file", "nosuch", "l0", "l1", "l2", "l3"];
const path = fc
  .tuple(
    fc.constantFrom("", "", "", "ROOT/"),
    fc.array(fc.constantFrom(...NAMES, ".", "..", ""), { minLength: 1, maxLength: 8 }),
  )
  .map(([start, names]) => start + names.join("/"))
  .filter((text) => text !== "" && !text.startsWith("/"));

const tree = (scratch: Scratch, targets: readonly string[]) => {
  scratch.put("a/b/c/file");
  scratch.put("a/file");
  scratch.put("b/c/file");
  targets.forEach((target, i) => {
    symlinkSync(
      target.replace("ROOT", scratch.workspace),
      join(scratch.workspace, ["", "a", "a/b", "b"][i] ?? "", `l${i}`),
    );
  });
};

describe("locate", () => {
  it("finds what the kernel finds, in random trees of links", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { minLength: 4, maxLength: 4 }),
        fc.array(path, { minLength: 10, maxLength: 10 }),
        async (targets, paths) => {
          using scratch = openScratch();
          tree(scratch, targets);
          for (const each of paths) {
            const raw = each.replace("ROOT", scratch.workspace);
            const kernel = kernelAnswer(raw.startsWith("/") ? raw : `${scratch.workspace}/${raw}`);
            const located = await scratch.files.locate(raw);
            if (kernel.startsWith("/")) expect(located).toMatchObject({ ok: true, value: { path: kernel } });
            else expect(OUR_ANSWERS[kernel]).toContain(located.ok ? located.value.kind : codeOf(located));
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
