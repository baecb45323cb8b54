import { type ConfigProblem, FILE_START } from "../config/config-problem.ts";
import { buildGate, type GateOptions } from "./build-gate.ts";
import { environmentOfProcess } from "./environment.ts";
import type { Gate } from "./gate.ts";
import { readSettings, type Settings } from "./settings.ts";

export interface OpenGateOptions extends Omit<GateOptions, "config" | "reread" | "environment"> {
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
  const flags = {
    cwd: process.cwd(),
    environment: environmentOfProcess(),
    configFlag: config,
    ...(workspace !== undefined && { workspaceFlag: workspace }),
  };
  const reread = () => readSettings(flags);
  const settings = reread();
  if (settings.kind !== "ready") throw new ConfigError(problemsOf(settings, config));
  return buildGate({ config: settings.config, reread, environment: flags.environment, ...options });
}

function problemsOf(settings: Exclude<Settings, { kind: "ready" }>, config: string): readonly ConfigProblem[] {
  switch (settings.kind) {
    case "invalid":
      return settings.problems;
    case "untrusted":
      return [
        { file: settings.path, ...FILE_START, message: "was not accepted yet", hint: "`toolgate trust` shows it" },
      ];
    case "missing":
      return [{ file: config, ...FILE_START, message: "there is no such file" }];
    default:
      return settings satisfies never;
  }
}
