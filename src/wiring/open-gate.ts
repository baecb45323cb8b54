import { loadConfig } from "../config/config.ts";
import { type ConfigProblem, FILE_START } from "../config/config-problem.ts";
import type { RawConfig } from "../config/config-shape.ts";
import { CONFIG_NAME } from "../config/find-config.ts";
import { openTrust } from "../config/trust.ts";
import type { JsonObject } from "../domain/json.ts";
import type { FunctionGovernor } from "../tools/governor/function-governor.ts";
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

/** What a `toolgate.yaml` says, from a program: `openGate({ tools: { atip: ["gh.json"] }, rules: […] })`. */
export interface InlineOptions
  extends Omit<RawConfig, "governors">,
    Omit<GateOptions, "config" | "reread" | "environment" | "tools" | "governors"> {
  readonly config?: never;
  /** The file that a config would name, or functions. */
  readonly governors?: string | readonly FunctionGovernor[];
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

/** The library's way in: with the path of a config, or with what would stand in one. */
export async function openGate(options: OpenGateOptions | InlineOptions): Promise<Gate> {
  return options.config === undefined ? openInline(options) : openNamed(options);
}

/** A program's own config is trusted as the program is. What "always" has left in its state directory is not part of it. */
function openInline({ approver, alarm, onFault, config: _, governors, ...settings }: InlineOptions): Gate {
  const environment = environmentOfProcess();
  const given = typeof governors === "string" ? { ...settings, governors } : settings;
  const functions = typeof governors === "string" ? [] : (governors ?? []);
  // A copy, as it would stand in a file: what the program changes later changes nothing here.
  const loaded = loadConfig({ path: null, value: JSON.parse(JSON.stringify(given)) as JsonObject });
  if (!loaded.ok) throw new ConfigError(loaded.problems);
  const { config } = loaded;
  const { always } = config;
  if (always !== null && !openTrust(environment).isTrusted(always.path, always.text))
    throw new ConfigError(
      problemsOf({ kind: "untrusted", path: always.path, text: always.text, is: "always" }, always.path),
    );
  const options = { config, environment, governors: functions };
  return buildGate({ ...options, ...(approver && { approver }), ...(alarm && { alarm }), ...(onFault && { onFault }) });
}

/** With the `toolgate.yaml` here or in a folder above. It was found and not named, so a person has to have accepted it. */
export const openFound = async (options: Omit<OpenGateOptions, "config">): Promise<Gate> => openNamed(options);

function openNamed({ config, workspace, ...options }: Partial<OpenGateOptions>): Gate {
  const flags = {
    cwd: process.cwd(),
    environment: environmentOfProcess(),
    ...(config !== undefined && { configFlag: config }),
    ...(workspace !== undefined && { workspaceFlag: workspace }),
  };
  const reread = () => readSettings(flags);
  const settings = reread();
  if (settings.kind !== "ready") throw new ConfigError(problemsOf(settings, config ?? CONFIG_NAME));
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
