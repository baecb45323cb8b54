import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtIn } from "./built-program.ts";

it("is made where something can be written that nobody else can fill, for every user, and never half removed", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-places-"));
  try {
    writeFileSync(join(folder, "file"), "");
    mkdirSync(join(folder, "open"));
    chmodSync(join(folder, "open"), 0o777);
    const place = join(folder, "own");
    mkdirSync(join(place, "old"), { recursive: true });
    utimesSync(join(place, "old"), 0, 0);
    const built = builtIn([join(folder, "file", "below"), join(folder, "open"), place]);
    expect(built.startsWith(`${place}/`)).toBe(true);
    expect(readdirSync(place)).toHaveLength(1);
    expect(statSync(built).mode & 0o777).toBe(0o755);
    const said = execFileSync(process.execPath, [join(built, "bin/toolgate.js"), "--version"], {
      encoding: "utf8",
      env: { HOME: folder },
    });
    expect(said).toMatch(/^toolgate \d/);
    expect(createRequire(join(built, "dist/index.js")).resolve("ajv")).toContain("node_modules");
    expect(builtIn([place])).toBe(built);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
