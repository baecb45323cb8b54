import type { Question } from "../../domain/question.ts";
import type { Gate } from "../../wiring/gate.ts";
import { CommandLineError, type Invocation } from "./command.ts";
import { showRefusal } from "./show-refusal.ts";

/** The question that the first word names; null where there is none, and then the person has been told. */
export async function knownQuestion(gate: Gate, { words, flags, terminal }: Invocation): Promise<Question | null> {
  const [id] = words;
  if (id === undefined) throw new CommandLineError("no question is named", "`toolgate approvals` lists them");
  const question = await gate.approvals.find(id);
  if (question === null) {
    showRefusal(
      {
        code: "APPROVAL_UNKNOWN",
        stage: "approve",
        message: `there is no question \`${id}\``,
        hint: "`toolgate approvals` lists the open ones",
      },
      flags,
      terminal,
    );
  }
  return question;
}
