import { readlinkSync } from "node:fs";
import { setImmediate as immediately, setTimeout as soon } from "node:timers/promises";

const LOOKS_AT_ONCE = 20;
const LOOKS_MAX = 10_000;

/** bubblewrap goes to the folder where its program begins only once it is let go. False: it never got there. */
export async function untilInFolder(pid: number, folder: string, isOver: () => boolean): Promise<boolean> {
  for (let looks = 0; looks < LOOKS_MAX && !isOver(); looks++) {
    if (folder === "/" || folderOf(pid) !== "/") return true;
    await (looks < LOOKS_AT_ONCE ? immediately() : soon(1));
  }
  return false;
}

/** Null: nobody is there any more. */
export function folderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}
