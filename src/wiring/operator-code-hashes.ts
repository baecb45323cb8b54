import { operatorCode } from "../config/operator-code.ts";
import { isWithin } from "../domain/is-within.ts";
import type { CodeHashes } from "../domain/operator-code.ts";
import { codeHashes } from "../files/code-hashes.ts";

/** Finds and hashes the code of programs anew each time: a person may have changed what they import. */
export const operatorCodeHashes =
  (workspace: string): CodeHashes =>
  async (program) => {
    const hashes = await codeHashes(operatorCode(program, workspace));
    const shown = (path: string) => (isWithin(path, workspace) ? `.${path.slice(workspace.length)}` : path);
    return Object.fromEntries(Object.entries(hashes).map(([path, hash]) => [shown(path), hash]));
  };
