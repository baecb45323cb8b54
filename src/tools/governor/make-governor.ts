import type { GovernorSays } from "../../domain/feedback.ts";
import type { GovernorSpec } from "../../domain/governor-spec.ts";
import type { JsonObject } from "../../domain/json.ts";
import { quoted } from "../../domain/visible.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Governor } from "../../ports/governor.ts";
import type { Redactor } from "../../redact/redactor.ts";
import { errorSays, shortened } from "./answer.ts";

export interface GovernorParts {
  readonly clock: Clock;
  readonly redactor: Pick<Redactor, "redactJson">;
}

/** A governor by how it is asked: within its time, its words redacted and cut, and whatever goes wrong an `error`. */
export const makeGovernor = (
  { id, requiresManual, timeoutMs }: Pick<GovernorSpec, "id" | "requiresManual" | "timeoutMs">,
  { clock, redactor }: GovernorParts,
  answer: (question: JsonObject, signal: AbortSignal) => Promise<GovernorSays>,
): Governor => ({
  id,
  requiresManual,
  ask: async (question, signal) => {
    const late = new AbortController();
    const disarm = clock.after(timeoutMs, () => late.abort(), "keeps the process");
    const unheard = (): GovernorSays | null =>
      signal.aborted
        ? errorSays("it was not heard to the end", "the call was stopped")
        : late.signal.aborted
          ? errorSays(`it gave no answer within ${timeoutMs} ms`, "make it faster, or raise its timeout")
          : null;
    try {
      const says = await answer(question, AbortSignal.any([signal, late.signal]));
      // INVARIANT (redact first): what is cut was redacted as a whole.
      return unheard() ?? shortened(redactor.redactJson(says).value);
    } catch (thrown) {
      return unheard() ?? shortened(redactor.redactJson(thrownSays(thrown)).value);
    } finally {
      disarm();
    }
  },
});

const thrownSays = (thrown: unknown): GovernorSays =>
  errorSays(
    `it can't be asked: ${thrown instanceof Error ? quoted(thrown.message, { max: 500 }) : "something else than an error was thrown"}`,
    "mend it, or take it out",
  );
