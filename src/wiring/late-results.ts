import { Buffer } from "node:buffer";
import { isoTime } from "../domain/iso-time.ts";
import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Receipt } from "../domain/outcome.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Journal } from "../ports/journal.ts";
import type { CallRecord } from "../ports/journal-view.ts";
import type { Notes } from "../ports/notes.ts";
import type { Redactor } from "../redact/redactor.ts";
import { truncateText } from "../redact/truncate.ts";

export interface LateResultsParts {
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly journal: Pick<Journal, "note">;
  readonly notes: Notes;
  readonly redactor: Redactor;
}

export interface Evidence {
  readonly blob: string;
  readonly receipt: Receipt;
}

/** What came when a call had its end already: it changes nothing, and may tell somebody what happened. */
export class LateResults {
  readonly #parts: LateResultsParts;

  constructor(parts: LateResultsParts) {
    this.#parts = parts;
  }

  /** Null: there are as many as are kept, or it can't be. */
  async keep(
    { callId, project, sessionId, state }: CallRecord,
    said: JsonObject,
    actor: string,
  ): Promise<Evidence | null> {
    const { blobs, clock, journal, redactor } = this.#parts;
    if (!this.#claim(callId)) return null;
    const whole = JSON.stringify(await redactor.redactInSlices(said));
    const { text } = truncateText(whole, LIMITS.lateResultBytes.default);
    const stored = await blobs.put(project, Buffer.from(text));
    if (!stored.ok) return null;
    const blob = stored.value.hash;
    const noted = await journal.note({
      at: isoTime(clock.nowMs()),
      kind: "evidence.late_result",
      project,
      sessionId,
      callId,
      actor,
      planDigest: null,
      body: { attested: false, blob, bytes: Buffer.byteLength(whole), executor: actor, outcome: state },
    });
    return noted.kind === "committed" ? { blob, receipt: noted.receipt } : null;
  }

  /** Also of many that come at once, and over the end of the process. */
  #claim(callId: string): boolean {
    const name = callId.replaceAll(/[^A-Za-z0-9]+/g, "-");
    const places = Array.from({ length: LIMITS.lateResults.default }, (_, n) => `late-results/${name}-${n + 1}`);
    return places.some((place) => this.#parts.notes.claim(place, ""));
  }
}
