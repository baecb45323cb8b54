import { type Command, type FlagHelp, flagMeans, GLOBAL_FLAGS } from "./command.ts";

/** Names of tools are handed over as words of an array, which zsh does not expand again. */
export const zshCompletion = (commands: readonly Command[]): string => `#compdef toolgate

_toolgate_tools() {
  local -a names
  names=(\${(M)\${(f)"$(command toolgate tools --names 2>/dev/null)"}:#[A-Za-z0-9_.-]##})
  compadd -a names
}

_toolgate() {
  setopt localoptions extendedglob
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(":", "\\:")}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands.map(caseOf).join("\n")}
    help) _describe -t commands command commands ;;
  esac
}

if [[ $funcstack[1] == _toolgate ]]; then _toolgate "$@"; else compdef _toolgate toolgate; fi
`;

function caseOf({ name, flags, subcommands, takes }: Command): string {
  const first = subcommands ? `1:command:(${subcommands.join(" ")})` : WORDS[takes ?? "nothing"];
  const specs = [...Object.entries({ ...flags, ...GLOBAL_FLAGS }).map(flagSpec), ...(first ? [first] : [])];
  return `    ${name})\n      _arguments -S \\\n${specs.map((spec) => `        ${quoted(spec)}`).join(" \\\n")}\n      ;;`;
}

const WORDS = { tool: "1:tool:_toolgate_tools", file: "1:file:_files", nothing: null } as const;

function flagSpec([flag, help]: [string, FlagHelp]): string {
  const { type, value } = help;
  const text = `[${flagMeans(help).replace(/[[\]:\\]/g, "\\$&")}]`;
  return type === "boolean" ? `--${flag}${text}` : `--${flag}=${text}:${flag}:${valueSpec(value)}`;
}

function valueSpec(value: FlagHelp["value"]): string {
  if (value === "file") return "_files";
  if (value === "directory") return "_files -/";
  return value === undefined ? " " : `(${value.join(" ")})`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
