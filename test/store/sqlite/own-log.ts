import { closeSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The descriptors of this process on a log. */
export const logsOpen = (): readonly number[] =>
  readdirSync("/proc/self/fd")
    .filter((fd) => linkOf(fd).endsWith("journal.db-wal"))
    .map(Number);

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return ""; // the descriptor of the listing itself
  }
}

/** Makes every further sync of ours fail, as a disk does that is gone. SQLite's own descriptors can also be written to. */
export function breakSyncs(descriptors: readonly number[] = logsOpen()): void {
  for (const fd of descriptors.filter(isReadOnly)) closeSync(fd);
}

/** The last octal digit of the flags is how the file was opened. */
const isReadOnly = (fd: number): boolean => /^flags:\s+\d*0$/m.test(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"));
