import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "../../../src/ports/files.ts";
import type { Sandbox } from "../../../src/ports/sandbox.ts";
import { searchFilesTool } from "../../../src/tools/builtin/search-files.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { openScratch, type Scratch, SENTINEL } from "../../files/scratch.ts";
import { realSandbox } from "../../sandbox/real-sandbox.ts";
import { redactorFor } from "../../support/redaction.ts";
import { startProgram } from "../../support/started-program.ts";
import { codeOf, textOf, type Use, useTool } from "./use-tool.ts";

const QUERY = { query: `inside|${SENTINEL}`, regex: true, path: "dir" };

/** The moments of a search at which another process could swap the folder for a link. */
export const MOMENTS = ["planned", "held", "started"] as const;
export type Moment = (typeof MOMENTS)[number];

/** One search during which `dir` becomes a link to outside at exactly this moment. */
export async function searchSwappedAt(moment: Moment): Promise<Use> {
  using scratch = openScratchWithLink();
  const swap = () => swapOnce(scratch);
  const { files, workspace } = scratch;
  const sandbox = realSandbox(workspace);
  const gated = {
    files: moment === "held" ? afterHold(files, swap) : files,
    sandbox: moment === "started" ? afterStart(sandbox, swap) : sandbox,
  };
  return await useTool(searchFilesTool({ ...gated, clock: systemClock, redactor: redactorFor() }), QUERY, {
    between: moment === "planned" ? swap : () => {},
  });
}

/** A search that begins while `dir` is a link, and during which it becomes the folder again once it is judged. */
export async function searchSwappedBack(): Promise<Use> {
  using scratch = openScratchWithLink();
  swapOnce(scratch);
  const { files, workspace } = scratch;
  const tool = searchFilesTool({
    files,
    sandbox: realSandbox(workspace),
    clock: systemClock,
    redactor: redactorFor(),
  });
  return await useTool(tool, QUERY, { between: () => swapBack(scratch) });
}

export interface SearchRace {
  /** Outcomes by code. */
  readonly codes: Readonly<Record<string, number>>;
  readonly found: number;
  readonly escapes: readonly string[];
}

/**
 * A16 without gates: another process swaps the folder for a link and back, all the time. How often a search meets the swap
 * depends on the machine, so only the escapes prove anything.
 */
export async function raceSearches(rounds: number): Promise<SearchRace> {
  using scratch = openScratchWithLink();
  const tool = searchFilesTool({
    files: scratch.files,
    sandbox: realSandbox(scratch.workspace),
    clock: systemClock,
    redactor: redactorFor(),
  });
  await using swapper = startProgram("swaps-links.ts", [
    join(scratch.workspace, "dir"),
    join(scratch.workspace, "link"),
  ]);
  await swapper.line();
  const codes: Record<string, number> = {};
  const escapes: string[] = [];
  let found = 0;
  for (let i = 0; i < rounds; i++) {
    const used = await useTool(tool, QUERY);
    // The rules deny a path that is judged to lie outside.
    const [touch] = used.plan?.touches ?? [];
    if (touch !== undefined && "path" in touch && !touch.path.startsWith(`${scratch.workspace}/`)) continue;
    codes[codeOf(used)] = (codes[codeOf(used)] ?? 0) + 1;
    const text = textOf(used);
    if (text.includes("inside")) found++;
    if (text.includes(SENTINEL)) escapes.push(text);
  }
  return { codes, found, escapes };
}

function openScratchWithLink(): Scratch {
  const scratch = openScratch();
  scratch.put("dir/secret.txt", "inside\n");
  symlinkSync(scratch.outside, join(scratch.workspace, "link"));
  return scratch;
}

function swapOnce({ workspace }: Scratch): void {
  renameSync(join(workspace, "dir"), join(workspace, "away"));
  renameSync(join(workspace, "link"), join(workspace, "dir"));
}

function swapBack({ workspace }: Scratch): void {
  renameSync(join(workspace, "dir"), join(workspace, "link"));
  renameSync(join(workspace, "away"), join(workspace, "dir"));
}

const afterHold = (files: Files, swap: () => void): Files => ({
  ...files,
  hold: async (...given) => {
    const held = await files.hold(...given);
    swap();
    return held;
  },
});

const afterStart = (sandbox: Sandbox, swap: () => void): Sandbox => ({
  ...sandbox,
  start: (...given) => {
    const started = sandbox.start(...given);
    swap();
    return started;
  },
});
