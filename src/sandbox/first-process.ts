import { readFileSync } from "node:fs";

/**
 * The first process of a sandbox: the kernel ends all others in it before this one counts as ended. Its number may
 * become somebody else's afterwards, so it is known by when it started, too.
 */
export class FirstProcess {
  readonly pid: number;
  readonly #startedAt: string | null;

  constructor(pid: number) {
    this.pid = pid;
    this.#startedAt = lookAt(pid)?.startedAt ?? null;
  }

  isThere(): boolean {
    const seen = lookAt(this.pid);
    return seen !== null && seen.startedAt === this.#startedAt && !ENDED.has(seen.state);
  }

  kill(): void {
    this.#signal(this.pid, "SIGKILL");
  }

  /** To its process group, which is the program's; it does not heed it itself. */
  signalGroup(signal: NodeJS.Signals): void {
    this.#signal(-this.pid, signal);
  }

  #signal(target: number, signal: NodeJS.Signals): void {
    if (!this.isThere()) return;
    try {
      process.kill(target, signal);
    } catch {
      // It has gone.
    }
  }
}

/** A zombie, or on its way out: nobody has asked for how it ended yet. */
const ENDED: ReadonlySet<string> = new Set(["Z", "X", "x"]);

/** The fields after the name, which may hold spaces and brackets itself: the state is the first, the start the 20th. */
function lookAt(pid: number): { readonly state: string; readonly startedAt: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", startedAt: fields[19] ?? "" };
  } catch {
    return null; // it has gone
  }
}
