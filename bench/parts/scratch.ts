import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for one run, on whatever disk the system keeps temporary files on. */
export interface Scratch {
  readonly folder: string;
  readonly makeFolder: (name: string) => string;
  readonly remove: () => void;
}

export function makeScratch(): Scratch {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-bench-")));
  return {
    folder,
    makeFolder: (name) => mkdtempSync(join(folder, `${name}-`)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A folder that the next run finds again: for what takes long to make. */
export function keptFolder(name: string): string {
  const path = join(realpathSync(tmpdir()), "toolgate-bench-kept", name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
