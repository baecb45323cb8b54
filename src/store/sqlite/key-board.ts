import { createHmac } from "node:crypto";
import { canonicalJson } from "../../domain/canonical-json.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Claimed, ClaimedKey, KeyClaim, KeyName, Keys } from "../../ports/keys.ts";
import type { KeyRows } from "./key-rows.ts";
import { whileBusy } from "./while-busy.ts";

export interface KeyBoardOptions {
  readonly clock: Clock;
  /** Throws where the journal can't be opened. */
  readonly rows: () => KeyRows;
  /** The secret of the hashes. Throws if it can't be read. */
  readonly hashSecret: () => Uint8Array;
  readonly isAlive: (owner: string) => boolean;
  /** Gives the open calls of processes that are gone their end. */
  readonly settle: () => void;
  readonly refusalFrom: (error: unknown) => Refusal;
}

/** Keys as the journal has them. What is claimed becomes durable with the first entry about the call, and not before. */
export class KeyBoard implements Keys {
  readonly #options: KeyBoardOptions;
  #hashSecret: Uint8Array | null = null;

  constructor(options: KeyBoardOptions) {
    this.#options = options;
  }

  async hashed({ scope, key }: KeyName): Promise<string | { readonly refusal: Refusal }> {
    const { clock, hashSecret, refusalFrom, rows } = this.#options;
    try {
      // The journal is opened first: that makes the signing key, from which the secret is derived.
      await whileBusy(clock, rows);
      this.#hashSecret ??= hashSecret();
      return createHmac("sha256", this.#hashSecret)
        .update(canonicalJson([scope, key]))
        .digest("hex");
    } catch (error) {
      return { refusal: refusalFrom(error) };
    }
  }

  async claim(claim: KeyClaim, nowMs: number): Promise<Claimed> {
    const { clock, isAlive, refusalFrom, rows } = this.#options;
    try {
      const by = await whileBusy(clock, () => rows().claim(claim, nowMs, isAlive));
      if (by === "full") return { kind: "failed", refusal: FULL };
      return by === null ? { kind: "claimed" } : { kind: "taken", by };
    } catch (error) {
      return { kind: "failed", refusal: refusalFrom(error) };
    }
  }

  find(name: KeyName): Promise<ClaimedKey | null> {
    const { clock, isAlive, rows, settle } = this.#options;
    return whileBusy(clock, () => {
      const found = rows().find(name);
      if (found === null || found.outcome !== null || isAlive(found.owner)) return found;
      settle();
      return rows().find(name);
    });
  }

  async release(callId: string): Promise<void> {
    await whileBusy(this.#options.clock, () => this.#options.rows().release(callId));
  }
}

const FULL: Refusal = {
  code: "DEDUPE_FULL",
  stage: "journal",
  message:
    "so many keys are remembered for this caller that there is no room for another one, so the call was not made",
  hint: "keys are remembered for an hour: make it again later, or without a key if it does no harm twice",
};
