import { type Command, type FlagHelp, flagMeans, GLOBAL_FLAGS } from "../../src/doors/cli/command.ts";
import { loadAll } from "../../src/doors/cli/commands.ts";
import { EXIT, OUTCOME_EXIT } from "../../src/doors/cli/exit-codes.ts";
import { code, GENERATED, table } from "./markdown.ts";

export async function cliReference(): Promise<string> {
  const commands = await loadAll();
  return `${GENERATED}

# The command line

Results go to stdout, messages to stderr. Colour, questions and progress are for terminals only. Every command takes:

${flagTable(GLOBAL_FLAGS)}

## Exit codes

${table(["exit code", "means"], exitRows())}

Some commands give them a narrower meaning, which their own section says.

${commands.map(section).join("\n")}`;
}

function section({ name, usage, summary, details, examples, flags }: Command): string {
  const own = Object.keys(flags).length > 0 ? `\n${flagTable(flags)}\n` : "";
  return `## ${name}

${code(`toolgate ${usage}`)}: ${summary}

\`\`\`text
${details}
\`\`\`
${own}
\`\`\`sh
${examples.join("\n")}
\`\`\`
`;
}

const flagTable = (flags: Readonly<Record<string, FlagHelp>>): string =>
  table(
    ["option", "means"],
    Object.entries(flags).map(([flag, help]) => [
      code(help.type === "string" ? `--${flag} VALUE` : `--${flag}`),
      flagMeans(help),
    ]),
  );

function exitRows(): readonly (readonly string[])[] {
  const words: Readonly<Record<string, number>> = { ...EXIT, ...OUTCOME_EXIT };
  const meanings: Readonly<Record<string, string>> = {
    ok: "done",
    completed: "the call completed",
    failed: "the call ran and failed, or something that was checked is bad",
    refused: "the call was refused, and nothing ran",
    pending: "the call waits for a person's answer",
    unknown: "the call was started and its end is not known",
    usage: "the command line was not understood",
    ledgerBroken: "the ledger is not what was written",
    fault: "a mistake of toolgate itself",
  };
  const byCode = Map.groupBy(Object.entries(words), ([, exit]) => exit);
  return [...byCode]
    .toSorted(([a], [b]) => a - b)
    .map(([exit, names]) => [String(exit), names.map(([word]) => meanings[word] ?? word).join("; ")]);
}
