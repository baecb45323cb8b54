import { type Command, type FlagHelp, flagMeans, GLOBAL_FLAGS } from "./command.ts";
import { COMMANDS } from "./commands.ts";

export const HELP = `toolgate: the gate that every tool call of an agent goes through

usage: toolgate COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`)
  .join("\n")}

  --config FILE   another configuration       --workspace DIR   another workspace
  --json          one line of JSON            --version         which one this is

Begin with \`toolgate init\`. \`toolgate COMMAND --help\` explains a command.
`;

export function commandHelp({ usage, summary, details, examples, flags }: Command): string {
  const list = (all: Readonly<Record<string, FlagHelp>>) =>
    Object.entries(all)
      .map(([name, help]) => `  --${`${name}${help.type === "string" ? " VALUE" : ""}`.padEnd(18)}${flagMeans(help)}\n`)
      .join("");
  const own = list(flags);
  return (
    `usage: toolgate ${usage}\n\n${summary}\n\n${details}\n\n${own ? `options\n${own}\n` : ""}` +
    `options of every command\n${list(GLOBAL_FLAGS)}\nexamples\n${examples.map((example) => `  ${example}\n`).join("")}`
  );
}
