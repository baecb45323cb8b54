import { Buffer } from "node:buffer";
import { MATCH_BYTES_MAX } from "./format-rule.ts";
import type { Finder } from "./found.ts";
import { RedactStage, type Waiting } from "./redact-stage.ts";
import { type RuleCount, Tally } from "./tally.ts";

const LF = 10;
const CR = 13;
/** A line that is longer than this is searched in parts. Twice the longest match, so that no byte is searched often. */
const LINE_BYTES_MAX = 2 * MATCH_BYTES_MAX;
/** No expression looks back further. */
const CONTEXT_BYTES = 64;

/**
 * Redacts a stream of bytes of any kind, cut anywhere. What is not a secret comes out byte for byte.
 * Known values are held back only while they may still be going on; shapes need whole lines. Memory is bounded by the
 * longest secret and the longest match, whatever comes.
 */
export class RedactStream {
  readonly #tally = new Tally();
  readonly #stages: readonly RedactStage[];

  constructor(known: Finder, shapes: Finder) {
    const tally = this.#tally;
    this.#stages = [
      ...(known.isIdle
        ? []
        : [new RedactStage({ finder: known, tally, contextBytes: 0, isReady: () => true, isLineWise: false })]),
      ...(shapes.isIdle
        ? []
        : [
            new RedactStage({ finder: shapes, tally, contextBytes: CONTEXT_BYTES, isReady: hasLine, isLineWise: true }),
          ]),
    ];
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    const out = this.#stages.reduce((bytes, stage) => stage.push(bytes), chunk);
    return out.length === 0 ? [] : [out];
  }

  /** What was held back. */
  end(): Uint8Array {
    const nothing: Uint8Array = Buffer.alloc(0);
    return this.#stages.reduce((bytes, stage) => Buffer.concat([stage.push(bytes), stage.end()]), nothing);
  }

  get found(): readonly RuleCount[] {
    return this.#tally.found;
  }
}

function hasLine({ kept, arrivedBytes, latest }: Waiting): boolean {
  if (kept.length + arrivedBytes >= LINE_BYTES_MAX) return true;
  if (!endsLine(latest)) return false;
  // Kept in spite of its line end: a private key is open. To search it again at each of its lines would be quadratic.
  return !endsLine(kept) || arrivedBytes * 8 >= kept.length;
}

const endsLine = (bytes: Uint8Array): boolean => bytes.includes(LF) || bytes.includes(CR);
