import type { Buffer } from "node:buffer";
import type { Digest } from "../domain/digest.ts";
import { type Link, linkOf } from "./chain.ts";

const PREV = ',"prev":"';
const PROJECT = '","project":"';
const SEQ = ',"seq":';
const SESSION = ',"sessionId":"';

/**
 * Reads the links of entries that follow each other, each as `linkOf` would. Nearly all end as the one before did, but
 * for their number and the hash that they point to, which are known before: then one comparison tells. A byte is read
 * as a character: what is looked for is ASCII, and no byte of another character is.
 */
export class LinkReader {
  /** From behind the digest to the number, and from behind the number to the end. */
  #between = "";
  #end = "";

  /** `seq`, `prev`: what the entry says of itself if it is the next. */
  read(bytes: Buffer, seq: number, prev: Digest | null): Link | null {
    if (prev !== null && this.#end !== "") {
      const expected = `${PREV}${prev}${this.#between}${seq}${this.#end}`;
      if (bytes.toString("latin1", bytes.length - expected.length) === expected) return { seq, prev };
    }
    const text = bytes.toString("latin1");
    const link = linkOf(text);
    if (link !== null) this.#remember(text);
    return link;
  }

  /** INVARIANT (same link): these are the places that `linkOf` has found, so what ends alike has the same ones. */
  #remember(text: string): void {
    const sessionAt = text.lastIndexOf(SESSION);
    const seqAt = text.lastIndexOf(SEQ, sessionAt);
    this.#between = text.slice(text.lastIndexOf(PROJECT, seqAt), seqAt + SEQ.length);
    this.#end = text.slice(sessionAt);
  }
}
