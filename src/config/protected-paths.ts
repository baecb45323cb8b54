/**
 * Files that other programs obey or run without asking anybody, wherever in the workspace they lie or would come to
 * lie (CVE-2025-53773, CVE-2025-54135, CVE-2026-25725). A name that ends in a slash is a folder with all it holds.
 */
const PROTECTED: readonly string[] = [
  // Repositories, nested ones too: hooks, and configuration that names programs. git itself writes the rest of `.git`.
  ...[
    ".git/hooks/",
    ".git/config",
    ".git/config.worktree",
    ".git/info/attributes",
    ".git/modules/",
    ".gitconfig",
    ".gitmodules",
    ".husky/",
    ".githooks/",
    ".pre-commit-config.yaml",
  ],
  // The gate's own.
  ...[".toolgate/", "toolgate.yaml"],
  // Shells read these when they start.
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"],
  ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".inputrc"],
  ...[".config/fish/", ".envrc"],
  // Editors and agents: tasks, hooks and servers that they start.
  ...[".vscode/", ".idea/", ".zed/", ".vim/", ".vimrc", ".nvimrc", ".exrc", ".emacs", ".emacs.d/", ".dir-locals.el"],
  ...[".cursor/", ".claude/", ".mcp.json", ".devcontainer/"],
  // Package managers: registries, credentials, hooks.
  ...[".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".ssh/"],
];

/** As patterns of rules. `**` is also none, so a folder's pattern is the folder itself as well. */
export const PROTECTED_PATTERNS: readonly string[] = PROTECTED.map((name) =>
  name.endsWith("/") ? `./**/${name}**` : `./**/${name}`,
);

/** What no tool for files has any business in; git does, and is held in otherwise. */
export const GIT_PATTERNS: readonly string[] = ["./**/.git/**"];
