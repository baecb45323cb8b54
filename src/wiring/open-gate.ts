import { loadConfig } from "../config/config.ts";
import type { ConfigProblem } from "../config/config-problem.ts";
import { buildGate, type GateOptions } from "./build-gate.ts";
import type { Gate } from "./gate.ts";

export interface OpenGateOptions extends Omit<GateOptions, "config"> {
  /** The path of a `toolgate.yaml`. Naming it is trusting it. */
  readonly config: string;
  /** Another workspace than the config's. */
  readonly workspace?: string;
}

/** A config that does not load: no gate, and every problem with its place. */
export class ConfigError extends Error {
  readonly code = "CONFIG_INVALID";
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join("\n"));
    this.problems = problems;
  }
}

/** The library's way in. */
export async function openGate({ config, workspace, ...options }: OpenGateOptions): Promise<Gate> {
  const loaded = loadConfig({ path: config, ...(workspace !== undefined && { workspaceOverride: workspace }) });
  if (!loaded.ok) throw new ConfigError(loaded.problems);
  return buildGate({ config: loaded.config, ...options });
}
