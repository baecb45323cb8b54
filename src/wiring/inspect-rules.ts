import { loadConfig } from "../config/config.ts";
import type { ConfigProblem } from "../config/config-problem.ts";
import { findConfig } from "../config/find-config.ts";
import { openTrust } from "../config/trust.ts";
import type { TouchVerdict } from "../domain/call.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import { EVERYTHING } from "../domain/lease.ts";
import type { SandboxBackend } from "../domain/sandbox-report.ts";
import type { Touch, TouchKind } from "../domain/touch.ts";
import type { CoveringRule } from "../rules/covering-rules.ts";
import type { PatternError } from "../rules/pattern-error.ts";
import type { ExampleResult } from "../rules/rule-examples.ts";
import { TOUCH_WORDS, touchesFromWords } from "../rules/touches-from-words.ts";
import { type SettingsFlags, shownFrom } from "./settings.ts";

export type { CoveringRule, ExampleResult };
export { TOUCH_WORDS };

/** The rules of a config for people who write them: also of one that does not load, or is not trusted. */
export interface RulesInspection {
  readonly path: string;
  readonly isTrusted: boolean;
  readonly problems: readonly ConfigProblem[];
  /** No mistakes, but worth knowing. */
  readonly notes: readonly ConfigProblem[];
  readonly examples: readonly ExampleResult[];
  /** Null = the config does not load. */
  readonly inForce: RulesInForce | null;
}

export interface RulesInForce {
  readonly workspace: string;
  /** Without the gate's own. */
  readonly size: number;
  /** What the words touch, one by one: a command line may touch many things. */
  readonly explain: (words: string, tool?: string) => readonly ExplainedWords[] | PatternError;
}

export interface ExplainedWords {
  readonly verdict: TouchVerdict;
  readonly covering: readonly CoveringRule[];
}

/** Null = there is no config. Nothing is decided by what comes back, so nothing has to be trusted. */
export function inspectRules({ cwd, environment, configFlag, workspaceFlag }: SettingsFlags): RulesInspection | null {
  const found = configFlag ?? findConfig(cwd);
  if (found === null) return null;
  const path = shownFrom(cwd, found);
  const loaded = loadConfig({ path, ...(workspaceFlag !== undefined && { workspaceOverride: workspaceFlag }) });
  const { examples } = loaded;
  if (!loaded.ok) return { path, isTrusted: false, problems: loaded.problems, notes: [], examples, inForce: null };
  const { rules, text, workspace, ownRules, notes, sandboxMinimum } = loaded.config;
  const backend: SandboxBackend = sandboxMinimum === "none" ? "none" : "namespaces";
  const explain = (words: string, tool?: string): readonly ExplainedWords[] | PatternError => {
    const touches = touchesFromWords(words, workspace);
    if ("error" in touches) return touches;
    return touches.map((touch) => {
      const facts = { ...factsFor(touch, tool), ...(touch.kind === "exec" && { sandbox: backend }), touches } as const;
      return { verdict: rules.judge(touch, facts), covering: rules.covering(touch, facts) };
    });
  };
  const isTrusted = configFlag !== undefined || openTrust(environment).isTrusted(found, text);
  return {
    path,
    isTrusted,
    problems: [],
    notes,
    examples,
    inForce: { workspace, size: rules.size - ownRules, explain },
  };
}

const USUAL_TOOLS: Partial<Record<TouchKind, string>> = {
  read: "read_file",
  write: "write_file",
  delete: "delete_file",
  exec: "run_command",
  connect: "web_request",
};

/** As if a built-in tool did it, for this user, with no arguments. */
const factsFor = (touch: Touch, tool: string = USUAL_TOOLS[touch.kind] ?? "any"): CallFacts => ({
  tool,
  source: "builtin",
  containment: "process",
  touches: [touch],
  input: {},
  actor: "local",
  project: "default",
  session: { id: "none", project: "default", lease: EVERYTHING },
  nowMs: Date.now(),
});
