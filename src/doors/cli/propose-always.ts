import type { PersonsAnswer, Question } from "../../domain/question.ts";
import { visibleLine, visibleText } from "../../domain/visible.ts";
import type { Gate } from "../../wiring/gate.ts";
import { isYes } from "./is-yes.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Shows the rule that "always" would save, and asks the person at the terminal, if there is one.
 * Gives back how to save it; null = there is no such rule, or it is not wanted, and the person has been told.
 */
export async function proposeAlways(
  { shown, approvalId }: Pick<Question, "shown" | "approvalId">,
  kind: PersonsAnswer["kind"],
  gate: Pick<Gate, "always" | "actor">,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<(() => Promise<void>) | null> {
  const { err, paint } = terminal;
  const proposal = gate.always.propose(shown, kind);
  if (!proposal.ok) {
    err(`${paint("yellow", "not saved")} ${visibleLine(proposal.because)}\n`);
    if (proposal.hint) err(`  ${paint("cyan", "hint")} ${visibleLine(proposal.hint)}\n`);
    return null;
  }
  err(visibleText(proposal.text));
  if (terminal.isInteractive && !isYes(await terminal.question("save this rule? [y/N] ", signal))) return null;
  return async () => {
    const saved = await gate.always.save(proposal, { who: gate.actor, approvalId });
    if (saved.ok && saved.isInForce) err(`saved as \`${saved.ruleId}\`\n`);
    else if (saved.ok)
      err(`saved as \`${saved.ruleId}\`, ${paint("yellow", "not in force")}: the settings don't load\n`);
    else err(`${paint("red", "not saved")} ${visibleLine(saved.message)}\n`);
  };
}
