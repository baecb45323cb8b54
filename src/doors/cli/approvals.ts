import { visibleJson } from "../../domain/visible.ts";
import type { Gate } from "../../wiring/gate.ts";
import { answerCommand } from "./approvals-answer.ts";
import { watchCommand } from "./approvals-watch.ts";
import { type Command, CommandLineError, type Invocation, noOtherFlags, noWords } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { interruptible } from "./interruptible.ts";
import { knownQuestion } from "./known-question.ts";
import { questionJson } from "./question-json.ts";
import { questionLine, questionText } from "./show-question.ts";
import { withGate } from "./with-gate.ts";

type Subcommand = (gate: Gate, invocation: Invocation, signal: AbortSignal) => Promise<number>;

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  list,
  show,
  approve: answerCommand("approve"),
  reject: answerCommand("reject"),
  watch: watchCommand,
};

export const approvals: Command = {
  name: "approvals",
  usage: "approvals list | show ID | approve ID | reject ID | watch",
  summary: "see what waits for an answer, and answer it",
  details:
    "list        open questions, the oldest first\n" +
    "show ID     the whole plan that the question is about, and its answer if it has one\n" +
    "approve ID  shows the plan and says yes; a call that nobody waits for is then run here\n" +
    "reject ID   says no\n" +
    "watch       shows each question as it comes; in a terminal, asks for the answer\n" +
    "The first answer counts, from whichever door; later ones are told whose it was.\n" +
    "Exit code of approve and reject: 3 when the question is gone or was answered before; else that of the call.",
  examples: [
    "toolgate approvals",
    "toolgate approvals show approval_0192…",
    "toolgate approvals approve approval_0192…",
    'toolgate approvals reject approval_0192… --reason "not on a Friday"',
    "toolgate approvals watch",
  ],
  subcommands: Object.keys(SUBCOMMANDS),
  flags: {
    reason: { type: "string", of: ["approve", "reject"], means: "why, for the caller and the ledger" },
    always: {
      type: "boolean",
      of: ["approve", "reject"],
      means: "also save the narrowest rule that answers this from now on",
    },
  },
  run: async (invocation) => {
    const [name = "list", ...words] = invocation.words;
    const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
    if (!subcommand)
      throw new CommandLineError(`\`approvals ${name}\` does not exist`, "it is list, show, approve, reject or watch");
    noWords(name === "list" || name === "watch" ? words : words.slice(1));
    noOtherFlags(approvals, name, invocation.flags);
    return interruptible((signal) =>
      withGate(invocation, undefined, (gate) => subcommand(gate, { ...invocation, words }, signal)),
    );
  },
};

async function list(gate: Gate, { flags, terminal }: Invocation): Promise<number> {
  let after: string | undefined;
  let shown = 0;
  for (;;) {
    const page = await gate.approvals.list(after === undefined ? {} : { after });
    for (const question of page)
      terminal.out(flags["json"] ? `${visibleJson(questionJson(question))}\n` : `${questionLine(question)}\n`);
    shown += page.length;
    after = page.at(-1)?.approvalId;
    if (after === undefined) break;
  }
  if (shown === 0) terminal.err("nothing waits for an answer\n");
  return EXIT.ok;
}

async function show(gate: Gate, invocation: Invocation): Promise<number> {
  const { flags, terminal } = invocation;
  const question = await knownQuestion(gate, invocation);
  if (question === null) return OUTCOME_EXIT.refused;
  if (flags["json"]) terminal.out(`${visibleJson(questionJson(question))}\n`);
  else terminal.out(`${questionLine(question)}\n${questionText(question.shown, { paint: terminal.outPaint })}`);
  return EXIT.ok;
}
