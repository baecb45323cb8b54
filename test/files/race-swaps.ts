import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bytesOf, openScratch, type Scratch, SENTINEL, WHOLE } from "./scratch.ts";

const SWAPPER = fileURLToPath(new URL("../programs/swaps-links.ts", import.meta.url));

export interface RaceReport {
  /** How often `locate` led inside and outside: both must occur, or there was no race. */
  readonly inside: number;
  readonly outside: number;
  /** How often a link stood on the path by the time it was used. */
  readonly conflicts: number;
  readonly written: number;
  readonly escapes: readonly string[];
}

/** One round of the race: `dir` is a directory, a link to outside, or nothing, changing all the time. */
export type Round = (scratch: Scratch, report: Tally) => Promise<void>;
type Tally = { -readonly [Key in keyof RaceReport]: RaceReport[Key] extends number ? number : string[] };

/** A16: locate, judge, then read or write, while another process swaps a directory on the way for a link to outside. */
export async function raceSwaps(rounds: number, round: Round = judgedRound): Promise<RaceReport> {
  using scratch = openScratch();
  scratch.put("dir/secret.txt", "inside");
  const link = join(scratch.workspace, "link");
  symlinkSync(scratch.outside, link);
  const swapper = spawn(process.execPath, [SWAPPER, join(scratch.workspace, "dir"), link], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const report: Tally = { inside: 0, outside: 0, conflicts: 0, written: 0, escapes: [] };
  try {
    await once(swapper.stdout, "data");
    for (let i = 0; i < rounds; i += 1) await round(scratch, report);
  } finally {
    await stopped(swapper);
  }
  report.escapes.push(...damageOutside(scratch));
  return report;
}

async function stopped(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.stdin?.end();
  await exit;
}

async function judgedRound({ files, workspace, write }: Scratch, report: Tally): Promise<void> {
  const located = await files.locate("dir/secret.txt");
  if (!located.ok) return;
  const { path } = located.value;
  if (!path.startsWith(`${workspace}/`)) {
    report.outside += 1;
    return;
  }
  report.inside += 1;
  const content = await files.read(path, WHOLE);
  if (!content.ok && content.fault.code === "CONFLICT") report.conflicts += 1;
  if (content.ok && Buffer.from(content.value).includes(SENTINEL)) report.escapes.push("read");
  const before = await files.digest(path);
  if (!before.ok) return;
  const written = await write(path, bytesOf(`inside ${report.inside}`), before.value);
  if (written.ok) report.written += 1;
}

function damageOutside({ outside }: Scratch): string[] {
  const names = readdirSync(outside).filter((name) => name !== "secret.txt");
  const content = readFileSync(join(outside, "secret.txt"), "utf8");
  return [...names, ...(content === SENTINEL ? [] : [`secret.txt: ${content}`])];
}
