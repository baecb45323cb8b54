import type { BuiltinSet } from "./config-shape.ts";

/** The names that the sets of built-in tools take: no other tool may have one of those that are there. */
export const BUILTIN_NAMES: Readonly<Record<BuiltinSet, readonly string[]>> = {
  files: [
    ...["read_file", "write_file", "edit_file", "apply_patch"],
    ...["list_directory", "search_files", "delete_file"],
  ],
  shell: ["run_command", "execute_command"],
  git: ["git"],
  web: ["web_request", "web_search"],
};
