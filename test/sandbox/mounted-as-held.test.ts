import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mountedAsHeld } from "../../src/sandbox/mounted-as-held.ts";
import { openScratch, unwrap } from "../files/scratch.ts";

it("tells what a process sees from what is held", async () => {
  using scratch = openScratch();
  scratch.put("dir/a.txt");
  using held = unwrap(await scratch.files.hold(await scratch.checked("dir"), "directory"));
  const found = (readyFolder = "/usr", pid = process.pid) => mountedAsHeld(pid, readyFolder, [{ kind: "held", held }]);
  expect(found()).toBe("same");
  expect(found("/nosuch-folder")).toBe("not ready");
  expect(found("/usr", 2 ** 30)).toBe("not ready");
  renameSync(held.path, join(scratch.workspace, "moved"));
  expect(found()).toBe("changed");
  symlinkSync(scratch.outside, held.path);
  expect(found()).toBe("changed");
});
