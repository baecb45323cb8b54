import { LIMITS } from "../../domain/limits.ts";

/** What a request holds of its caller's share. */
export interface Held {
  /** Whether so many more bytes of its body have room. */
  readonly take: (bytes: number) => boolean;
  /** To be called once, when the answer has gone out. */
  readonly leave: () => void;
}

interface Share {
  requests: number;
  bytes: number;
}

/**
 * What each caller holds at a time: requests, since one of them must not take the connections of all others, and bytes of
 * their bodies, which are in memory for as long as the call.
 */
export class InFlight {
  readonly #requestsMax: number;
  readonly #bytesMax: number;
  readonly #shares = new Map<string, Share>();

  constructor(
    requestsMax: number = LIMITS.requestsPerCaller.default,
    bytesMax: number = LIMITS.bodyBytesPerCaller.default,
  ) {
    this.#requestsMax = requestsMax;
    this.#bytesMax = bytesMax;
  }

  /** Null: they hold as many as they may. */
  enter(actor: string): Held | null {
    const share = this.#shares.get(actor) ?? { requests: 0, bytes: 0 };
    if (share.requests >= this.#requestsMax) return null;
    share.requests++;
    this.#shares.set(actor, share);
    let own = 0;
    return {
      take: (bytes) => {
        if (share.bytes + bytes > this.#bytesMax) return false;
        share.bytes += bytes;
        own += bytes;
        return true;
      },
      leave: () => {
        share.bytes -= own;
        share.requests--;
        if (share.requests === 0) this.#shares.delete(actor);
      },
    };
  }
}
