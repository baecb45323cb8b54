// Checks the shape of src/: the folder table, file names, who reads the environment, and that
// ARCHITECTURE.md prints the same folder table (`--write` makes it so).

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cruise } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { FOLDERS, foldersAsMarkdown } from "./folders.mjs";

const FORBIDDEN_NAMES = new Set(["core", "utils", "common", "helpers", "manager", "service"]);
const UNSEEN = /getBuiltinModule/;
const ENVIRONMENT = /\bprocess\s*\.\s*env\b|\bprocess\s*\[|import[^;]*\benv\b[^;]*from\s*"(node:)?process"/;
const TABLE = /(<!-- folders:begin -->\n)([\s\S]*?)(\n?<!-- folders:end -->)/;

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const files = existsSync("src") ? readdirSync("src", { recursive: true, withFileTypes: true }) : [];
const sources = files
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => path.join(entry.parentPath, entry.name));

const problems = [
  ...misplaced(),
  ...sources.flatMap(badNames),
  ...sources.flatMap(badContents),
  ...(await badImports()),
  ...tableInArchitecture(),
];
for (const problem of problems) process.stderr.write(`layout: ${problem}\n`);
if (problems.length === 0) process.stdout.write(`layout: ${sources.length} files in src/ keep to the table\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function misplaced() {
  const top = existsSync("src") ? readdirSync("src", { withFileTypes: true }) : [];
  return top
    .filter((entry) => (entry.isDirectory() ? !(entry.name in FOLDERS) : entry.name !== "index.ts"))
    .map((entry) => `src/${entry.name} is not in the table; add it to scripts/folders.mjs or move it`);
}

/** @param {string} file */
function badNames(file) {
  const words = file
    .split(path.sep)
    .slice(1)
    .flatMap((part) => part.split(/[.-]/));
  const found = words.filter((word) => FORBIDDEN_NAMES.has(word));
  return found.map((word) => `${file} is called \`${word}\`, which says nothing; name it after what it holds`);
}

/** @param {string} file */
function badContents(file) {
  const text = readFileSync(file, "utf8");
  return [
    ...(ENVIRONMENT.test(text) && !file.startsWith(path.join("src", "config", path.sep))
      ? [`${file} mentions process.env; only config/ reads the environment`]
      : []),
    ...(UNSEEN.test(text) && file !== path.join("src", "sandbox", "child-process.ts")
      ? [`${file} takes a Node module in a way that the table of folders does not see`]
      : []),
  ];
}

async function badImports() {
  if (sources.length === 0) return [];
  const { output } = await cruise(["src", "console"], await extractDepcruiseOptions("./.dependency-cruiser.mjs"));
  if (typeof output === "string") throw new Error("dependency-cruiser gave text instead of a result");

  const seen = output.modules.filter((module) => module.source.startsWith("src/") && module.source.endsWith(".ts"));
  // A cruiser that cannot parse TypeScript sees nothing and finds no violations: that must not look like success.
  const blind =
    seen.length === sources.length
      ? []
      : [`dependency-cruiser saw ${seen.length} of ${sources.length} files in src/, so its verdict is worthless`];
  const comments = new Map((output.summary.ruleSetUsed?.forbidden ?? []).map((rule) => [rule.name, rule.comment]));
  const violations = output.summary.violations.map(({ from, to, rule, cycle }) => {
    const chain = cycle ? cycle.map((step) => step.name).join(" -> ") : to;
    return `${from} imports ${chain}: ${comments.get(rule.name) ?? ""} [${rule.name}]`;
  });
  return [...blind, ...violations];
}

function tableInArchitecture() {
  const file = "ARCHITECTURE.md";
  if (!existsSync(file)) {
    process.stdout.write(`layout: ${file} does not exist yet, its folder table is not checked\n`);
    return [];
  }
  const text = readFileSync(file, "utf8");
  const table = TABLE.exec(text);
  if (table === null) return [`${file} lacks the markers <!-- folders:begin --> and <!-- folders:end -->`];
  if (table[2] === foldersAsMarkdown()) return [];
  if (!process.argv.includes("--write")) {
    return [`the folder table in ${file} is out of date; run \`node scripts/check-layout.mjs --write\``];
  }
  writeFileSync(
    file,
    text.replace(TABLE, (_, begin) => `${begin}${foldersAsMarkdown()}\n<!-- folders:end -->`),
  );
  return [];
}
