import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { searchFilesTool } from "../../../src/tools/builtin/search-files.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { openScratch, SENTINEL } from "../../files/scratch.ts";
import { realSandbox } from "../../sandbox/real-sandbox.ts";
import { redactorFor } from "../../support/redaction.ts";
import { startProgram } from "../../support/started-program.ts";
import { codeOf, textOf, useTool } from "./use-tool.ts";

export interface SearchRace {
  /** Outcomes by code. */
  readonly codes: Readonly<Record<string, number>>;
  readonly found: number;
  readonly escapes: readonly string[];
}

/** A16: the folder that is searched is swapped for a link to outside and back, all the time. */
export async function raceSearches(rounds: number): Promise<SearchRace> {
  using scratch = openScratch();
  scratch.put("dir/secret.txt", "inside\n");
  symlinkSync(scratch.outside, join(scratch.workspace, "link"));
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
    const used = await useTool(tool, { query: `inside|${SENTINEL}`, regex: true, path: "dir" });
    // What is judged to lie outside would be denied by the rules.
    const [touch] = used.plan?.touches ?? [];
    if (touch !== undefined && "path" in touch && !touch.path.startsWith(`${scratch.workspace}/`)) continue;
    codes[codeOf(used)] = (codes[codeOf(used)] ?? 0) + 1;
    const text = textOf(used);
    if (text.includes("inside")) found++;
    if (text.includes(SENTINEL)) escapes.push(text);
  }
  return { codes, found, escapes };
}
