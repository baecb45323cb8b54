import { readdirSync, readFileSync } from "node:fs";

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors that this process inherited and would hand on to every program: Node marks its own, and repairs only the
 * low ones of those that it was given.
 */
export function strayDescriptors(): readonly number[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    const fd = Number(name);
    return fd > 2 && isInherited(fd) ? [fd] : [];
  });
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false; // the one that read the folder
  }
}

const SHELL = "/bin/bash"; // dash can't close a descriptor above 9

/** A command line that closes them before it starts. The arguments are not parsed by the shell. */
export const withoutStrays = (
  strays: readonly number[],
  argv: readonly [string, ...string[]],
): readonly [string, ...string[]] =>
  strays.length === 0
    ? argv
    : [
        SHELL,
        "--noprofile",
        "--norc",
        "-c",
        `exec ${strays.map((fd) => `${fd}>&-`).join(" ")}; exec "$@"`,
        "bash",
        ...argv,
      ];
