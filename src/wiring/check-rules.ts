import { type Config, loadConfig } from "../config/config.ts";
import { type ConfigProblem, FILE_START } from "../config/config-problem.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import type { ExampleResult } from "../rules/rule-examples.ts";
import type { LiveRules } from "./live-rules.ts";

/** Whether rules would load. Nothing comes into force by looking. */
export interface RulesCheck {
  readonly ok: boolean;
  /** Whether they are what judges now; null = they can't be. */
  readonly isInForce: boolean | null;
  /** Without the gate's own; null = they don't load. */
  readonly rules: number | null;
  readonly problems: readonly ConfigProblem[];
  readonly examples: readonly ExampleResult[];
}

/** The settings as they lie on the disk. */
export function checkOnDisk(live: LiveRules): RulesCheck {
  const read = live.read();
  if (read === null) return checked(live.config, live.config);
  switch (read.kind) {
    case "ready":
      return checked(read.config, live.config);
    case "invalid":
      return bad(read.problems);
    case "untrusted":
      return bad([problemOf(read.path, "the file was changed and not accepted yet", "`toolgate trust` accepts it")]);
    case "missing":
      return bad([problemOf(live.config.path ?? "toolgate.yaml", "the configuration is gone")]);
    default:
      return read satisfies never;
  }
}

/** Rules that somebody thinks of, as if they stood in the configuration in the place of its own. */
export function checkGiven(rules: readonly JsonValue[], { workspace, stateDir }: Config): RulesCheck {
  const value: JsonObject = { workspace, state: stateDir, rules };
  const loaded = loadConfig({ path: null, value, variables: {} });
  if (!loaded.ok) return { ...bad(loaded.problems), examples: loaded.examples };
  return { ...checked(loaded.config, null), examples: loaded.examples };
}

const checked = ({ rules, ownRules }: Config, inForce: Config | null): RulesCheck => ({
  ok: true,
  isInForce: inForce === null ? null : rules.hash === inForce.rules.hash,
  rules: rules.size - ownRules,
  problems: [],
  examples: [],
});

const bad = (problems: readonly ConfigProblem[]): RulesCheck => ({
  ok: false,
  isInForce: false,
  rules: null,
  problems,
  examples: [],
});

const problemOf = (file: string, message: string, hint?: string): ConfigProblem => ({
  ...FILE_START,
  file,
  message,
  ...(hint !== undefined && { hint }),
});
