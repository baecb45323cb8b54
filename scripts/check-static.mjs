// Everything that can be checked without running the product, side by side. Prints the output of what failed.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const colours = process.stdout.isTTY ? "force" : "off";

/** @type {Record<string, string[]>} */
const CHECKS = {
  types: [
    "node_modules/@typescript/native/bin/tsc",
    "--project",
    "tsconfig.json",
    // What it found out about files that have not changed since.
    "--incremental",
    "--tsBuildInfoFile",
    "types.tsbuildinfo",
    "--pretty",
    String(process.stdout.isTTY === true),
  ],
  "console types": [
    "node_modules/@typescript/native/bin/tsc",
    "--project",
    "console/tsconfig.json",
    "--pretty",
    "false",
  ],
  biome: ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", `--colors=${colours}`],
  layout: ["scripts/check-layout.mjs"],
  reference: ["scripts/write-reference.ts", "--check"],
  client: ["scripts/write-client.ts", "--check"],
  console: ["scripts/write-console.ts", "--check"],
  // What it read of files that have not changed since.
  knip: ["node_modules/knip/bin/knip.js", "--cache"],
};

const cwd = fileURLToPath(new URL("..", import.meta.url));
const results = await Promise.all(Object.entries(CHECKS).map(([name, args]) => check(name, args)));
if (results.includes(false)) process.exitCode = 1;

/** @param {string} name @param {string[]} args @returns {Promise<boolean>} */
function check(name, args) {
  const startMs = performance.now();
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
      process.stdout.write(`${error ? "FAIL" : "ok"}  ${name} (${seconds} s)\n`);
      if (error) process.stdout.write(`${stdout}${stderr}\n`);
      resolve(error === null);
    });
  });
}
