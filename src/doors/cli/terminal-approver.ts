import type { PersonsAnswer } from "../../domain/question.ts";
import type { Approver } from "../../wiring/build-gate.ts";
import type { Gate } from "../../wiring/gate.ts";
import { proposeAlways } from "./propose-always.ts";
import { questionText } from "./show-question.ts";
import type { Terminal } from "./terminal.ts";

/** `--yes`: the person who typed it has answered already. It answers questions; a deny never becomes one. */
export const yesApprover = (gate: () => Pick<Gate, "actor">): Approver => ({
  ask: async () => ({ kind: "approve", who: gate().actor, reason: "--yes" }),
});

const ANSWERS: Readonly<Record<string, { readonly kind: PersonsAnswer["kind"]; readonly always: boolean }>> = {
  y: { kind: "approve", always: false },
  yes: { kind: "approve", always: false },
  always: { kind: "approve", always: true },
  never: { kind: "reject", always: true },
};

const PROMPT = "run it? [y]es, [N]o, always, never: ";

/** Asks the person at the terminal, who sees all that would run. Another door may be faster. */
export function terminalApprover(terminal: Terminal, gate: () => Pick<Gate, "always" | "actor">): Approver {
  return {
    ask: async (shown, { approvalId, deadlineMs }, signal) => {
      if (!terminal.isInteractive) {
        const until = new Date(deadlineMs).toISOString();
        terminal.err(`waiting until ${until} for \`toolgate approvals approve ${approvalId}\`\n`);
        return null;
      }
      terminal.err(questionText(shown, terminal));
      const typed = await terminal.question(PROMPT, signal);
      if (typed === null) {
        terminal.err(
          signal.aborted ? "\nno longer asked here\n" : "\nwaiting for an answer elsewhere; Ctrl-C cancels\n",
        );
        return null;
      }
      const word = typed.trim().toLowerCase();
      // Whatever is no clear yes is a no.
      const { kind, always } = Object.hasOwn(ANSWERS, word) && ANSWERS[word] ? ANSWERS[word] : NO;
      const save = always ? await proposeAlways({ shown, approvalId }, kind, gate(), terminal, signal) : null;
      return { kind, who: gate().actor, ...(save && { onCounted: save }) };
    },
  };
}

const NO = { kind: "reject", always: false } as const;
