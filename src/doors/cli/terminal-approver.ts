import type { PersonsAnswer } from "../../domain/question.ts";
import { visibleLine } from "../../domain/visible.ts";
import type { Approver } from "../../wiring/build-gate.ts";
import type { Gate } from "../../wiring/gate.ts";
import { proposeAlways } from "./propose-always.ts";
import { questionText } from "./show-question.ts";
import type { Terminal } from "./terminal.ts";

/** `--yes`: the person who typed it has answered already. It answers questions; a deny never becomes one. */
export const yesApprover = (gate: () => Pick<Gate, "actor">): Approver => ({
  ask: async () => ({ kind: "approve", who: gate().actor, reason: "--yes" }),
});

interface Typed {
  readonly kind: PersonsAnswer["kind"];
  readonly always: boolean;
}

const YES: Typed = { kind: "approve", always: false };
const NO: Typed = { kind: "reject", always: false };

/** Only a clear yes is one. Return alone is the no that the prompt offers. */
const ANSWERS: ReadonlyMap<string, Typed> = new Map([
  ["y", YES],
  ["yes", YES],
  ["n", NO],
  ["no", NO],
  ["", NO],
  ["always", { kind: "approve", always: true }],
  ["never", { kind: "reject", always: true }],
]);

const PROMPT = "run it? [y]es, [N]o, always, never: ";
const UNDERSTOOD = "is not understood: type yes, no, always or never";
const SHOWN_LENGTH_MAX = 40;

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
      const typed = await typedAnswer(terminal, signal);
      if (typed === null) {
        terminal.err(
          signal.aborted ? "\nno longer asked here\n" : "\nwaiting for an answer elsewhere; Ctrl-C cancels\n",
        );
        return null;
      }
      const { kind, always } = typed;
      const save = always ? await proposeAlways({ shown, approvalId }, kind, gate(), terminal, signal) : null;
      return { kind, who: gate().actor, ...(save && { onCounted: save }) };
    },
  };
}

/** A word that means nothing is neither a yes nor a no: a slip must not cost the call. Null: nobody answers here any more. */
async function typedAnswer(terminal: Terminal, signal: AbortSignal): Promise<Typed | null> {
  for (;;) {
    const typed = await terminal.question(PROMPT, signal);
    if (typed === null) return null;
    const answer = ANSWERS.get(typed.trim().toLowerCase());
    if (answer !== undefined) return answer;
    terminal.err(`\`${visibleLine(typed.trim().slice(0, SHOWN_LENGTH_MAX))}\` ${UNDERSTOOD}\n`);
  }
}
