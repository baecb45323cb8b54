import { canonicalJson } from "../domain/canonical-json.ts";
import { type Digest, digestOfText } from "../domain/digest.ts";
import type { Entry, EntryDraft } from "../domain/entry.ts";

/** What the first entry has as `prev`. */
export const GENESIS_HASH = "0".repeat(64) as Digest;

export interface SealedEntry {
  /** The canonical JSON of the entry without its hash: what is hashed and what is stored. */
  readonly text: string;
  readonly hash: Digest;
}

/**
 * Gives drafts their places in the chain.
 * INVARIANT (chain text): equals `canonicalJson` of the whole entry. Written out member by member, in sorted order, and
 * with what hardly changes from entry to entry kept, because this runs for every entry of every call; the test holds
 * the two against each other. Digests and kinds go in as they are: their types hold nothing that JSON would escape.
 */
export class Sealer {
  readonly #actor = lastKept();
  readonly #at = lastKept();
  readonly #callId = lastKept();
  readonly #project = lastKept();
  readonly #sessionId = lastKept();

  seal(draft: EntryDraft, seq: number, prev: Digest): SealedEntry {
    const planDigest = draft.planDigest === null ? "null" : `"${draft.planDigest}"`;
    const text =
      `{"actor":${this.#actor(draft.actor)},"at":${this.#at(draft.at)},"body":${canonicalJson(draft.body)}` +
      `,"callId":${draft.callId === null ? "null" : this.#callId(draft.callId)},"kind":"${draft.kind}","planDigest":${planDigest},"prev":"${prev}"` +
      `,"project":${this.#project(draft.project)},"seq":${seq},"sessionId":${this.#sessionId(draft.sessionId)},"v":1}`;
    return { text, hash: digestOfText(text) };
  }
}

export const sealEntry = (draft: EntryDraft, seq: number, prev: Digest): SealedEntry =>
  new Sealer().seal(draft, seq, prev);

/** The JSON of a text, written once as long as the same text comes. */
function lastKept(): (text: string) => string {
  let last = "";
  let json = '""';
  return (text) => {
    if (text !== last) {
      json = canonicalJson(text);
      last = text;
    }
    return json;
  };
}

/** For texts that the store wrote or `verify` has passed: a text that is no JSON throws. */
export const entryFromText = (text: string, hash: Digest): Entry => ({ ...JSON.parse(text), hash });

/** An entry's place as its own text tells it. */
export interface Link {
  readonly seq: number;
  readonly prev: Digest;
}

const SESSION = ',"sessionId":"';
const SEQ = ',"seq":';
const PROJECT = '","project":"';
const PREV = ',"prev":"';
const END = '","v":1}';
const DIGEST_LENGTH = 64;

/**
 * Reads the link without parsing the entry, which would be most of the cost of verifying. Null: not an entry's text.
 *
 * Searching from the end can't be led astray by what an entry quotes. Each pattern begins with a comma and a bare
 * quote, and inside a JSON string every quote stands behind a backslash; so a hit is structure, never content. The body
 * may hold members of these names, but stands before them all: the last hit is the entry's own.
 */
export function linkOf(text: string): Link | null {
  const sessionAt = text.endsWith(END) ? text.lastIndexOf(SESSION) : -1;
  const seqAt = sessionAt < 0 ? -1 : text.lastIndexOf(SEQ, sessionAt);
  const prevAt = seqAt < 0 ? -1 : text.lastIndexOf(PREV, seqAt);
  if (prevAt < 0) return null;

  const digestAt = prevAt + PREV.length;
  if (!text.startsWith(PROJECT, digestAt + DIGEST_LENGTH)) return null;
  const seq = seqFromDigits(text.slice(seqAt + SEQ.length, sessionAt));
  return seq === null ? null : { seq, prev: text.slice(digestAt, digestAt + DIGEST_LENGTH) as Digest };
}

/** Only the canonical form counts: `07`, `7.0` and `7e0` are other texts of the same number. */
function seqFromDigits(digits: string): number | null {
  const seq = Number(digits);
  return Number.isSafeInteger(seq) && seq > 0 && String(seq) === digits ? seq : null;
}

const CALL = ',"callId":';
const KIND = ',"kind":"';

/** The JSON of its call's id, found as `linkOf` finds the link. What is no entry's text gives anything. */
export function callIdTextIn(text: string): string {
  const at = text.lastIndexOf(CALL) + CALL.length;
  return text.slice(at, text.indexOf(KIND, at));
}
