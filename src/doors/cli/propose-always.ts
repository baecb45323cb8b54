import type { PersonsAnswer, ShownPlan } from "../../domain/question.ts";
import { visibleLine, visibleText } from "../../domain/visible.ts";
import type { Gate } from "../../wiring/gate.ts";
import { isYes } from "./is-yes.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Shows the rule that "always" would save, and asks the person at the terminal, if there is one.
 * Gives back how to save it; null = there is no such rule, or it is not wanted, and the person has been told.
 */
export async function proposeAlways(
  question: ShownPlan,
  kind: PersonsAnswer["kind"],
  gate: Pick<Gate, "always">,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<(() => Promise<void>) | null> {
  const { err, paint } = terminal;
  const proposal = gate.always.propose(question, kind);
  if (!proposal.ok) {
    err(`${paint("yellow", "not saved")} ${visibleLine(proposal.because)}\n`);
    if (proposal.hint) err(`  ${paint("cyan", "hint")} ${visibleLine(proposal.hint)}\n`);
    return null;
  }
  err(visibleText(proposal.text));
  if (terminal.isInteractive && !isYes(await terminal.question("save this rule? [y/N] ", signal))) return null;
  return async () => {
    const saved = await gate.always.save(proposal.rule);
    if (saved.ok) err(`saved as \`${proposal.rule.id}\`\n`);
    else err(`${paint("red", "not saved")} ${visibleLine(saved.message)}\n`);
  };
}
