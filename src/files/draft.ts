import { randomBytes } from "node:crypto";
import { type BigIntStats, constants, readFileSync, unlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Cursor } from "./cursor.ts";
import { errnoOf } from "./faults.ts";
import { giveFileToOwner } from "./owner-of-new.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** The new content under a name that nobody can guess or plant (A47), removed unless it was published. */
export interface Draft extends Disposable {
  readonly path: string;
}

export interface Permissions {
  /** The file whose owner and mode the draft takes over; null = a new file's own. */
  readonly like: BigIntStats | null;
  readonly executable?: boolean | undefined;
}

/** Durable when it returns. */
export async function writeDraft(
  cursor: Cursor,
  content: Uint8Array,
  permissions: Permissions,
  name = randomName(),
): Promise<Draft> {
  const path = cursor.at(name);
  const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  const draft = { path, [Symbol.dispose]: () => removeIfThere(path) };
  try {
    await fill(handle, path, content, permissions);
    return draft;
  } catch (error) {
    draft[Symbol.dispose]();
    throw error;
  } finally {
    await handle.close();
  }
}

export const randomName = (): string => `.toolgate-${randomBytes(12).toString("hex")}`;

/** Content first, permissions then: nobody whom `like` shuts out can read half of it. */
async function fill(
  handle: FileHandle,
  path: string,
  content: Uint8Array,
  { like, executable }: Permissions,
): Promise<void> {
  await handle.writeFile(content);
  if (like === null) giveFileToOwner(handle.fd, path);
  else await keepOwner(handle, like);
  const mode = like === null ? 0o666 & ~umask() : modeWithoutSetId(like);
  await handle.chmod(executable === undefined ? mode : modeToRun(mode, executable));
  await handle.sync();
}

/** A program that runs as its owner must not get new code from a tool call: `write(2)` drops these bits as well. */
const modeWithoutSetId = (stats: BigIntStats): number => Number(stats.mode) & 0o777;

/** Who may read it may run it, or nobody may run it. */
const modeToRun = (mode: number, executable: boolean): number =>
  executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;

/** Fails where the owner can't be kept: the same mode under another group would let other people in. */
async function keepOwner(handle: FileHandle, { uid, gid }: BigIntStats): Promise<void> {
  const draft = await handle.stat({ bigint: true });
  if (draft.uid !== uid || draft.gid !== gid) await handle.chown(Number(uid), Number(gid));
}

/** `process.umask()` sets the umask to read it, which other threads can notice. */
function umask(): number {
  const line = /^Umask:\s*([0-7]+)$/m.exec(readFileSync("/proc/self/status", "latin1"));
  return line?.[1] === undefined ? 0o077 : Number.parseInt(line[1], 8);
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // Published, or its directory may no longer be changed: either way there is nothing left to do.
    if (errnoOf(error) === undefined) throw error;
  }
}
