import type { Approver } from "../../wiring/build-gate.ts";
import { questionText } from "./show-question.ts";
import type { Terminal } from "./terminal.ts";

/** `--yes`: the person who typed it has answered already. It answers questions; a deny never becomes one. */
export const yesApprover: Approver = { ask: async () => ({ kind: "approve", who: "terminal --yes" }) };

/** Asks the person at the terminal, who sees all that would run. Another door may be faster. */
export function terminalApprover(terminal: Terminal): Approver {
  return {
    ask: async (question, _deadlineMs, signal) => {
      if (!terminal.isInteractive) return null;
      terminal.err(questionText(question, terminal));
      const answer = await terminal.question("run it? [y/N] ", signal);
      if (answer === null) {
        terminal.err(
          signal.aborted ? "\nno longer asked here\n" : "\nwaiting for an answer elsewhere; Ctrl-C cancels\n",
        );
        return null;
      }
      return /^y(es)?$/i.test(answer.trim())
        ? { kind: "approve", who: "terminal" }
        : { kind: "reject", who: "terminal" };
    },
  };
}
