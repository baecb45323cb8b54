import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** By content, for as long as the process lives: the few that there are never change, and gates come and go. */
const known = new Map<string, NamelessFile>();

export function namelessFile(content: string | Uint8Array): NamelessFile {
  const key = Buffer.from(content).toString("latin1");
  const file = known.get(key) ?? new NamelessFile(content);
  known.set(key, file);
  return file;
}

/**
 * Contents that launchers are given by descriptor: a file without a name, which is gone with this process. Each start
 * opens it anew, since a descriptor that was read to its end stays there.
 */
export class NamelessFile {
  /** For whoever opens it anew by this. */
  readonly fd: number;

  constructor(content: string | Uint8Array) {
    this.fd = openContent(content).fd;
  }

  /** For one start; whoever starts closes it. */
  opened(): Disposable & { readonly fd: number } {
    const fd = openSync(`/proc/self/fd/${this.fd}`, "r");
    return { fd, [Symbol.dispose]: () => closeSync(fd) };
  }
}

/** A file that only this descriptor leads to. */
export function openContent(content: string | Uint8Array, mode = 0o600): Disposable & { readonly fd: number } {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-"));
  try {
    const path = join(folder, "content");
    writeFileSync(path, content, { mode, flag: "wx" });
    chmodSync(path, mode); // whatever the umask takes away
    const fd = openSync(path, "r");
    return { fd, [Symbol.dispose]: () => closeSync(fd) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
