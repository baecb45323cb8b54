import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KeptOutcome, Outcomes } from "../../ports/outcomes.ts";

const CALL_ID = /^call_[0-9a-f]{1,64}$/;
const KEPT_MAX = 20_000;
/** The last ones are asked for most. */
const REMEMBERED_MAX = 256;

/**
 * A file each, named after the call. One that was cut off while it was written is no JSON, and so is none. Not synced: what
 * has to survive a power cut is in the ledger, and this is what people like to look at afterwards.
 */
export class OutcomeFiles implements Outcomes {
  readonly #folder: string;
  readonly #remembered = new Map<string, KeptOutcome>();
  #made: Promise<unknown> | null = null;

  constructor(stateDir: string) {
    this.#folder = join(stateDir, "outcomes");
  }

  async keep(callId: string, kept: KeptOutcome): Promise<void> {
    if (!CALL_ID.test(callId)) return;
    this.#remember(callId, kept);
    // Whoever waits for the call is answered first.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      this.#made ??= mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await this.#made;
      await writeFile(join(this.#folder, callId), JSON.stringify(kept), { mode: 0o600, flag: "wx" });
    } catch {
      this.#made = null; // the ledger has its end all the same
    }
  }

  async find(callId: string): Promise<KeptOutcome | null> {
    if (!CALL_ID.test(callId)) return null;
    const remembered = this.#remembered.get(callId);
    if (remembered !== undefined) return remembered;
    try {
      return JSON.parse(await readFile(join(this.#folder, callId), "utf8")) as KeptOutcome;
    } catch {
      return null;
    }
  }

  /** Ids sort by time. */
  async sweep(): Promise<void> {
    try {
      const names = (await readdir(this.#folder)).filter((name) => CALL_ID.test(name)).sort();
      const old = names.slice(0, Math.max(0, names.length - KEPT_MAX));
      for (const name of old) await rm(join(this.#folder, name), { force: true });
    } catch {
      // nothing was ever kept, or it can't be reached now
    }
  }

  #remember(callId: string, kept: KeptOutcome): void {
    this.#remembered.set(callId, kept);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > REMEMBERED_MAX && oldest !== undefined) this.#remembered.delete(oldest);
  }
}
