import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const isCheck = process.argv.includes("--check");

/** Writes a generated file where it has changed; with --check it only says so, and by which program it is written. */
export function generate(path: string, text: string, program: string): void {
  if (textOf(ROOT + path) === text) return;
  if (isCheck) process.exitCode = 1;
  else writeFileSync(ROOT + path, text);
  process.stdout.write(isCheck ? `${path} is out of date; run \`node ${program}\`\n` : `wrote ${path}\n`);
}

/** As everything else here is. */
export function formatted(path: string, source: string, how: "format" | "check --write"): string {
  const biome = ["node_modules/@biomejs/biome/bin/biome", ...how.split(" "), `--stdin-file-path=${path}`];
  const { stdout, stderr, status } = spawnSync(process.execPath, biome, { cwd: ROOT, input: source, encoding: "utf8" });
  if (status !== 0) throw new Error(`biome does not take ${path}: ${stderr}`);
  return stdout;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
