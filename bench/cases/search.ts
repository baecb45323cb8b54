import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { loadConfig } from "../../src/config/config.ts";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import { rgArguments } from "../../src/tools/builtin/search/rg-arguments.ts";
import { installedRipgrep } from "../../src/tools/builtin/search/ripgrep.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import type { Case, Suite } from "../harness.ts";
import type { Scratch } from "../parts/scratch.ts";

const FILES = 5000;
const FILES_PER_FOLDER = 25;
const LINES_PER_FILE = 400;
const MATCHES = 100;
const INPUT = { query: "searchedFor" };

/** A content search through the gate: judged, recorded, in its sandbox, against the same program with the same options. */
export const search: Suite = {
  name: "search",
  rounds: 25,
  warmUpRounds: 3,
  aims: [
    {
      says: "search_files / bare rg, 5,000 files",
      value: (usOf) => usOf("search_files, 5,000 files") / usOf("bare rg, 5,000 files"),
      unit: "ratio",
      bound: { atMost: 1.3 },
    },
  ],
  open: async ({ scratch }) => {
    const workspace = makeTree(scratch);
    const { config, gate } = openGate(workspace);
    const explained = await gate.explain({ tool: "search_files", input: INPUT });
    const hide = explained.touches.flatMap((touch) => touch.hide ?? []);
    const args = rgArguments(INPUT, { root: config.workspace, workspace: config.workspace, hide });
    const rg = (await installedRipgrep()) ?? "";
    const bare: Case = {
      name: "bare rg, 5,000 files",
      unitsPerRound: 1,
      round: async () => {
        const { stdout } = await promisify(execFile)(rg, args, { cwd: "/", maxBuffer: 1 << 28 });
        const matches = stdout.split("\n").filter((line) => line.startsWith('{"type":"match"')).length;
        if (matches !== MATCHES) throw new Error(`rg found ${matches} matches`);
      },
    };
    const governed: Case = {
      name: "search_files, 5,000 files",
      unitsPerRound: 1,
      round: async () => {
        const outcome = await gate.call({ tool: "search_files", input: INPUT });
        const matches = outcome.kind === "completed" ? outcome.structured?.["matches"] : null;
        if (matches !== MATCHES) throw new Error(`a search ended as ${JSON.stringify(outcome)}`);
      },
    };
    return {
      note: `${FILES.toLocaleString("en")} files of ${LINES_PER_FILE} lines, ${MATCHES} matches, power-safe ledger`,
      cases: [bare, governed],
      close: () => gate.close(),
    };
  },
};

function openGate(workspace: string) {
  const path = join(workspace, "toolgate.yaml");
  writeFileSync(path, DEFAULT_CONFIG);
  const loaded = loadConfig({ path });
  if (!loaded.ok) throw new Error(`the default config does not load: ${JSON.stringify(loaded.problems)}`);
  return { config: loaded.config, gate: buildGate({ config: loaded.config }) };
}

/** What a repository of some size looks like: folders, lines of code, and here and there what is looked for. */
function makeTree(scratch: Scratch): string {
  const workspace = scratch.makeFolder("search");
  const line = (i: number) => `  const value${i % 97} = compute(${i}, "text ${i % 31}"); // line ${i} of this file\n`;
  const text = Array.from({ length: LINES_PER_FILE }, (_, i) => line(i)).join("");
  for (let i = 0; i < FILES; i++) {
    const folder = join(
      workspace,
      `package-${Math.floor(i / FILES_PER_FOLDER / 10)}`,
      `folder-${Math.floor(i / FILES_PER_FOLDER)}`,
    );
    if (i % FILES_PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const found = i % (FILES / MATCHES) === 0 ? "export const searchedFor = 1;\n" : "";
    writeFileSync(join(folder, `file-${i}.ts`), `${text}${found}`);
  }
  return workspace;
}
