import { readFileSync } from "node:fs";
import { readdir, readFile, readlink, stat, statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { FirstProcess } from "./first-process.ts";

/** A look costs some file reads per process, so the pause grows with what the last look took. */
const PAUSE_MS = { least: 20, most: 200, timesLook: 5 };

/** Folders of a sandbox that are file systems in memory. */
const IN_MEMORY = ["/dev/shm", "/tmp", "/.home"];
const TMPFS = 0x01_02_19_94;

/**
 * Bounds the memory of all processes of a sandbox together where no cgroup counts it: adds it up every few milliseconds,
 * and ends the sandbox above the limit. Between two looks a program may exceed the limit for a moment; then it is the
 * first that the kernel ends, by its `oom_score_adj`.
 */
export class MemoryWatch {
  readonly #first: FirstProcess;
  readonly #limitBytes: number;
  readonly #oomKillsBefore = oomKills();
  #mostBytes = 0;
  #isOver = false;

  constructor(pid: number, limitBytes: number) {
    this.#first = new FirstProcess(pid);
    this.#limitBytes = limitBytes;
    void this.#watch();
  }

  /**
   * Whether the program was ended for its memory, by this watch or by the kernel. Asked only if the program failed. The
   * kernel counts its kills for the whole machine, so they are only taken for this program's if it used much.
   */
  isReached(): boolean {
    if (this.#mostBytes > this.#limitBytes) return true;
    return this.#mostBytes > this.#limitBytes / 2 && oomKills() > this.#oomKillsBefore;
  }

  stop(): void {
    this.#isOver = true;
  }

  async #watch(): Promise<void> {
    while (!this.#isOver && this.#first.isThere()) {
      const begunMs = performance.now();
      this.#mostBytes = Math.max(this.#mostBytes, await this.#look());
      if (this.#mostBytes > this.#limitBytes) return this.#first.kill();
      const pauseMs = PAUSE_MS.timesLook * (performance.now() - begunMs);
      await sleep(Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, pauseMs)), undefined, { ref: false });
    }
  }

  /** A program that can't be watched is ended: its memory would be unbounded. */
  async #look(): Promise<number> {
    try {
      return await memoryOf(this.#first.pid, this.#limitBytes);
    } catch (error) {
      if (EXHAUSTED.has((error as NodeJS.ErrnoException).code ?? "")) return 0;
      this.#first.kill();
      throw error;
    }
  }
}

/** The gate has no descriptors or memory to spare; the next look may succeed. */
const EXHAUSTED: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EAGAIN"]);

/**
 * Bytes that the sandbox keeps in memory and that can't be written back to a file. Up to `enough` this is an upper bound:
 * pages that processes share are then counted for each of them, which is cheap to read.
 */
async function memoryOf(firstPid: number, enough: number): Promise<number> {
  const pids = await withDescendants(firstPid);
  const inFolders = sum(await Promise.all(IN_MEMORY.map((folder) => usedIn(`/proc/${firstPid}/root${folder}`))));
  const inFiles = inFolders + (await inNamelessFiles(pids));
  const resident = sum(await Promise.all(pids.map(residentOf)));
  if (inFiles + resident <= enough) return inFiles + resident;
  return inFiles + sum(await Promise.all(pids.map(shareOf)));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Every process of a PID namespace descends from its first one, which adopts orphans. */
async function withDescendants(pid: number): Promise<readonly number[]> {
  const threads = await orWhenGone(readdir(`/proc/${pid}/task`), []);
  const lists = await Promise.all(
    threads.map((thread) => orWhenGone(readFile(`/proc/${pid}/task/${thread}/children`, "latin1"), "")),
  );
  const children = lists.flatMap((list) =>
    list
      .split(" ")
      .filter((word) => word !== "")
      .map(Number),
  );
  return [pid, ...(await Promise.all(children.map(withDescendants))).flat()];
}

async function residentOf(pid: number): Promise<number> {
  const status = await orWhenGone(readFile(`/proc/${pid}/status`, "latin1"), "");
  return kilobytes(status, "RssAnon") + kilobytes(status, "RssShmem");
}

/** Pages that several processes share count in parts for each. */
async function shareOf(pid: number): Promise<number> {
  const rollup = await orWhenGone(readFile(`/proc/${pid}/smaps_rollup`, "latin1"), null);
  if (rollup === null) return residentOf(pid);
  return kilobytes(rollup, "Pss_Anon") + kilobytes(rollup, "Pss_Shmem");
}

const kilobytes = (text: string, name: string): number =>
  1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? 0);

async function usedIn(folder: string): Promise<number> {
  const found = await orWhenGone(statfs(folder), null);
  return found === null || found.type !== TMPFS ? 0 : (found.blocks - found.bfree) * found.bsize;
}

/** `memfd_create(2)` makes files in memory that lie in no folder: processes hold them by descriptors. */
async function inNamelessFiles(pids: readonly number[]): Promise<number> {
  const found = await Promise.all(pids.map(namelessFilesOf));
  return sum([...new Map(found.flat()).values()]);
}

async function namelessFilesOf(pid: number): Promise<readonly (readonly [inode: number, bytes: number])[]> {
  const folder = `/proc/${pid}/fd`;
  const files = (await orWhenGone(readdir(folder), [])).map((fd) => `${folder}/${fd}`);
  const links = await Promise.all(files.map((file) => orWhenGone(readlink(file), "")));
  const nameless = files.filter((_, at) => links[at]?.startsWith("/memfd:"));
  const stats = await Promise.all(nameless.map((file) => orWhenGone(stat(file), null)));
  return stats.flatMap((found) => (found === null ? [] : [[found.ino, found.blocks * 512] as const]));
}

/** A process may end while it is looked at, and a small sandbox has none of the folders. */
async function orWhenGone<Value, Instead>(looking: Promise<Value>, instead: Instead): Promise<Value | Instead> {
  try {
    return await looking;
  } catch (error) {
    if (GONE.has((error as NodeJS.ErrnoException).code ?? "")) return instead;
    throw error;
  }
}

/** `EACCES`: the program has made itself unreadable; what anybody may read of it counts then. */
const GONE: ReadonlySet<string> = new Set(["ENOENT", "ESRCH", "EACCES", "ENOTDIR"]);

/** How many processes the kernel has ended for want of memory since it started. */
const oomKills = (): number => Number(/^oom_kill (\d+)$/m.exec(readFileSync("/proc/vmstat", "latin1"))?.[1] ?? 0);
