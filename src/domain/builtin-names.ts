/** The sets of tools that the gate brings along, as the configuration names them. */
export type BuiltinSet = "files" | "shell" | "git" | "web" | "artifacts" | "inference";

/** The names that the sets of built-in tools take: no other tool may have one of those that are there. */
export const BUILTIN_NAMES: Readonly<Record<BuiltinSet, readonly string[]>> = {
  files: [
    ...["read_file", "write_file", "edit_file", "apply_patch"],
    ...["list_directory", "search_files", "delete_file"],
  ],
  shell: ["run_command", "execute_command"],
  git: ["git"],
  web: ["web_request", "web_search"],
  inference: ["infer"],
  artifacts: ["publish_artifact", "fetch_artifact"],
};

/** What else the configuration has to say. */
const ASKED: Readonly<Record<string, string | undefined>> = {
  web_search: "tools.web.search",
  infer: "tools.inference.providers",
};

/** Whoever calls a tool that the gate has and that is not switched on would look for it in vain. Null: it has none. */
export function howToSwitchOn(name: string): string | null {
  const [set] = (Object.keys(BUILTIN_NAMES) as BuiltinSet[]).filter((one) => BUILTIN_NAMES[one].includes(name));
  if (set === undefined) return null;
  const more = ASKED[name] === undefined ? "" : `, and \`${ASKED[name]}\` says who is asked`;
  return `it is there once \`tools.builtin\` of the configuration has \`${set}\`${more}`;
}
