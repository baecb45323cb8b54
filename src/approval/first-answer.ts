import type { Answered, NewQuestion, Question } from "../domain/question.ts";
import type { Clock } from "../ports/clock.ts";
import type { Approver } from "../ports/desk.ts";
import type { Questions } from "../ports/questions.ts";

interface Sources {
  readonly approver: Approver;
  readonly clock: Clock;
  readonly questions: Questions;
}

/** What came first: an answer that another door has written, or one that still has to be. */
type First =
  | { readonly kind: "stored"; readonly question: Question }
  | { readonly kind: "here"; readonly answer: Answered };

/** Waits for the person right here, for the other doors, for the deadline, and for the caller to go away. */
export async function firstAnswer(question: NewQuestion, sources: Sources, signal: AbortSignal): Promise<First> {
  const { approvalId, deadlineMs, shown } = question;
  const { approver, clock, questions } = sources;
  const over = new AbortController();
  const { promise, resolve } = Promise.withResolvers<First>();
  const here = (answer: Answered) => resolve({ kind: "here", answer });
  const cancel = () => here({ kind: "cancelled" });
  const disarm = clock.after(Math.max(0, deadlineMs - clock.nowMs()), () => here({ kind: "expired" }));
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await Promise.race([
      promise,
      questions
        .answered(approvalId, over.signal)
        .then((found) => (found === null ? promise : { kind: "stored" as const, question: found })),
      approver
        .ask(shown, deadlineMs, over.signal)
        .then((answer) => (answer === null ? promise : { kind: "here" as const, answer: personsAnswer(answer) })),
    ]);
  } finally {
    disarm();
    signal.removeEventListener("abort", cancel);
    over.abort();
  }
}

/** An approver may be anybody's code. What it says that is neither yes nor no is no answer. */
function personsAnswer(answer: Answered): Answered {
  if (answer.kind === "approve" || answer.kind === "reject") return answer;
  throw new TypeError("the approver gave something else than an answer");
}
