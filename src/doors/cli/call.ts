import type { Gate } from "../../wiring/gate.ts";
import { type Command, UsageError } from "./command.ts";
import { OUTCOME_EXIT } from "./exit-codes.ts";
import { interruptible } from "./interruptible.ts";
import { jsonInput } from "./json-input.ts";
import { ownSession } from "./own-session.ts";
import { refusedCalls } from "./refused-calls.ts";
import { forPeople } from "./refused-to-agent.ts";
import { showOutcome } from "./show-outcome.ts";
import { showRefusal } from "./show-refusal.ts";
import { terminalApprover, yesApprover } from "./terminal-approver.ts";
import { toolAndJson } from "./tool-and-json.ts";
import { withGate } from "./with-gate.ts";

export const call: Command = {
  name: "call",
  usage: "call TOOL [JSON or -] [--no-wait] [--yes] [--key KEY]",
  summary: "make one governed call",
  details:
    "The call is checked, planned, judged by your rules, asked about where a rule says so, run, and recorded.\n" +
    "A question is asked in the terminal; without one, it waits for `toolgate approvals` until its deadline.\n" +
    "With a token in TOOLGATE_TOKEN the call is made in that session, and its lease binds it; a question is then for others\n" +
    "to answer, and `--yes` is refused.\n" +
    "Exit code: 0 completed, 1 failed, 2 not understood, 3 refused, 4 pending, 5 outcome unknown.",
  examples: [
    `toolgate call read_file '{"path":"README.md"}'`,
    `toolgate call write_file '{"path":"notes.txt","content":"hello"}' --yes`,
    `echo '{"path":"README.md"}' | toolgate call read_file - --json`,
  ],
  flags: {
    "no-wait": { type: "boolean", means: "don't wait for an answer: the call runs when somebody approves it" },
    key: { type: "string", means: "a name for this call: made again under it, it is not made twice but told again" },
    yes: { type: "boolean", means: "answer a question with yes; never changes a deny" },
  },
  takes: "tool",
  agents: "all",
  refused: async (refusal, { words: [tool = ""], flags, terminal }) => {
    if (flags["json"]) showOutcome(refusedCalls(refusal)(tool), flags, terminal);
    else showRefusal(refusal, flags, terminal);
    return OUTCOME_EXIT.refused;
  },
  run: async (invocation) => {
    const [tool, json] = toolAndJson(invocation);
    const input = await jsonInput(json, invocation);
    const { flags, terminal } = invocation;
    const { key } = flags;
    if (key === "") throw new UsageError("the key is empty", "name the call with `--key`, or leave it out");
    const { token } = invocation.environment;
    if (token !== null && flags["yes"]) return await invocation.refuse(forPeople("`--yes`"));
    // An agent is told where its question waits, and is not asked for the answer.
    const asked = token === null ? terminal : { ...terminal, isInteractive: false };
    const approver = (gate: () => Gate) => (flags["yes"] ? yesApprover(gate) : terminalApprover(asked, gate));
    // Who says `--yes` has answered already, so there is nothing to wait for.
    const whenAsked = flags["no-wait"] && !flags["yes"] ? "return" : "wait";
    return interruptible((signal) =>
      withGate(invocation, approver, async (gate) => {
        const own = await ownSession(gate, invocation);
        if ("refusal" in own) return await invocation.refuse(own.refusal);
        const named = typeof key === "string" ? { key } : {};
        const outcome = await gate.call({ tool, input, ...own, ...named }, { signal, whenAsked });
        showOutcome(outcome, flags, terminal);
        return OUTCOME_EXIT[outcome.kind];
      }),
    );
  },
};
