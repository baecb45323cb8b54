import type { RawCall } from "../domain/call.ts";
import { type Digest, digestOf } from "../domain/digest.ts";
import { type Lease, leaseChain } from "../domain/lease.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Outcome, Refusal } from "../domain/outcome.ts";
import type { ClaimedKey, KeyClaim } from "../ports/keys.ts";
import { decide } from "./decide.ts";
import type { PipelinePorts } from "./pipeline-ports.ts";
import { openOutcome, replayedOutcome } from "./replayed-outcome.ts";
import { refuseUnseen } from "./run.ts";
import { waitUntil } from "./wait-until.ts";

/** How often somebody who waits looks whether another process has come to the end of the call. */
const LOOK_EVERY_MS = 50;

export interface KeyedRun {
  /** Makes the call, as any other; its key is a hash by then. */
  readonly start: (raw: RawCall) => Promise<Outcome>;
  readonly signal: AbortSignal;
}

/**
 * Calls that were made with a key. INVARIANT (once): a key stands for one call, and whoever makes that call again hears what
 * became of it, whatever state it is in and whichever process has it; it is not made a second time.
 */
export class KeyedCalls {
  readonly #ports: PipelinePorts;
  readonly #owner: string;
  /** All that were made here and have not come back, and those of them that had the key first. */
  readonly #making = new Set<string>();
  readonly #underWay = new Map<string, Promise<Outcome>>();

  constructor(ports: PipelinePorts, owner: string) {
    this.#ports = ports;
    this.#owner = owner;
  }

  async make(raw: RawCall, key: string, run: KeyedRun): Promise<Outcome> {
    this.#making.add(raw.callId);
    try {
      return await this.#make(raw, key, run);
    } finally {
      this.#making.delete(raw.callId);
    }
  }

  async #make(raw: RawCall, key: string, run: KeyedRun): Promise<Outcome> {
    const claim = await this.#claimFor(raw, key);
    // A key that was refused may be anything, so that it is not recorded.
    if ("refusal" in claim) return this.#refuse({ ...raw, key: undefined }, claim.refusal);
    return await this.#claimed({ ...raw, key: claim.key }, claim, run);
  }

  async #claimed(raw: RawCall, claim: KeyClaim, run: KeyedRun): Promise<Outcome> {
    for (;;) {
      const { clock, journal } = this.#ports;
      const claimed = await journal.keys.claim(claim, clock.nowMs());
      if (claimed.kind === "failed") return this.#refuse(raw, claimed.refusal);
      if (claimed.kind === "claimed") return this.#first(raw, run);
      const joined = await this.#join(raw, claim, claimed.by, run.signal);
      if (joined !== null) return joined;
    }
  }

  async #first(raw: RawCall, { start }: KeyedRun): Promise<Outcome> {
    const made = start(raw);
    this.#underWay.set(raw.callId, made);
    try {
      const outcome = await made;
      // What is in no ledger never was, so that the next one who asks makes the call.
      if (outcome.receipt === undefined) await this.#ports.journal.keys.release(raw.callId).catch(() => {});
      return outcome;
    } finally {
      this.#underWay.delete(raw.callId);
    }
  }

  /** Null: the key has become free again. */
  async #join(raw: RawCall, claim: KeyClaim, by: ClaimedKey, signal: AbortSignal): Promise<Outcome | null> {
    if (by.inputHash !== claim.inputHash) return this.#refuse(raw, MISMATCH);
    const denied = await this.#deniedNow(raw, claim, by, signal);
    if (denied !== null) return this.#refuse(raw, denied);
    const { clock, journal, redactor } = this.#ports;
    while (!signal.aborted) {
      const own = this.#underWay.get(by.callId);
      if (own !== undefined && raw.caller === "attended") return await unlessAborted(own, signal, () => gaveUp(raw));
      const found = await journal.keys.find(claim);
      if (found === null || found.callId !== by.callId) return null;
      if (this.#isLeftBehind(found)) {
        await journal.keys.release(found.callId);
        return null;
      }
      const outcome = await replayedOutcome(found, raw, journal.questions);
      if (outcome !== null) return await redactor.redactInSlices(outcome);
      if (raw.caller === "detached" && found.state === "awaiting_approval") {
        const pending = await openOutcome(found, raw, journal.questions);
        if (pending !== null) return pending;
      }
      await waitUntil(clock, LOOK_EVERY_MS, signal);
    }
    return gaveUp(raw);
  }

  /** A claim of this very process that nobody here knows of: it could not be taken back when its call failed. */
  #isLeftBehind({ callId, owner, state }: ClaimedKey): boolean {
    return state === null && owner === this.#owner && !this.#making.has(callId);
  }

  /**
   * What was let through once is not told to somebody who may not do it any more. Under the same rules and the same lease
   * the answer is the same; under others the call is planned and judged afresh.
   */
  async #deniedNow(raw: RawCall, claim: KeyClaim, by: ClaimedKey, signal: AbortSignal): Promise<Refusal | null> {
    const present = this.#ports.leases.present(raw.session);
    if ("refusal" in present) return present.refusal;
    if (by.underHash === claim.underHash) return null;
    const again = await decide(raw, this.#ports, signal);
    if (again.kind === "refuse") return again.refusal.stage === "judge" ? again.refusal : CHANGED;
    // What a program may do by itself is cut to the lease: under a narrower one it might not have said the same.
    return again.call.plan.sandbox === undefined || scopesIn(by) === scopesIn(claim) ? null : CHANGED;
  }

  async #claimFor(raw: RawCall, key: string): Promise<KeyClaim | { readonly refusal: Refusal }> {
    const { clock, journal, leases, ruleBook, workspace } = this.#ports;
    if ([...key].length > LIMITS.idLength.maximum || !key.isWellFormed()) return { refusal: BAD_KEY };
    const present = leases.present(raw.session);
    if ("refusal" in present) return present;
    // The same path is another file in another workspace. Not in the scope: there it would be free to be made again.
    const inputHash = hashOf({ tool: raw.toolName, input: raw.rawInput, workspace });
    if (inputHash === null) return { refusal: NO_JSON };
    const scope = scopeOf(raw);
    const hashed = await journal.keys.hashed({ scope, key });
    if (typeof hashed !== "string") return hashed;
    return {
      scope,
      key: hashed,
      callId: raw.callId,
      owner: raw.owner,
      inputHash,
      underHash: underHashOf(ruleBook.current().hash, present.lease),
      expiresMs: clock.nowMs() + LIMITS.dedupeMs.default,
    };
  }

  #refuse(raw: RawCall, refusal: Refusal): Promise<Outcome> {
    return refuseUnseen(raw, this.#ports, refusal);
  }
}

