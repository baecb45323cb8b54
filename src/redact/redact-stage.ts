import { Buffer } from "node:buffer";
import { type Finder, type Moment, partRedactedUntilStable } from "./found.ts";
import { MARKER_BYTES_MAX, markerPlaces } from "./marker.ts";
import { type Span, united, withMarkers } from "./span.ts";
import type { Tally } from "./tally.ts";

const LF = 10;
const CR = 13;
const NOTHING: Uint8Array = Buffer.alloc(0);

/** What a stage holds back, for deciding whether it is worth searching now. */
export interface Waiting {
  /** Searched before, and not decided. */
  readonly kept: Uint8Array;
  readonly arrivedBytes: number;
  readonly latest: Uint8Array;
}

interface StageOptions {
  readonly finder: Finder;
  readonly tally: Tally;
  /** How much of what was let out stays in sight: what stands before a place can decide whether a secret begins there. */
  readonly contextBytes: number;
  readonly isReady: (waiting: Waiting) => boolean;
  /** Whether a match may be longer than what is held back, and ends with its line. */
  readonly isLineWise: boolean;
}

/**
 * One search over a stream. Keeps what is not decided yet.
 * INVARIANT (no part): only settled bytes are let out, so a secret is never let out up to its middle.
 */
export class RedactStage {
  readonly #options: StageOptions;
  #kept: Uint8Array = NOTHING;
  /** How much of what is kept is there as context only. */
  #context = 0;
  /** How much of what is kept is done with: let out, or under a marker that is. */
  #done = 0;
  /** A match that was still going on when its beginning was let out goes on to the end of its line. */
  #isOpen = false;
  /** The end of what was let out, as it was: markers are neighbours like any other. */
  #letOut: Uint8Array = NOTHING;
  #arrived: Uint8Array[] = [];
  #arrivedBytes = 0;

  constructor(options: StageOptions) {
    this.#options = options;
  }

  /** What comes out may share the memory of what went in; what is kept never does. */
  push(given: Uint8Array): Uint8Array {
    const chunk = this.#isOpen ? this.#behindOpen(given) : given;
    const arrivedBytes = this.#arrivedBytes + chunk.length;
    const waiting = { kept: this.#kept.subarray(this.#done), arrivedBytes, latest: chunk };
    if (this.#options.isReady(waiting)) return this.#search(chunk, "more-may-follow");
    this.#arrived.push(Buffer.from(chunk));
    this.#arrivedBytes = arrivedBytes;
    return NOTHING;
  }

  /** What is longer than any match of ours is an operator's, who may mean all of a line: too much is better than a part. */
  #behindOpen(chunk: Uint8Array): Uint8Array {
    const end = chunk.findIndex((byte) => byte === LF || byte === CR);
    this.#isOpen = end === -1;
    return end === -1 ? NOTHING : chunk.subarray(end);
  }

  end(): Uint8Array {
    return this.#search(NOTHING, "last");
  }

  #search(latest: Uint8Array, moment: Moment): Uint8Array {
    const { finder, tally, contextBytes } = this.#options;
    const isAlone = this.#kept.length + this.#arrivedBytes === 0;
    const bytes = isAlone ? latest : Buffer.concat([this.#kept, ...this.#arrived, latest]);
    const found = finder.find(bytes, moment);
    const own = found.spans.filter(({ start }) => start >= this.#context);
    const spans = united(own);
    const settled = Math.max(found.settled, this.#done);
    const redacted = withMarkers(bytes, spans, { from: this.#done, to: settled });
    const shown = spans.filter(({ start }) => start >= this.#done && start < settled);
    tally.add(shown);

    const keptFrom = Math.max(0, found.settled - contextBytes);
    this.#context = found.settled - keptFrom;
    const isGoingOn = own.some(({ start, end }) => start < found.settled && end === bytes.length);
    this.#isOpen = this.#options.isLineWise && moment === "more-may-follow" && isGoingOn;
    const doneAt = endUnderMarkers(spans, settled);
    const around = { before: this.#letOut, after: bytes.subarray(doneAt) };
    const stable =
      shown.length === 0 ? { bytes: redacted, beyond: 0 } : partRedactedUntilStable(redacted, around, finder, tally);
    this.#letOut = lastOf(this.#letOut, stable.bytes, contextBytes);
    this.#done = doneAt + stable.beyond - keptFrom;
    this.#kept = Buffer.from(bytes.subarray(keptFrom));
    this.#arrived = [];
    this.#arrivedBytes = 0;
    return stable.bytes;
  }
}

/** A span whose marker was let out may cover bytes that are not settled: they are done with all the same. */
function endUnderMarkers(spans: readonly Span[], settled: number): number {
  const across = spans.find(({ start, end }) => start < settled && end > settled);
  return across?.end ?? settled;
}

/** So many bytes, and all of a marker that they would cut. A copy. */
function lastOf(before: Uint8Array, latest: Uint8Array, contextBytes: number): Uint8Array {
  if (contextBytes === 0) return NOTHING;
  const enough = contextBytes + MARKER_BYTES_MAX;
  const bytes = Buffer.concat(latest.length < enough ? [before, latest] : [latest.subarray(-enough)]);
  const from = Math.max(0, bytes.length - contextBytes);
  const cut = markerPlaces(bytes.toString("latin1")).find(({ start, end }) => start < from && end > from);
  return bytes.subarray(cut?.start ?? from);
}
