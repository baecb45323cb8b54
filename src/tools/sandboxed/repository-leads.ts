import type { TreeEntry } from "../../ports/trees.ts";

/*
 * Whoever may not write the configuration of a repository may not say either that it is elsewhere: by a `.git` that is a file, and
 * by `commondir` in any repository and in what it keeps of its worktrees (gitrepository-layout(5)). Git would obey it, and so would
 * that of the operator, outside of any sandbox.
 */

const OF_WORKTREE = /\/worktrees\/[^/]+\/commondir$/;

/** The configuration that an entry speaks about; null = it says nothing of that kind. */
export function saysWhereConfigIs(path: string, kind: TreeEntry["kind"]): string | null {
  if (kind === "directory") return null;
  if (path.endsWith("/.git")) return kind === "file" ? `${path}/config` : null;
  if (!path.endsWith("/commondir")) return null;
  const gitDir = path.replace(OF_WORKTREE, "/commondir").slice(0, -"/commondir".length);
  return gitDir.endsWith("/.git") ? `${gitDir}/config` : null;
}

/** What a repository has not said yet. Whether it is a whole one is no matter: a program could put the rest there. */
export function lacksLead(
  folder: string,
  names: ReadonlySet<string>,
): { readonly path: string; readonly config: string } | null {
  if (!folder.endsWith("/.git") || names.has("commondir")) return null;
  return { path: `${folder}/commondir`, config: `${folder}/config` };
}
