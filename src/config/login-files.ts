import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSettings } from "./settings-file.ts";
import { errorCode } from "./system-error.ts";

/** Logins of browsers that survive a restart of the server. `id` is the SHA-256 of the token: the token itself is not kept. */
export interface KeptLogins {
  /** Each kept login with its content, as it was given to `put`. */
  readonly all: () => readonly (readonly [id: string, content: string])[];
  readonly put: (id: string, content: string) => void;
  readonly remove: (id: string) => void;
}

const UNWRITABLE: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]);
const ID = /^[0-9a-f]{64}$/;

/** One file per login in `STATE/logins`, which only this user can read. Two servers of one state do not overwrite each other. */
export function loginFiles(stateDir: string): KeptLogins {
  const folder = join(stateDir, "logins");
  return {
    all: () => {
      const found = names(folder).filter((name) => ID.test(name));
      return found.flatMap((id) => {
        const read = readSettings(join(folder, id), "secret");
        return read.ok ? [[id, read.text] as const] : [];
      });
    },
    put: (id, content) => {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(join(folder, id), content, { mode: 0o600, flag: "wx" });
      } catch (error) {
        // The login works without its file, and then ends with the server: a full disk must not keep people out.
        if (!UNWRITABLE.has(errorCode(error))) throw error;
      }
    },
    remove: (id) => rmSync(join(folder, id), { force: true }),
  };
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
