import type { JudgedCall } from "../domain/call.ts";
import type { NewQuestion, Question } from "../domain/question.ts";
import { peopleNeeded } from "./eligible.ts";

/** More than are open by default. */
const REMEMBERED_MAX = 256;
/** In characters of their texts: what is long takes its time anyway, and memory has to be bounded. */
const LENGTH_MAX = 16 * 1024;

/**
 * The last questions that this process asked, as they were asked: an answer to one of them begins without reading it back.
 * INVARIANT (store decides): whether it is still open is for the change to say that answers it. So each is given out once,
 * and who comes later reads what the store has.
 */
export class AskedHere {
  readonly #questions = new Map<string, Question>();

  /** `sessionId`: as the store has it. Calls that somebody waits for are answered where they are held. */
  remember(question: NewQuestion, { callId }: Pick<JudgedCall, "callId">, sessionId: string): void {
    const { approvalId, kept, shown } = question;
    // Where one yes is not enough, those of before are in the store only.
    if (kept === null || peopleNeeded(shown) > 1) return;
    if (roomAfter([shown, kept], LENGTH_MAX) < 0) return;
    const asked = { ...question, callId, sessionId, state: "awaiting_approval", votes: [] } as const;
    this.#questions.set(approvalId, { ...asked, answer: null, receipt: null });
    const [oldest] = this.#questions.keys();
    if (this.#questions.size > REMEMBERED_MAX && oldest !== undefined) this.#questions.delete(oldest);
  }

  take(approvalId: string): Question | null {
    const question = this.#questions.get(approvalId) ?? null;
    this.#questions.delete(approvalId);
    return question;
  }
}

/** What is left of it behind all texts, names and numbers; looks at no more than fits. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length;
  if (typeof value !== "object" || value === null) return room - PLAIN_LENGTH;
  let left = room;
  for (const [name, member] of Object.entries(value)) {
    if (left < 0) return left;
    left = roomAfter(member, left - name.length);
  }
  return left;
}

/** Of a number or a word such as `true`. */
const PLAIN_LENGTH = 4;
