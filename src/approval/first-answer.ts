import type { Answered, NewQuestion, Question } from "../domain/question.ts";
import type { Clock } from "../ports/clock.ts";
import type { Approver } from "../ports/desk.ts";
import type { Questions } from "../ports/questions.ts";
import { personsAnswer } from "./persons-answer.ts";

interface Sources {
  readonly approver: Approver;
  readonly clock: Clock;
  readonly questions: Questions;
}

/** What came first: an answer that another door has written, or one that still has to be. */
type First =
  | { readonly kind: "stored"; readonly question: Question }
  | {
      readonly kind: "here";
      readonly answer: Answered;
      readonly onCounted?: (() => Promise<unknown>) | undefined;
    };

/** Waits for the person right here, for the other doors, for the deadline, and for the caller to go away. */
export async function firstAnswer(question: NewQuestion, sources: Sources, signal: AbortSignal): Promise<First> {
  if (signal.aborted) return { kind: "here", answer: { kind: "cancelled" } };
  const { approvalId, deadlineMs } = question;
  const { approver, clock, questions } = sources;
  const over = new AbortController();
  const { promise, resolve } = Promise.withResolvers<First>();
  const here = (answer: Answered) => resolve({ kind: "here", answer });
  const cancel = () => here({ kind: "cancelled" });
  const disarm = clock.after(Math.max(0, deadlineMs - clock.nowMs()), () => here({ kind: "expired" }));
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await Promise.race([
      promise,
      questions
        .answered(approvalId, over.signal)
        .then((found) => (found === null ? promise : { kind: "stored" as const, question: found })),
      askHere(approver, question, over.signal).then((said) => said ?? promise),
    ]);
  } finally {
    disarm();
    signal.removeEventListener("abort", cancel);
    over.abort();
  }
}

/** However the approver fails, it is a rejected promise, and nobody else is left waiting unheard. */
async function askHere(approver: Approver, question: NewQuestion, signal: AbortSignal): Promise<First | null> {
  const { approvalId, deadlineMs, shown } = question;
  const said = await approver.ask(shown, { approvalId, deadlineMs }, signal);
  return said === null ? null : { kind: "here", answer: personsAnswer(said), onCounted: said.onCounted };
}
