import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openProbeFiles } from "../../../src/store/probes/probe-files.ts";

const HASH = "a".repeat(64);
const DAY_MS = 86_400_000;

function scratch(): Disposable & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-probes-"));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

it("keeps what a program said for a day", async () => {
  using here = scratch();
  const cache = openProbeFiles(here.folder);
  expect(await cache.get(HASH, 1000)).toBeNull();
  await cache.put(HASH, "{}", 1000);
  expect(await cache.get(HASH, 1000 + DAY_MS - 1)).toBe("{}");
  expect(await cache.get(HASH, 1000 + DAY_MS)).toBeNull();
  expect(await cache.get(HASH, 999)).toBeNull();
  expect(await cache.get("b".repeat(64), 1000)).toBeNull();
});

it("takes nothing that is no hash, and no file that is damaged", async () => {
  using here = scratch();
  const cache = openProbeFiles(here.folder);
  await cache.put("../x", "{}", 1);
  expect(await cache.get("../x", 1)).toBeNull();
  await cache.put(HASH, "{}", 1);
  writeFileSync(join(here.folder, "probes", `${HASH}.json`), "{");
  expect(await cache.get(HASH, 1)).toBeNull();
});

it("does without a place to write", async () => {
  using here = scratch();
  const file = join(here.folder, "file");
  writeFileSync(file, "");
  const cache = openProbeFiles(file);
  await cache.put(HASH, "{}", 1);
  expect(await cache.get(HASH, 1)).toBeNull();
});