/** A key is its session's own; where nobody opened one, its caller's. */
const scopeOf = ({ session, project, actor }: RawCall): string =>
  session.isOpened === true ? session.id : JSON.stringify([project, actor]);

const leasesIn = (lease: Lease) => [...leaseChain(lease)].map(({ within: _, ...own }) => ({ ...own }));

/** Of everything, then of what the leases cover alone: they may also have come to last longer. */
const underHashOf = (rules: Digest, lease: Lease): string => {
  const scopes = leasesIn(lease).map(({ budget: _, expiresAtMs: __, ...own }) => own);
  return `${digestOf({ rules, leases: leasesIn(lease) })}.${digestOf(scopes)}`;
};

const scopesIn = ({ underHash }: Pick<KeyClaim, "underHash">): string => underHash.slice(underHash.indexOf("."));

function hashOf(value: Parameters<typeof digestOf>[0]): Digest | null {
  try {
    return digestOf(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null; // it has no canonical form
  }
}

async function unlessAborted(made: Promise<Outcome>, signal: AbortSignal, instead: () => Outcome): Promise<Outcome> {
  const { promise: aborted, resolve } = Promise.withResolvers<Outcome>();
  const stop = () => resolve(instead());
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([made, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The call itself goes on: only this caller no longer waits for it. */
const gaveUp = ({ callId, toolName }: RawCall): Outcome => ({
  kind: "refused",
  callId,
  tool: toolName,
  durationMs: 0,
  budgetConsumed: 0,
  refusal: {
    code: "CANCELLED",
    stage: "resolve",
    message: "the caller no longer waits for a call that was made before under the same key; that one goes on",
  },
});

const MISMATCH: Refusal = {
  code: "DEDUPE_MISMATCH",
  stage: "resolve",
  message: "a call with another tool, other arguments or in another workspace was made under this key before",
  hint: "use a new key for a new call",
};

const CHANGED: Refusal = {
  code: "CONFLICT",
  stage: "judge",
  message: "the rules or the lease have changed since the call was made, and it can't be judged anew",
  hint: "it was not made again; `toolgate ledger show` tells how it ended",
};

const BAD_KEY: Refusal = {
  code: "INVALID_ARGUMENTS",
  stage: "validate",
  message: `a key has at most ${LIMITS.idLength.maximum} characters`,
};

const NO_JSON: Refusal = {
  code: "INVALID_ARGUMENTS",
  stage: "validate",
  message: "the arguments are not JSON, so that no key can stand for them",
};
