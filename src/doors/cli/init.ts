import { visibleJson } from "../../domain/visible.ts";
import { writeDefaultConfig } from "../../wiring/settings.ts";
import { type Command, UsageError } from "./command.ts";
import { EXIT } from "./exit-codes.ts";

export const init: Command = {
  name: "init",
  usage: "init",
  summary: "write a commented toolgate.yaml with safe rules, and trust it",
  details:
    "Never replaces a file. What it writes takes effect at once; after you change it, `toolgate trust` accepts it anew.",
  examples: ["toolgate init"],
  flags: {},
  run: async ({ flags, terminal, cwd, environment }) => {
    const configFlag = flags["config"];
    const written = writeDefaultConfig(
      { cwd, environment, ...(typeof configFlag === "string" && { configFlag }) },
      Date.now(),
    );
    if (written.kind === "failed") throw new UsageError(written.message, written.hint);
    if (flags["json"]) terminal.out(`${visibleJson({ written: written.path })}\n`);
    else {
      terminal.out(
        `wrote ${written.path}: reading the workspace is allowed, writing is asked about, the rest is refused\n`,
      );
      terminal.err(`next: toolgate call read_file '{"path":"toolgate.yaml"}'\n`);
    }
    return EXIT.ok;
  },
};
