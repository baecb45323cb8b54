import { type Command, type FlagHelp, flagMeans, GLOBAL_FLAGS } from "./command.ts";

/** fish does not expand what a command substitution gives back. */
const TOOLS = '(command toolgate tools --names 2>/dev/null | string match -r "^[A-Za-z0-9_.-]+$")';

export const fishCompletion = (commands: readonly Command[]): string =>
  [
    "# fish completion of toolgate",
    "complete -c toolgate -f",
    ...commands.map(
      ({ name, summary }) => `complete -c toolgate -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap(linesOf),
    "",
  ].join("\n");

function linesOf({ name, flags, subcommands, takes }: Command): readonly string[] {
  const here = `complete -c toolgate -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  return [
    ...(subcommands ? [`${here} -a ${quoted(subcommands.join(" "))}`] : []),
    ...(takes === "tool" ? [`${here} -a ${quoted(TOOLS)}`] : []),
    ...(takes === "file" ? [`${here} -F`] : []),
    ...Object.entries({ ...flags, ...GLOBAL_FLAGS }).map(
      ([flag, help]) => `${here} -l ${flag}${valueWords(help)} -d ${quoted(flagMeans(help))}`,
    ),
  ];
}

function valueWords({ type, value }: FlagHelp): string {
  if (type === "boolean") return "";
  if (value === "file") return " -r -F";
  if (value === "directory") return " -x -a '(__fish_complete_directories)'";
  return value === undefined ? " -x" : ` -x -a ${quoted(value.join(" "))}`;
}

/** In single quotes fish knows two escapes, and nothing else. */
const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
