import type { Outcome } from "../../src/domain/outcome.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { type GateParts, openScratchGate, type ScratchGate } from "./scratch-gate.ts";

/** Every command, with the workspace writable. */
export const RUN_ALL: readonly RuleSource[] = [
  {
    id: "run-all",
    effect: "allow",
    touch: { exec: ["**"], git: ["*"], read: ["/**"], write: ["/**"], unknown: true },
    dynamic: true,
    grant: { write: ["./**"] },
  },
];

/** Every command, and nothing granted. */
export const RUN_ONLY: readonly RuleSource[] = RUN_ALL.map(({ grant: _, ...rule }) => rule);

export interface RunningGate extends ScratchGate {
  readonly run: (command: string, more?: object) => Promise<Outcome>;
}

/** A gate that runs commands. */
export function openRunningGate(rules: readonly RuleSource[] = RUN_ALL, parts: GateParts = {}): RunningGate {
  const config = { tools: { builtin: ["files", "shell", "git"] }, ...parts.config };
  const scratch = openScratchGate({ ...parts, rules, config });
  const run = (command: string, more: object = {}) =>
    scratch.gate.call({ tool: "run_command", input: { command, ...more } });
  return Object.assign(scratch, { run });
}

/** All that was printed. */
export const printed = (outcome: Outcome): string =>
  "content" in outcome ? outcome.content.map((item) => ("text" in item ? (item.text ?? "") : "")).join("") : "";
