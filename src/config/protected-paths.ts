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
  // Other agents: their settings, hooks and servers, and the texts that they take for the user's own words.
  ...[".agents/", ".amp/", ".augment/", ".clinerules/", ".codex/", ".continue/", ".copilot/", ".crush/"],
  ...[".crush.json", "crush.json", ".factory/", ".gemini/", ".github/copilot-instructions.md", ".github/hooks/"],
  ...[".github/instructions/", ".goosehints", ".junie/", ".kilocode/", ".kiro/", ".opencode/", "opencode.json"],
  ...["opencode.jsonc", ".qwen/", ".roo/", ".roomodes", ".trae/", ".windsurf/", ".windsurfrules", ".cursorrules"],
  ...[".aider.conf.yml", "AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "QWEN.md"],
  // Package managers: registries, credentials, hooks.
  ...[".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".ssh/"],
];

/** As patterns of rules. `**` is also none, so a folder's pattern is the folder itself as well. */
export const PROTECTED_PATTERNS: readonly string[] = PROTECTED.map((name) =>
  name.endsWith("/") ? `./**/${name}**` : `./**/${name}`,
);

/** Files that hold passwords, keys and tokens of whoever works here. */
export const SECRET_PATTERNS: readonly string[] = [
  ...[".env", ".env.*", ".envrc"],
  // Private keys.
  ...["*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.ppk"],
  ...["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".ssh/**", ".gnupg/**"],
  // Accounts of package managers, clouds and databases.
  ...[".npmrc", ".pypirc", ".gem/credentials", ".cargo/credentials", ".cargo/credentials.toml", ".m2/settings.xml"],
  ...[".netrc", "_netrc", ".git-credentials", ".config/gh/hosts.yml", ".docker/config.json", ".kube/config"],
  ...[".aws/credentials", ".azure/**", ".config/gcloud/**", ".vault-token", ".pgpass", ".my.cnf", ".htpasswd"],
  ...["*.tfstate", "*.tfstate.*", ".terraform.d/credentials.tfrc.json"],
].map((name) => `./**/${name}`);

/** What no tool for files has any business in; git does, and is held in otherwise. */
export const GIT_PATTERNS: readonly string[] = ["./**/.git/**"];
