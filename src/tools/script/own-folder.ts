import { posix } from "node:path";
import { isWithin } from "../../domain/is-within.ts";
import type { ScriptSandbox } from "../../domain/script-tool.ts";
import type { Reading } from "../../shell/reading.ts";

/**
 * The folder below the program's own `/tmp` in which a tool starts; null = it starts in a folder of this machine. An
 * isolated one is a new one each time, so that this is only what it is called in the plan.
 */
export function ownFolderOf({ workingDirectory, tempIsolation }: ScriptSandbox, id: string): string | null {
  const isOwn = workingDirectory === "/tmp" || workingDirectory.startsWith("/tmp/");
  if (!tempIsolation) return isOwn ? posix.normalize(workingDirectory).replace(/(.)\/$/, "$1") : null;
  return posix.join(isOwn ? workingDirectory : "/tmp", `tool_${id}`);
}

/** Files in there are there for nobody else. A name that leads out of it is not one of them. */
export function withoutOwnFiles(reading: Reading, folder: string): Reading {
  const isOwn = (path: string, from: string): boolean => {
    const full = posix.resolve(folder, from, path);
    return isWithin(full, folder);
  };
  return {
    commands: reading.commands,
    files: reading.files.filter(
      ({ path, folders }) => !(folders ?? []).length || !folders?.every((at) => isOwn(path, at)),
    ),
    connections: reading.connections,
    unknown: reading.unknown,
    functions: reading.functions,
    tooComplex: reading.tooComplex,
  };
}
