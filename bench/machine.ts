import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  /** Work of others in the last minute. Figures of a busy machine are worth little. */
  readonly load: number;
}

export const thisMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: availableParallelism(),
  node: process.version,
  load: loadavg()[0] ?? 0,
});

/** The kind of file system that a folder is on: a sync costs nothing in memory, and much on a disk. */
export function fileSystemOf(folder: string): string {
  const mounts = readMounts().filter(({ at }) => folder === at || folder.startsWith(at === "/" ? at : `${at}/`));
  const deepest = mounts.toSorted((a, b) => a.at.length - b.at.length).at(-1);
  return deepest === undefined ? "unknown file system" : `${deepest.type} on ${deepest.device}`;
}

function readMounts(): readonly { device: string; at: string; type: string }[] {
  try {
    const lines = readFileSync("/proc/self/mounts", "utf8").trimEnd().split("\n");
    return lines.map((line) => {
      const [device = "", at = "", type = ""] = line.split(" ");
      return { device, at, type };
    });
  } catch {
    return []; // not Linux
  }
}
