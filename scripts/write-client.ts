// Writes the generated part of the typed client (src/client) from the table of routes: `node scripts/write-client.ts`.
// With --check it only says what is out of date.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openApi } from "../src/doors/rest/openapi.ts";
import { ROUTES } from "../src/doors/rest/routes.ts";
import { clientFiles } from "./client/client-files.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const isCheck = process.argv.includes("--check");

for (const [name, source] of Object.entries(clientFiles(openApi(ROUTES)))) {
  const path = `src/client/${name}`;
  const text = formatted(path, source);
  if (textOf(ROOT + path) === text) continue;
  if (isCheck) process.exitCode = 1;
  else writeFileSync(ROOT + path, text);
  process.stdout.write(isCheck ? `${path} is out of date; run \`node scripts/write-client.ts\`\n` : `wrote ${path}\n`);
}

/** As everything else here is. */
function formatted(path: string, source: string): string {
  const biome = ["node_modules/@biomejs/biome/bin/biome", "check", "--write", `--stdin-file-path=${path}`];
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
