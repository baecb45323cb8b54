import { setTimeout } from "node:timers/promises";
import { visibleJson } from "../../domain/visible.ts";
import type { Gate } from "../../wiring/gate.ts";
import { give } from "./approvals-answer.ts";
import type { Invocation } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { questionJson } from "./question-json.ts";
import { questionLine } from "./show-question.ts";
import { terminalApprover } from "./terminal-approver.ts";

const LOOK_EVERY_MS = 200;

/** `approvals watch`: shows each question once; where there is a person, asks them. Ends with Ctrl-C. */
export async function watchCommand(gate: Gate, invocation: Invocation, signal: AbortSignal): Promise<number> {
  const { flags, terminal } = invocation;
  const seen = new Set<string>();
  if (!flags["json"]) terminal.err("waiting for questions; Ctrl-C ends\n");
  while (!signal.aborted && terminal.isOutOpen()) {
    for (const question of await gate.approvals.list()) {
      if (seen.has(question.approvalId) || signal.aborted) continue;
      seen.add(question.approvalId);
      if (flags["json"]) {
        terminal.out(`${visibleJson(questionJson(question))}\n`);
        continue;
      }
      terminal.out(`${questionLine(question)}\n`);
      // Nobody else ends the asking here: what has expired would stand in the way of the next question.
      const left = AbortSignal.timeout(Math.max(0, question.deadlineMs - Date.now()));
      const until = AbortSignal.any([signal, left]);
      const answer = await terminalApprover(terminal, () => gate).ask(question.shown, question, until);
      const save = async () => void (await answer?.onCounted?.());
      if (answer !== null) await give(gate, question, { kind: answer.kind, save }, invocation, signal);
    }
    await setTimeout(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
  return EXIT.ok;
}
