import type { ServerResponse } from "node:http";
import type { FaultLog } from "../../wiring/fault-log.ts";
import type { Identity } from "./identity.ts";
import { onceClosed } from "./once-closed.ts";

/** Rights also end elsewhere: by another process, by a change of the configuration, by time. */
const LOOK_EVERY_MS = 250;

interface OpenStream {
  readonly identity: Identity;
  readonly outgoing: Pick<ServerResponse, "closed" | "destroyed" | "destroy" | "once">;
}

/**
 * Answers that go on and on, and whose they are.
 * INVARIANT (no longer than the right): a stream ends with the token, login or session that opened it.
 */
export class OpenStreams {
  readonly #isStill: (identity: Identity) => Promise<boolean>;
  readonly #faults: Pick<FaultLog, "report">;
  readonly #open = new Set<OpenStream>();
  #timer: NodeJS.Timeout | undefined;

  constructor(isStill: (identity: Identity) => Promise<boolean>, faults: Pick<FaultLog, "report">) {
    this.#faults = faults;
    this.#isStill = isStill;
  }

  add(identity: Identity, outgoing: OpenStream["outgoing"]): void {
    const stream = { identity, outgoing };
    this.#open.add(stream);
    this.#timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    onceClosed(outgoing, () => {
      this.#open.delete(stream);
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
  }

  /** Ends those that nobody would be given now. To be called where rights are taken away. */
  async look(): Promise<void> {
    const known = new Map<Identity["session"] | Identity, Promise<boolean>>();
    for (const { identity } of this.#open) {
      const key = identity.session ?? identity;
      if (!known.has(key)) known.set(key, this.#isAllowed(identity));
    }
    for (const { identity, outgoing } of [...this.#open]) {
      if (!(await known.get(identity.session ?? identity))) outgoing.destroy();
    }
  }

  /** If the lookup fails, the stream is closed. */
  async #isAllowed(identity: Identity): Promise<boolean> {
    try {
      return await this.#isStill(identity);
    } catch (cause) {
      this.#faults.report(cause, { stage: "door" });
      return false;
    }
  }
}
