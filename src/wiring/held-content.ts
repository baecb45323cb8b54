import { digestOfText } from "../domain/digest.ts";
import { isoTime } from "../domain/iso-time.ts";
import type { Session } from "../domain/lease.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Evidence } from "../ports/artifacts.ts";
import type { BlobHash } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Journal } from "../ports/journal.ts";
import type { Notes } from "../ports/notes.ts";
import type { OwnResults } from "./own-results.ts";

export interface HeldParts {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly notes: Notes;
  readonly own: Pick<OwnResults, "blob">;
}

/** Whose content is. */
export interface Holder {
  readonly project: string;
  /** One that was opened holds for itself; others for whoever calls in them. */
  readonly session: Session | null;
  readonly actor: string;
}

/**
 * Who has stored which content, so that a call may name it by its hash. A note that was lost costs storing it again. What
 * came of a session's own calls is found in the ledger.
 */
export class HeldContent implements Evidence {
  readonly #parts: HeldParts;

  constructor(parts: HeldParts) {
    this.#parts = parts;
  }

  holds(caller: Holder & { readonly session: Session }, hash: string): boolean {
    const { notes, own } = this.#parts;
    const { session, actor } = caller;
    const whose = session.isOpened === true ? {} : { actor };
    return notes.read(noteOf(caller, hash)) !== null || own.blob(session, hash, whose) === null;
  }

  keep(holder: Holder, hash: BlobHash): void {
    this.#parts.notes.claim(noteOf(holder, hash), "");
  }

  async tell(...[{ actor, project, session }, kind, body]: Parameters<Evidence["tell"]>): Promise<Refusal | null> {
    const { clock, journal } = this.#parts;
    const noted = await journal.note({
      at: isoTime(clock.nowMs()),
      kind,
      ...{ project, sessionId: session.id, callId: null, actor: actor.toWellFormed(), planDigest: null, body },
    });
    return noted.kind === "failed" ? noted.refusal : null;
  }
}

const noteOf = ({ project, session, actor }: Holder, hash: string): string => {
  const holder = session?.isOpened === true ? `session:${session.id}` : actor;
  return `held/${hash}/${digestOfText(`${project}\n${holder}`)}`;
};
