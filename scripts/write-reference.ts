// Writes docs/reference from the code: `node scripts/write-reference.ts`. With --check it only says what is out of date.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cliReference } from "./reference/cli-reference.ts";
import { codesReference } from "./reference/codes-reference.ts";
import { configReference } from "./reference/config-reference.ts";

const FOLDER = fileURLToPath(new URL("../docs/reference/", import.meta.url));
const isCheck = process.argv.includes("--check");

const PAGES: Readonly<Record<string, string>> = {
  "cli.md": await cliReference(),
  "codes.md": codesReference(),
  "config.md": configReference(),
};

const stale = Object.entries(PAGES).filter(([name, text]) => textOf(FOLDER + name) !== text);
if (!isCheck) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of stale) writeFileSync(FOLDER + name, text);
}
for (const [name] of stale)
  process.stdout.write(
    isCheck
      ? `docs/reference/${name} is out of date; run \`node scripts/write-reference.ts\`\n`
      : `wrote docs/reference/${name}\n`,
  );
if (isCheck && stale.length > 0) process.exitCode = 1;

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
