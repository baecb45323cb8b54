import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { BUILT_PROGRAM, builtIn } from "./built-program.ts";

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

it("explains a call without the parts that are loaded late, and can't make one", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-late-"));
  try {
    const late = lateParts(join(dirname(BUILT_PROGRAM), "../dist/cli/chunks"));
    expect(late.length).toBeGreaterThan(0);
    const whole = join(folder, "whole");
    cpSync(join(dirname(BUILT_PROGRAM), ".."), whole, { recursive: true });
    symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
    const toolgate = (...args: readonly string[]) =>
      execFileSync(process.execPath, [join(whole, "bin/toolgate.js"), ...args], {
        cwd: folder,
        encoding: "utf8",
        env: { HOME: folder },
        stdio: "pipe",
      });
    toolgate("init");
    const call = ["read_file", '{"path":"toolgate.yaml"}'];
    expect(toolgate("call", ...call)).toContain("rules:");
    for (const name of late) rmSync(join(whole, "dist/cli/chunks", name));
    expect(toolgate("explain", ...call)).toMatch(/^allow read_file/);
    expect(() => toolgate("call", ...call)).toThrow(/late-/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const lateParts = (chunks: string) => readdirSync(chunks).filter((name) => name.startsWith("late-"));
