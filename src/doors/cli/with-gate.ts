import type { Refusal } from "../../domain/outcome.ts";
import { visibleLine } from "../../domain/visible.ts";
import { type Approver, buildGate, type GateOptions } from "../../wiring/build-gate.ts";
import { faultText } from "../../wiring/fault-log.ts";
import type { Gate } from "../../wiring/gate.ts";
import { readSettings, type Settings } from "../../wiring/settings.ts";
import type { Invocation } from "./command.ts";
import { UsageError } from "./command.ts";
import { ledgerRefusal } from "./ledger-refusal.ts";
import { ReportedFault } from "./reported-fault.ts";

/** Opens the gate that the command line means, and closes it again. Without usable settings there is none. */
export async function withGate(
  invocation: Invocation,
  approver: ((gate: () => Gate) => Approver) | undefined,
  use: (gate: Gate) => Promise<number>,
  more: Pick<GateOptions, "agents"> = {},
): Promise<number> {
  const { environment, terminal } = invocation;
  const reread = () => readSettings(settingsFlags(invocation));
  const settings = reread();
  if (settings.kind !== "ready") return refuseAll(settings, invocation);
  const alarm = (message: string) => terminal.err(`${terminal.paint("red", "alarm")} ${visibleLine(message)}\n`);
  const gate: Gate = buildGate({
    config: settings.config,
    reread,
    environment,
    alarm,
    onFault: (fault) => terminal.err(`${terminal.paint("red", "fault")} ${faultText(fault)}\n`),
    ...more,
    ...(approver && { approver: approver(() => gate) }),
  });
  try {
    return await use(gate);
  } catch (error) {
    const refusal = ledgerRefusal(error);
    if (refusal !== null) return await invocation.refuse(refusal);
    if (error instanceof UsageError) throw error;
    gate.faults.report(error, { stage: "door" });
    throw new ReportedFault();
  } finally {
    await gate.close();
  }
}

/** INVARIANT (an agent brings no rules): a config that a session's holder names takes effect only where a person trusts it. */
export function settingsFlags({ flags, cwd, environment }: Invocation) {
  const { config, workspace } = flags;
  return {
    cwd,
    environment,
    ...(environment.token !== null && { naming: "finds" as const }),
    ...(typeof config === "string" && { configFlag: config }),
    ...(typeof workspace === "string" && { workspaceFlag: workspace }),
  };
}

/** Any doubt about the settings means that nothing is allowed. */
export const refuseAll = (
  settings: Exclude<Settings, { kind: "ready" }>,
  { environment, refuse }: Invocation,
): Promise<number> => refuse(settingsRefusal(settings, environment));

function settingsRefusal(
  settings: Exclude<Settings, { kind: "ready" }>,
  { token }: Pick<Invocation["environment"], "token">,
): Refusal {
  switch (settings.kind) {
    case "missing":
      return {
        code: "CONFIG_INVALID",
        stage: "resolve",
        message: "there is no `toolgate.yaml` here or in a folder above, so nothing is allowed",
        hint: "`toolgate init` writes one with safe rules",
      };
    case "untrusted":
      return {
        code: "CONFIG_UNTRUSTED",
        stage: "resolve",
        message: `\`${settings.path}\` was found ${token === null ? "in the workspace" : "here"} and its present content was not accepted yet`,
        hint:
          token === null
            ? `read it, then accept it with \`toolgate trust\`${settings.is === "config" ? ", or name it with `--config`" : ""}`
            : "a person reads it and accepts it with `toolgate trust`; naming it in an agent's session is not enough",
      };
    case "invalid":
      return {
        code: "CONFIG_INVALID",
        stage: "resolve",
        message: "the configuration does not load, so nothing is allowed",
        hint: settings.problems.find(({ hint }) => hint !== undefined)?.hint ?? "correct the places named above",
        errors: settings.problems.map(({ file, line, column, message, hint }) => ({
          field: `${file}:${line}:${column}`,
          rule: "config",
          message: hint ? `${message} (${hint})` : message,
        })),
      };
    default:
      return settings satisfies never;
  }
}
