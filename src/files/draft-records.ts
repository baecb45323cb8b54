import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { CheckedPath } from "../ports/files.ts";
import { Cursor } from "./cursor.ts";
import { errnoOf } from "./faults.ts";
import { descend } from "./open-regular.ts";

const RECORD = /^([A-Za-z0-9_-]{1,100})\.\d+$/;
const DRAFT = /^\.toolgate-[0-9a-f]{24}$/;

/** Where the drafts of this gate lie, and those of gates that were killed. */
export interface DraftRecords {
  /** To be called before the draft is made. Disposing of it forgets the draft, which has to be gone by then. */
  readonly add: (path: string) => Disposable;
  /** Deletes the drafts of gates that have ended without doing it. */
  readonly sweep: () => void;
}

/**
 * Drafts have to lie beside the file that they become, since only so their owner, group and access lists are those of a new file there.
 * So each is noted in `drafts` of the state directory for as long as it is there.
 */
export function openDraftRecords(
  stateDir: string,
  { owner, isAlive }: { readonly owner: string; readonly isAlive: (owner: string) => boolean },
): DraftRecords {
  const folder = join(stateDir, "drafts");
  let count = 0;
  return {
    add: (path) => {
      const record = join(folder, `${owner}.${++count}`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(record, path, { flag: "wx", mode: 0o600 });
      return { [Symbol.dispose]: () => rmSync(record, { force: true }) };
    },
    sweep: () => {
      for (const name of existsSync(folder) ? readdirSync(folder) : []) {
        const other = RECORD.exec(name)?.[1];
        if (other === undefined || other === owner || isAlive(other)) continue;
        const record = join(folder, name);
        deleteDraft(record);
        rmSync(record, { force: true });
      }
    },
  };
}

/** Nothing but a draft is deleted, whatever the record says: the state directory may have come with the workspace. */
function deleteDraft(record: string): void {
  try {
    const path = readFileSync(record, "utf8");
    if (!DRAFT.test(basename(path))) return;
    using cursor = new Cursor();
    const name = descend(cursor, path as CheckedPath, "a draft");
    if (name.ok) unlinkSync(cursor.at(name.value));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error; // it was never made, or another gate has deleted it
  }
}
