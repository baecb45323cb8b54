import type { TreeEntry, Trees } from "../../ports/trees.ts";

/*
 * A program that may not write the configuration of a repository may not say either that it is elsewhere: by a `.git` that is a file, by
 * `commondir` in a repository or in its part for a worktree, or by a worktree's own configuration (gitrepository-layout(5)). Git obeys
 * all of them, also the operator's git outside of any sandbox.
 */

/** The repository, its part for a worktree, and a file there. */
const IN_REPOSITORY = /^(.*\/\.git)(\/worktrees\/[^/]+)?\/(commondir|config\.worktree)$/s;

/** The configuration that this file stands for, so that a rule about the one is a rule about the other. Null = it is no such file. */
export function ledToConfig(path: string, kind: TreeEntry["kind"]): string | null {
  if (kind === "directory") return null;
  if (path.endsWith("/.git")) return kind === "file" ? `${path}/config` : null;
  const [, gitDir, , name] = IN_REPOSITORY.exec(path) ?? [];
  if (gitDir === undefined) return null;
  return `${gitDir}/${name === "commondir" ? "config" : name}`;
}

const TEXT_BYTES_MAX = 64 * 1024;
const WORKTREE = /^gitdir: (\/[^\p{Cc}\uFFFD]*\/\.git)\/worktrees\/[^/\p{Cc}\uFFFD]+\n?$/u;
const WORKTREES_COMMON = /\/\.git\/worktrees\/[^/]+\/commondir$/;

/**
 * Whether a new file or folder is what git itself makes in a new repository or for a new worktree, and names no program: without
 * this, `git init`, `git clone` and `git worktree add` would leave something broken behind.
 */
export function isInertInRepository(
  { path, kind }: { readonly path: string; readonly kind: TreeEntry["kind"] },
  trees: Pick<Trees, "list" | "shortText">,
  isKnown: (path: string) => boolean,
): boolean {
  if (kind === "directory") return path.endsWith("/.git/hooks") && hasSamplesOnly(path, trees);
  if (kind !== "file") return false;
  const text = () => trees.shortText(path, TEXT_BYTES_MAX);
  if (path.endsWith("/.git")) {
    // A new worktree leads to a repository whose configuration no program could change.
    const repository = WORKTREE.exec(text() ?? "")?.[1];
    return repository !== undefined && isKnown(`${repository}/config`);
  }
  if (WORKTREES_COMMON.test(path)) return text() === "../..\n";
  return path.endsWith("/.git/config") && isInertConfig(text());
}

function hasSamplesOnly(folder: string, trees: Pick<Trees, "list">): boolean {
  const { content } = trees.list(folder);
  return typeof content !== "string" && content.every(({ name, kind }) => kind === "file" && name.endsWith(".sample"));
}

const SECTION = /^\[([a-z]+)(?: "[^"\\\p{Cc}]*")?\]$/u;
const SETTING = /^\t([a-z]+) = ([^"\\#;\p{Cc}]*)$/u;
const TRUTH = /^(?:true|false)$/;
const NAME = /^[\w./-]+$/;
/** An address of a kind that git needs no other program for than its own, and not an option (gitremote-helpers(7)). */
const ADDRESS = /^(?!-)(?!.*::)[^\s]+$/;

/** What `git init`, `git clone` and `git submodule` write themselves. */
const INERT: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  core: {
    repositoryformatversion: /^[01]$/,
    filemode: TRUTH,
    bare: /^false$/,
    logallrefupdates: TRUTH,
    ignorecase: TRUTH,
    precomposeunicode: TRUTH,
    symlinks: TRUTH,
  },
  remote: { url: ADDRESS, fetch: /^\+?[\w./*-]+:[\w./*-]+$/ },
  branch: { remote: NAME, merge: NAME, rebase: TRUTH },
  submodule: { active: TRUTH, url: ADDRESS },
  user: { name: /^/, email: /^/ },
};

/** In exactly the form in which git writes it: what git would read otherwise than this does is not inert. */
function isInertConfig(text: string | null): boolean {
  if (text === null) return false;
  let known: Readonly<Record<string, RegExp>> | undefined;
  return text.split("\n").every((line) => {
    const section = SECTION.exec(line)?.[1];
    if (section !== undefined) {
      known = Object.hasOwn(INERT, section) ? INERT[section] : undefined;
      return known !== undefined;
    }
    const [, key = "", value = ""] = SETTING.exec(line) ?? [];
    return line === "" || (known !== undefined && Object.hasOwn(known, key) && known[key]?.test(value) === true);
  });
}
