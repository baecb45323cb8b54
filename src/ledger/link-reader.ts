import { Buffer } from "node:buffer";
import type { Digest } from "../domain/digest.ts";
import { type Link, linkOf } from "./chain.ts";

const PREV = ',"prev":"';
const SEQ = ',"seq":';
const SESSION = ',"sessionId":"';

/**
 * Reads the links of entries that follow each other, each as `linkOf` would. Nearly all end as the one before did, but
 * for their number and the hash that they point to, which are known before: then one comparison tells. A byte is read
 * as a character: what is looked for is ASCII, and no byte of another character is.
 */
export class LinkReader {
  /** How the next entry ends, if it ends as the last one did. */
  #ending: Ending | null = null;

  /** `seq`, `prev`: what the entry says of itself if it is the next. */
  read(bytes: Buffer, seq: number, prev: Digest | null): Link | null {
    if (prev !== null && this.#ending?.isOf(bytes, seq, prev)) return { seq, prev };
    const text = bytes.toString("latin1");
    const link = linkOf(text);
    if (link !== null) this.#ending = endingOf(text);
    return link;
  }
}

/** INVARIANT (same link): these are the places that `linkOf` has found, so what ends alike has the same ones. */
function endingOf(text: string): Ending {
  const sessionAt = text.lastIndexOf(SESSION);
  const seqAt = text.lastIndexOf(SEQ, sessionAt);
  const prevAt = text.lastIndexOf(PREV, seqAt);
  const digits = { from: seqAt + SEQ.length - prevAt, to: sessionAt - prevAt };
  return new Ending(Buffer.from(text.slice(prevAt), "latin1"), digits);
}

/** From `prev` to the end of an entry's text, with room for another digest and for a number of as many digits. */
class Ending {
  readonly #bytes: Buffer;
  readonly #digits: { readonly from: number; readonly to: number };

  constructor(bytes: Buffer, digits: { readonly from: number; readonly to: number }) {
    this.#bytes = bytes;
    this.#digits = digits;
  }

  isOf(text: Buffer, seq: number, prev: Digest): boolean {
    const start = text.length - this.#bytes.length;
    if (start < 0 || !this.#count(seq)) return false;
    this.#bytes.write(prev, PREV.length, "latin1");
    return text.compare(this.#bytes, 0, this.#bytes.length, start) === 0;
  }

  /** Whether the number has room. */
  #count(seq: number): boolean {
    const { from, to } = this.#digits;
    let rest = seq;
    for (let at = to - 1; at >= from; at--) {
      this.#bytes[at] = ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    return rest === 0 && this.#bytes[from] !== ZERO;
  }
}

const ZERO = 0x30;
