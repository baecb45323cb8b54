import { type Command, type FlagHelp, GLOBAL_FLAGS } from "./command.ts";

/**
 * For bash 4 and up. Names of tools may come from anywhere, so none of them is ever expanded: `compgen -W` would run
 * what stands in `$( )`.
 */
export const bashCompletion = (commands: readonly Command[]): string => `# bash completion of toolgate
_toolgate_among() {
  local word
  for word in "\${@:2}"; do [[ $word == "$1"* ]] && COMPREPLY+=("$word"); done
}

_toolgate_paths() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

_toolgate_tools() {
  local name
  while IFS= read -r name; do
    [[ $name =~ ^[A-Za-z0-9_.-]+$ && $name == "$1"* ]] && COMPREPLY+=("$name")
  done < <(command toolgate tools --names 2>/dev/null)
}

_toolgate() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} given=0 at first=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _toolgate_among "$cur" ${commands.map(({ name }) => name).join(" ")} help
    return
  fi
  case "\${COMP_WORDS[1]} $prev" in
${commands.flatMap(flagValues).join("\n")}
  esac
  for ((at = 2; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[1]} \${COMP_WORDS[at]}" in
${commands.flatMap(valueFlags).join("\n")}
      *" -"?*) ;;
      *) ((given += 1)); first=\${first:-\${COMP_WORDS[at]}} ;;
    esac
  done
  case "\${COMP_WORDS[1]}" in
${commands.map(wordsOf).join("\n")}
    help) ((given == 0)) && _toolgate_among "$cur" ${commands.map(({ name }) => name).join(" ")} ;;
  esac
}

complete -F _toolgate toolgate
`;

const flagsOf = ({ flags }: Command): readonly (readonly [string, FlagHelp])[] =>
  Object.entries({ ...flags, ...GLOBAL_FLAGS });

/** What may stand behind an option that takes a value. */
const flagValues = (command: Command): readonly string[] =>
  flagsOf(command)
    .filter(([, { type }]) => type === "string")
    .map(([flag, { value }]) => `    "${command.name} --${flag}") ${valueWords(value)} ;;`);

function valueWords(value: FlagHelp["value"]): string {
  if (value === "file") return '_toolgate_paths -f "$cur"; return';
  if (value === "directory") return '_toolgate_paths -d "$cur"; return';
  return value === undefined ? "return" : `_toolgate_among "$cur" ${value.join(" ")}; return`;
}

/** Options whose value is the next word, so that it is not counted as one of the command's. */
const valueFlags = (command: Command): readonly string[] =>
  flagsOf(command)
    .filter(([, { type }]) => type === "string")
    .map(([flag]) => `      "${command.name} --${flag}") ((at += 1)) ;;`);

function wordsOf(command: Command): string {
  const { name, subcommands, takes } = command;
  const first = [
    ...(subcommands ? [`_toolgate_among "$cur" ${subcommands.join(" ")}`] : []),
    ...(takes === "tool" ? ['_toolgate_tools "$cur"'] : []),
    ...(takes === "file" ? ['_toolgate_paths -f "$cur"'] : []),
  ];
  const words = first.length > 0 ? `elif ((given == 0)); then ${first.join("; ")}; ` : "";
  return `    ${name}) if [[ $cur == -* ]]; then ${optionsOf(command)}; ${words}fi ;;`;
}

/** Behind a subcommand those that it takes: the others would be refused. Before one is written, all. */
function optionsOf(command: Command): string {
  const among = (flags: readonly (readonly [string, FlagHelp])[]) =>
    `_toolgate_among "$cur" ${flags.map(([flag]) => `--${flag}`).join(" ")}`;
  const all = flagsOf(command);
  const cases = (command.subcommands ?? []).map((name) => {
    const taken = all.filter(([, { of }]) => of === undefined || of.includes(name));
    return `${name}) ${among(taken)} ;;`;
  });
  return cases.length === 0 ? among(all) : `case $first in ${cases.join(" ")} *) ${among(all)} ;; esac`;
}
