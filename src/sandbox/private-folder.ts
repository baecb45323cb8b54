import { chownSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "toolgate-way-";
/** PID namespace, PID and start time, as numbers to the base of 36. */
const NAME = /^toolgate-way-([0-9a-z]+)\.([0-9a-z]+)\.([0-9a-z]+)-/;
let isSwept = false;

/**
 * A new folder that only this user may enter, for as long as it is needed. A process that is killed can't remove its own, so
 * the name says which process it was, and the next process removes it.
 */
export function privateFolder(): Disposable & { readonly path: string } {
  if (!isSwept) removeAbandoned();
  isSwept = true;
  const path = mkdtempSync(join(tmpdir(), `${PREFIX}${ownName()}-`));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Folders of this user whose process has ended. Those of other PID namespaces are left alone: their processes can't be seen. */
function removeAbandoned(): void {
  const namespace = pidNamespace();
  if (namespace === null) return;
  for (const name of readdirSync(tmpdir())) {
    const [owner, pid, start] = NAME.exec(name)?.slice(1) ?? [];
    if (owner !== namespace || pid === undefined || startOf(Number.parseInt(pid, 36)) === start) continue;
    const path = join(tmpdir(), name);
    // Another user could swap a folder of their own for a link while it is removed.
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() && stats.uid === process.getuid?.()) rmSync(path, { recursive: true, force: true });
  }
}

/** Identifies this process also if its PID is used again. */
const ownName = (): string => [pidNamespace() ?? "0", process.pid.toString(36), startOf(process.pid) ?? "0"].join(".");

/** Null: this machine has no PID namespaces. */
function pidNamespace(): string | null {
  try {
    const [inode = ""] = /\d+/.exec(readlinkSync("/proc/self/ns/pid")) ?? [];
    return Number(inode).toString(36);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return null;
  }
}

/** When the process started, in ticks since boot: field 22 of proc_pid_stat(5). Null: there is no such process. */
function startOf(pid: number): string | null {
  try {
    // The second field is a name that may hold spaces and parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return Number(fields[19]).toString(36);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ESRCH") throw error;
    return null;
  }
}

/**
 * A new folder of the workspace's owner, who is also the user of root's programs. Null = the gate may not write to the
 * workspace.
 */
export function folderInWorkspace(workspace: string, prefix: string): (Disposable & { readonly path: string }) | null {
  try {
    const path = mkdtempSync(join(workspace, prefix));
    const { uid, gid } = statSync(workspace);
    if (process.getuid?.() === 0) chownSync(path, uid, gid);
    return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["EACCES", "EROFS", "EPERM", "ENOENT"].includes(code)) return null;
    throw error;
  }
}
