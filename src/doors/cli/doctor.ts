import { visibleJson, visibleLine } from "../../domain/visible.ts";
import { type Examined, examine } from "../../wiring/doctor.ts";
import { readSettings } from "../../wiring/settings.ts";
import { type Command, noWords } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import type { Terminal } from "./terminal.ts";
import { refuseAll, settingsFlags } from "./with-gate.ts";

export const doctor: Command = {
  name: "doctor",
  usage: "doctor",
  summary: "try what the sandbox of this machine really prevents",
  details:
    "Starts programs in the sandbox that try to get out: read a secret, write outside, reach the network, see other\n" +
    "processes, gain privileges, outlive their call. Exits with 0 when the minimum of the configuration holds.",
  examples: ["toolgate doctor", "toolgate doctor --json"],
  flags: {},
  agents: "all",
  run: async (invocation) => {
    const { words, flags, terminal, environment } = invocation;
    noWords(words);
    const settings = readSettings(settingsFlags(invocation));
    if (settings.kind !== "ready") return refuseAll(settings, invocation);
    const examined = await examine(settings.config, environment);
    if (flags["json"]) terminal.out(`${visibleJson({ ...examined })}\n`);
    else show(examined, terminal);
    return examined.isMet ? EXIT.ok : OUTCOME_EXIT.failed;
  },
};

function show({ minimum, containedTools, isMet, report, canaries, weaker, fault }: Examined, terminal: Terminal): void {
  const { backend, user, tasks, memory } = report;
  terminal.out(`sandbox ${backend}, user ${user}, tasks by ${tasks}, memory by ${memory}; wanted: ${minimum}\n`);
  if (containedTools.length > 0) terminal.out(`wanted for ${visibleLine(containedTools.join(", "))}: namespaces\n`);
  if (fault !== null) {
    terminal.out(`${terminal.paint("red", "no program can be started")}: ${visibleLine(fault.message)}\n`);
    if (fault.hint !== undefined) terminal.out(`  ${visibleLine(fault.hint)}\n`);
  }
  for (const { name, held, fix } of canaries) {
    terminal.out(`${held ? terminal.paint("green", "held  ") : terminal.paint("red", "escaped")} ${name}\n`);
    if (!held) terminal.out(`        ${fix}\n`);
  }
  for (const words of weaker)
    terminal.out(`${terminal.paint(minimum === "groups" ? "red" : "yellow", "weaker")} ${words}\n`);
  const held = canaries.filter((canary) => canary.held).length;
  terminal.out(
    `${held} of ${canaries.length} held; ${isMet ? "what is wanted holds" : "what is wanted does not hold"}\n`,
  );
}
