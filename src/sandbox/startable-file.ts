import { accessSync, closeSync, constants, openSync } from "node:fs";
import { openContent } from "./nameless-file.ts";
import { FIRST_FREE } from "./spawner-program.ts";

/**
 * By what this process can start it, for as long as it lives: a file without a name, by a descriptor that is not taken
 * by what is given to it. Null: temporary files can't be started here.
 */
export function startableFile(program: Uint8Array): string | null {
  try {
    using file = openContent(program, 0o755);
    const path = `/proc/self/fd/${highDescriptor(file.fd)}`;
    accessSync(path, constants.X_OK); // not where temporary files can't be started
    return path;
  } catch {
    return null;
  }
}

function highDescriptor(fd: number): number {
  const low: number[] = [];
  try {
    for (;;) {
      const next = openSync(`/proc/self/fd/${fd}`, "r");
      if (next >= FIRST_FREE) return next;
      low.push(next);
    }
  } finally {
    for (const one of low) closeSync(one);
  }
}
