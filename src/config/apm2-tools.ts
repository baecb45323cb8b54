import { GIT_OPERATIONS, type GitOperation } from "../domain/git-operations.ts";

/** What a tool of an APM2 policy is here. */
export interface Apm2Tool {
  readonly name: string;
  readonly tools: readonly string[];
  readonly git?: GitOperation;
}

/** The seed's names, and ours. */
export const APM2_TOOLS: readonly Apm2Tool[] = [
  { name: "fs.read", tools: ["read_file"] },
  { name: "fs.write", tools: ["write_file"] },
  { name: "fs.edit", tools: ["edit_file", "apply_patch"] },
  { name: "fs.list_files", tools: ["list_directory"] },
  { name: "fs.search", tools: ["search_files"] },
  { name: "shell.exec", tools: ["run_command", "execute_command"] },
  { name: "inference", tools: ["infer"] },
  { name: "artifact.publish", tools: ["publish_artifact"] },
  { name: "artifact.fetch", tools: ["fetch_artifact"] },
  ...GIT_OPERATIONS.map((git) => ({ name: `git.${git.toLowerCase()}`, tools: ["git"], git })),
];

/** `*` is every tool, `fs.*` is `fs` and all below it, `x*` is every name that begins so; else a name. */
export function isApm2Tool(pattern: string, name: string): boolean {
  if (pattern === "*") return true;
  if (pattern.endsWith(".*")) return name === pattern.slice(0, -2) || name.startsWith(pattern.slice(0, -1));
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
