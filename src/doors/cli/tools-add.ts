import { visibleJson, visibleLine } from "../../domain/visible.ts";
import { acceptDescribed, describeProgram, type Proposal, saveDescribed } from "../../wiring/describe-program.ts";
import { readSettings } from "../../wiring/settings.ts";
import { CommandLineError, type Invocation, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { isYes } from "./is-yes.ts";
import type { Paint } from "./terminal.ts";
import { TRUSTS } from "./trusts.ts";
import { refuseAll, settingsFlags } from "./with-gate.ts";

/** Shows what a program says of itself and what that would add; adds it when a person wants it. */
export async function toolsAdd(invocation: Invocation, program: string | undefined): Promise<number> {
  const { flags, terminal, environment } = invocation;
  if (program === undefined) throw new CommandLineError("no program is named", "as `toolgate tools add gh`");
  const trust = trustFrom(flags["trust"]);
  const settings = readSettings(settingsFlags(invocation));
  if (settings.kind !== "ready") return refuseAll(settings, invocation);
  const { from } = flags;
  const described = await describeProgram({
    config: settings.config,
    environment,
    program,
    ...(typeof from === "string" && { from }),
    ...(trust !== null && { trust }),
  });
  if (!described.ok) throw new UsageError(described.message, described.hint);
  const { proposal } = described;
  if (!flags["json"]) terminal.err(shown(proposal, terminal.paint));
  if (!(await isWanted(invocation))) return told(proposal, "shown", invocation);
  const saved = saveDescribed(proposal);
  if (!saved.ok) throw new UsageError(saved.message, saved.hint);
  const now = readSettings({ ...settingsFlags(invocation), configFlag: proposal.config.path });
  if (now.kind !== "ready") return refuseAll(now, invocation);
  const accepted = acceptDescribed(now.config, environment, Date.now());
  if (!accepted.ok) throw new UsageError(accepted.message, accepted.hint);
  return told(proposal, "added", invocation);
}

function trustFrom(given: unknown): (typeof TRUSTS)[number] | null {
  if (given === undefined) return null;
  const known = TRUSTS.find((name) => name === given);
  if (known === undefined) throw new UsageError(`\`${given}\` is no trust`, `it is one of ${TRUSTS.join(", ")}`);
  return known;
}

async function isWanted({ flags, terminal }: Invocation): Promise<boolean> {
  if (flags["yes"]) return true;
  if (!terminal.isInteractive) return false;
  return isYes(await terminal.question("add this? [y/N] "));
}

function told(proposal: Proposal, what: "added" | "shown", { flags, terminal }: Invocation): number {
  const { program, path, sha256, trust, verification, commands, variables, entry, warnings } = proposal;
  if (flags["json"])
    terminal.out(
      `${visibleJson({ added: what === "added", program, path, sha256, trust, verification, commands, variables, entry, warnings })}\n`,
    );
  else if (what === "added") terminal.out(`added ${commands.all} tools of ${program}\n`);
  else terminal.err("nothing was written; `--yes` writes it\n");
  return what === "added" ? EXIT.ok : OUTCOME_EXIT.refused;
}

function shown(proposal: Proposal, paint: Paint): string {
  const { program, path, sha256, trust, verification, commands, variables, warnings, newFile, config } = proposal;
  const lines = [
    `${paint("bold", program)}  ${visibleLine(path)}`,
    `  SHA-256      ${sha256}`,
    `  trust        ${trust}, program ${verification}`,
    `  commands     ${commands.all}: ${commands.denied} denied and ${commands.asked} asked about, whatever your rules say`,
    ...(variables.length > 0
      ? [`  its keys     ${visibleLine(variables.join(", "))}: name them in \`env\` of the entry`]
      : []),
    ...warnings
      .slice(0, WARNINGS_SHOWN)
      .map((warning) => `  ${paint("yellow", "warning")}      ${visibleLine(warning)}`),
    ...(warnings.length > WARNINGS_SHOWN ? [`  and ${warnings.length - WARNINGS_SHOWN} more warnings`] : []),
    ...(newFile === null ? [] : [`${paint("bold", "writes")} ${visibleLine(newFile.path)}`]),
    `${paint("bold", "adds")} to ${visibleLine(config.path)}, tools.atip: ${visibleJson(proposal.entry)}`,
    `a rule has to let them run, such as:`,
    `  - { id: ${program}, effect: ask, tools: ["${program}", "${program}_*"] }`,
  ];
  return `${lines.join("\n")}\n`;
}

const WARNINGS_SHOWN = 5;
