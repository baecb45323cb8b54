import { digestOfText } from "../../domain/digest.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { BreakerPolicy } from "../../domain/script-tool.ts";
import type { Notes } from "../../ports/notes.ts";

interface BreakerState {
  /** When it failed lately, oldest first. */
  readonly failuresMs: readonly number[];
  /** Null = it is closed. */
  readonly openedMs: number | null;
}

const CLOSED: BreakerState = { failuresMs: [], openedMs: null };
/** Longer than a tool that was told to stop may take: after that a probe is not coming back. */
const PROBE_GRACE_MS = 10_000;

export interface BreakerParts {
  readonly id: string;
  readonly policy: BreakerPolicy;
  /** How long a call of the tool may take. */
  readonly timeoutMs: number;
  readonly notes: Notes;
  readonly nowMs: () => number;
}

/**
 * Leaves a tool alone that fails too often: closed, open, and half-open with one probe. Its state is a note, so that it
 * holds for all gates on a state directory and over the end of each. Counts runs that went badly, never refusals.
 */
export class Breaker {
  readonly #parts: BreakerParts;
  readonly #note: string;

  constructor(parts: BreakerParts) {
    this.#parts = parts;
    this.#note = `breakers/${digestOfText(parts.id)}`;
  }

  /** Why nothing is started now; null = it may. */
  refusal(): Refusal | null {
    const { openedMs } = this.#state();
    if (openedMs === null) return null;
    const leftMs = openedMs + this.#parts.policy.recoveryMs - this.#parts.nowMs();
    if (leftMs > 0) return open(this.#parts.id, leftMs);
    return this.#isProbed(openedMs) ? open(this.#parts.id, PROBE_GRACE_MS) : null;
  }

  /** Just before a start: of all who come once it has recovered, one is let through. */
  admit(): Refusal | null {
    const refusal = this.refusal();
    const { openedMs } = this.#state();
    if (refusal !== null || openedMs === null) return refusal;
    const [claim = ""] = this.#claimsOf(openedMs);
    const isFirst = this.#parts.notes.claim(claim, String(this.#parts.nowMs()));
    return isFirst ? null : open(this.#parts.id, PROBE_GRACE_MS);
  }

  /** Nothing was started after all: the place of the probe is free again. */
  unused(): void {
    const { openedMs } = this.#state();
    const [claim] = openedMs === null ? [] : this.#claimsOf(openedMs);
    if (claim !== undefined) this.#parts.notes.remove(claim);
  }

  ended(went: "well" | "badly"): void {
    const { notes, nowMs, policy } = this.#parts;
    const { failuresMs, openedMs } = this.#state();
    const now = nowMs();
    const claims = openedMs === null ? [] : this.#claimsOf(openedMs);
    if (went === "well") {
      // What was started before it opened says nothing about how the tool is now.
      if (openedMs !== null && now >= openedMs + policy.recoveryMs)
        for (const note of [this.#note, ...claims]) notes.remove(note);
      return;
    }
    const lately = [...failuresMs.filter((at) => at > now - policy.monitoringMs), now];
    const isOpen = openedMs !== null || lately.length >= policy.failureThreshold;
    notes.write(
      this.#note,
      JSON.stringify({ failuresMs: lately, openedMs: isOpen ? now : null } satisfies BreakerState),
    );
    for (const claim of claims) notes.remove(claim);
  }

  /** One claim for each span that a probe can take, this one's first: a probe that is not coming back blocks no other for ever. */
  #claimsOf(openedMs: number): readonly string[] {
    const { nowMs, policy } = this.#parts;
    const span = Math.floor((nowMs() - openedMs - policy.recoveryMs) / this.#spanMs());
    return [span, span - 1].filter((at) => at >= 0).map((at) => `${this.#note}-probe-${openedMs}-${at}`);
  }

  #spanMs = (): number => this.#parts.timeoutMs + PROBE_GRACE_MS;

  #isProbed(openedMs: number): boolean {
    const { notes, nowMs } = this.#parts;
    return this.#claimsOf(openedMs).some((claim) => {
      const claimedMs = notes.read(claim);
      return claimedMs !== null && Number(claimedMs) + this.#spanMs() > nowMs();
    });
  }

  #state(): BreakerState {
    const text = this.#parts.notes.read(this.#note);
    if (text === null) return CLOSED;
    try {
      const { failuresMs, openedMs } = JSON.parse(text);
      const isNumbers = Array.isArray(failuresMs) && failuresMs.every((at) => typeof at === "number");
      return isJsonObject(JSON.parse(text)) && isNumbers && (openedMs === null || typeof openedMs === "number")
        ? { failuresMs, openedMs }
        : CLOSED;
    } catch {
      return CLOSED;
    }
  }
}

const open = (id: string, leftMs: number): Refusal => ({
  code: "CIRCUIT_OPEN",
  stage: "execute",
  message: `\`${id}\` failed too often, and is left alone for another ${Math.ceil(leftMs / 1000)} s`,
  hint: "try again after that; the ledger tells how it failed",
});
