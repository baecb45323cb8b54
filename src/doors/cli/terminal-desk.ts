import type { JudgedCall } from "../../domain/call.ts";
import { touchInWords } from "../../domain/touch-in-words.ts";
import { visibleLine, visibleText } from "../../domain/visible.ts";
import type { Desk } from "../../wiring/build-gate.ts";
import type { Terminal } from "./terminal.ts";

/** `--yes`: the person who typed it has answered already. It answers questions; a deny never becomes one. */
export const yesDesk: Desk = { ask: async () => ({ kind: "approve", who: "terminal --yes" }) };

/** Asks the person at the terminal, who sees all that would run. */
export function terminalDesk(terminal: Terminal): Desk {
  if (!terminal.isInteractive) return { ask: async () => ({ kind: "nobody" }) };
  return {
    ask: async (call, deadlineMs, signal) => {
      terminal.err(questionText(call, terminal));
      const timeout = AbortSignal.timeout(Math.max(0, deadlineMs - Date.now()));
      const answer = await terminal.question("run it? [y/N] ", AbortSignal.any([signal, timeout]));
      if (timeout.aborted) return { kind: "expired" };
      if (answer === null) return { kind: "cancelled" };
      return /^y(es)?$/i.test(answer.trim())
        ? { kind: "approve", who: "terminal" }
        : { kind: "reject", who: "terminal" };
    },
  };
}

function questionText({ plan, verdict, seal }: JudgedCall, { paint }: Terminal): string {
  const asked = verdict.touches.filter(({ effect }) => effect === "ask");
  const because = [...new Set(asked.map(({ because }) => because))].filter((reason) => reason !== null);
  const lines = [
    `${paint("yellow", "question")} ${visibleLine(plan.tool)}  ${paint("bold", `rule ${verdict.ruleId}`)}  risk ${verdict.risk}`,
    ...Object.entries(plan.input).map(([name, value]) => `  ${paint("dim", visibleLine(name))} ${shown(value)}`),
    // Last, right above the answer: long arguments must not push it off the screen.
    ...plan.touches.map((touch) => `  ${paint("bold", visibleLine(touchInWords(touch, plan.workspace)))}`),
    ...because.map((reason) => `  ${visibleLine(reason)}`),
    paint("dim", `  plan ${seal.digest}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Whole, however long: what is not shown can't be approved. */
const shown = (value: unknown): string =>
  typeof value === "string" ? visibleText(value).replaceAll("\n", "\n    ") : visibleLine(JSON.stringify(value));
