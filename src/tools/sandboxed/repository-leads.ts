import type { TreeEntry } from "../../ports/trees.ts";

/*
 * Whoever may not write the configuration of a repository may not say either that it is elsewhere: by a `.git` that is a file, and
 * by `commondir` in any repository and in what it keeps of its worktrees; nor write what it keeps of a worktree's own configuration
 * (gitrepository-layout(5)). Git would obey it, and so would that of the operator, outside of any sandbox.
 */

/** The repository, what it keeps of a worktree, and a file there. */
const IN_REPOSITORY = /^(.*\/\.git)(\/worktrees\/[^/]+)?\/(commondir|config\.worktree)$/s;

/** The configuration that an entry speaks about; null = it says nothing of that kind. */
export function saysWhereConfigIs(path: string, kind: TreeEntry["kind"]): string | null {
  if (kind === "directory") return null;
  if (path.endsWith("/.git")) return kind === "file" ? `${path}/config` : null;
  const [, gitDir, , name] = IN_REPOSITORY.exec(path) ?? [];
  if (gitDir === undefined) return null;
  return `${gitDir}/${name === "commondir" ? "config" : name}`;
}

/** What a repository has not said yet. Whether it is a whole one is no matter: a program could put the rest there. */
export function lacksLead(
  folder: string,
  names: ReadonlySet<string>,
): { readonly path: string; readonly config: string } | null {
  const name = folder.endsWith("/.git") ? "commondir" : "config.worktree";
  const path = `${folder}/${name}`;
  const config = names.has(name) ? null : saysWhereConfigIs(path, "file");
  return config === null ? null : { path, config };
}
