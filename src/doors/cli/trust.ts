import { visibleJson, visibleLine, visibleText } from "../../domain/visible.ts";
import { acceptConfig, readSettings, type Settings } from "../../wiring/settings.ts";
import { type Command, type Invocation, noWords, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { isYes } from "./is-yes.ts";
import { refuseAll, settingsFlags } from "./with-gate.ts";

export const trust: Command = {
  name: "trust",
  usage: "trust",
  summary: "read the toolgate.yaml found here and accept its present content",
  details:
    "A toolgate.yaml that came with a workspace could allow anything, so it takes effect only once a person has\n" +
    "accepted it. What is accepted is this content: after a change it has to be accepted again.",
  examples: ["toolgate trust", "toolgate trust --yes"],
  flags: {
    yes: { type: "boolean", means: "accept without being asked; for scripts that have checked the file themselves" },
  },
  run: async (invocation) => {
    const { words, flags, terminal, environment } = invocation;
    noWords(words);
    let settings = read(invocation);
    if (settings.kind === "missing")
      throw new UsageError("there is no `toolgate.yaml` here or in a folder above", "`toolgate init` writes one");
    // What answers of "always" have added is accepted by itself: then there are two of them.
    for (let last = ""; settings.kind === "untrusted" && settings.path !== last; settings = read(invocation)) {
      last = settings.path;
      terminal.err(`${visibleText(settings.text)}\n`);
      if (!flags["yes"]) {
        if (!terminal.isInteractive) throw new UsageError("accepting needs a person at a terminal", "or say `--yes`");
        const answer = await terminal.question(`accept ${visibleLine(settings.path)} as it is now? [y/N] `);
        if (!isYes(answer)) {
          terminal.err("not accepted, so nothing is allowed here\n");
          return OUTCOME_EXIT.refused;
        }
      }
      const accepted = acceptConfig(settings, environment, Date.now());
      if (!accepted.ok) throw new UsageError(accepted.message, accepted.hint);
    }
    if (settings.kind !== "ready") return refuseAll(settings, invocation);
    terminal.out(flags["json"] ? `${visibleJson({ trusted: true })}\n` : "trusted\n");
    return EXIT.ok;
  },
};

const read = (invocation: Invocation): Settings => readSettings({ ...settingsFlags(invocation), naming: "finds" });
