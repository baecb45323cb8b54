import { visibleJson } from "../../domain/visible.ts";
import { isProfileName, PROFILES, writeDefaultConfig } from "../../wiring/settings.ts";
import { type Command, noWords, UsageError } from "./command.ts";
import { EXIT } from "./exit-codes.ts";

export const init: Command = {
  name: "init",
  usage: "init [--profile workspace | risk]",
  summary: "write a commented toolgate.yaml with safe rules, and trust it",
  details:
    "Never replaces a file. What it writes takes effect at once; after you change it, `toolgate trust` accepts it anew.\n" +
    "workspace  reading the workspace is allowed, writing is asked about\n" +
    "risk       each call is rated, commands too: LOW is allowed, MEDIUM and HIGH are asked about",
  examples: ["toolgate init", "toolgate init --profile risk"],
  flags: {
    profile: {
      type: "string",
      means: "which rules to begin with, workspace or risk; default: workspace",
      value: Object.keys(PROFILES),
    },
  },
  run: async ({ words, flags, terminal, cwd, environment }) => {
    noWords(words);
    const { config: configFlag, profile = "workspace" } = flags;
    if (typeof profile !== "string" || !isProfileName(profile))
      throw new UsageError(`\`${profile}\` is not a profile`, "it is workspace or risk");
    const written = writeDefaultConfig(
      { cwd, environment, ...(typeof configFlag === "string" && { configFlag }) },
      Date.now(),
      profile,
    );
    if (written.kind === "failed") throw new UsageError(written.message, written.hint);
    if (flags["json"]) terminal.out(`${visibleJson({ written: written.path })}\n`);
    else {
      terminal.out(`wrote ${written.path}: ${PROFILES[profile].says}\n`);
      terminal.err(`next: toolgate call read_file '{"path":"toolgate.yaml"}'\n`);
    }
    return EXIT.ok;
  },
};
