import { visibleJson } from "../../domain/visible.ts";
import { explainedAtTheDoor } from "../../wiring/refused-at-the-door.ts";
import type { Command } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { jsonInput } from "./json-input.ts";
import { ownSession } from "./own-session.ts";
import { explanationText } from "./show-explanation.ts";
import { showRefusal } from "./show-refusal.ts";
import { toolAndJson } from "./tool-and-json.ts";
import { withGate } from "./with-gate.ts";

export const explain: Command = {
  name: "explain",
  usage: "explain TOOL [JSON or -]",
  summary: "show what a call would touch and how your rules judge it",
  details:
    "Nothing is run and nothing is written.\n" +
    "Exit code: 0 whatever the decision, 2 not understood, 3 where the settings don't load or the token is not good.",
  examples: [
    `toolgate explain write_file '{"path":"a.txt","content":"x"}'`,
    `toolgate explain read_file '{"path":"/etc/passwd"}' --json`,
  ],
  flags: {},
  takes: "tool",
  agents: "all",
  refused: async (refusal, { flags, terminal }) => {
    // The refusal that any command has, and what that means for the call.
    const told = { kind: "refused", refusal, ...explainedAtTheDoor(refusal) };
    if (flags["json"]) terminal.out(`${visibleJson(told)}\n`);
    else showRefusal(refusal, flags, terminal);
    return OUTCOME_EXIT.refused;
  },
  run: async (invocation) => {
    const [tool, json] = toolAndJson(invocation);
    const input = await jsonInput(json, invocation);
    return withGate(invocation, undefined, async (gate) => {
      const own = await ownSession(gate, invocation);
      if ("refusal" in own) return await invocation.refuse(own.refusal);
      const explanation = await gate.explain({ tool, input, ...own });
      const { terminal, flags } = invocation;
      terminal.out(
        flags["json"]
          ? `${visibleJson(explanation)}\n`
          : explanationText(gate.toolName(tool), explanation, terminal.outPaint),
      );
      return EXIT.ok;
    });
  },
};
