// Writes the console (console/) into the one module that the server sends it from: `node scripts/write-console.ts`.
// With --check it only says whether that is out of date.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { consoleAssets } from "./console/console-assets.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PATH = "src/doors/console/assets.ts";

const text = formatted(await consoleAssets(`${ROOT}console`));
if (textOf(ROOT + PATH) !== text) {
  const isCheck = process.argv.includes("--check");
  if (isCheck) process.exitCode = 1;
  else writeFileSync(ROOT + PATH, text);
  process.stdout.write(isCheck ? `${PATH} is out of date; run \`node scripts/write-console.ts\`\n` : `wrote ${PATH}\n`);
}

/** As everything else here is. */
function formatted(source: string): string {
  const biome = ["node_modules/@biomejs/biome/bin/biome", "format", `--stdin-file-path=${PATH}`];
  const { stdout, stderr, status } = spawnSync(process.execPath, biome, { cwd: ROOT, input: source, encoding: "utf8" });
  if (status !== 0) throw new Error(`biome does not take ${PATH}: ${stderr}`);
  return stdout;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
