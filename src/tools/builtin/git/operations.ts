import type { GitOperation } from "../../../domain/git-operations.ts";

/** What may stand behind an operation. An option that is not listed is refused: git has many that run programs. */
export interface OperationForm {
  readonly command: string;
  /** Always given, so that neither the repository nor a person decides. */
  readonly fixed?: readonly string[];
  /** As written; one that ends in `=` takes a value after it, one that ends in ` ` takes the next word. */
  readonly options: readonly string[];
  /** Whether a word may name a revision in git's own language (`HEAD~1`, `a..b`), or only a plain name. */
  readonly words: "revisions" | "names" | "address";
  readonly subcommands?: readonly string[];
  /** Options that git takes only where nothing else is given, not even what is fixed. */
  readonly alone?: readonly string[];
}

const QUIET_DIFF = ["--no-ext-diff", "--no-textconv", "--no-color"];
const SHOWING = [
  ...["--stat", "--name-only", "--name-status", "--numstat", "--shortstat", "--oneline", "--patch", "-p", "--cached"],
  ...["--staged", "--no-patch", "-s", "-w", "--ignore-all-space", "--diff-filter=", "-U", "--unified=", "--raw"],
];
const LISTING = [
  "-n ",
  "--max-count=",
  "--since=",
  "--until=",
  "--author=",
  "--grep=",
  "--all",
  "--reverse",
  "--merges",
];

/** What receive-pack runs hooks for (githooks(5)). */
const RECEIVE_EVENTS = [
  ...["pre-receive", "update", "proc-receive", "post-receive", "post-update", "push-to-checkout"],
  "reference-transaction",
];

/**
 * What git is started with in a repository of this machine that is pushed to: it obeys that one's own configuration, which nobody
 * has read, and is told nothing of what this git is told. No hooks, no files put into its tree, which filters would be run for.
 */
const RECEIVING = [
  // By the event, since 2.55: what hooks are called in a configuration that nobody has read, nobody knows.
  ...RECEIVE_EVENTS.map((event) => `hook.${event}.enabled=false`),
  ...["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.alternateRefsCommand=true", "safe.directory=*"],
  ...["receive.denyCurrentBranch=refuse", "receive.autogc=false", "gc.auto=0", "maintenance.auto=false"],
];
const RECEIVE_PACK = `GIT_NO_LAZY_FETCH=1 git ${RECEIVING.map((setting) => `-c '${setting}'`).join(" ")} receive-pack`;

export const OPERATIONS = {
  CLONE: {
    command: "clone",
    fixed: ["--no-recurse-submodules", "--no-hardlinks"],
    options: ["--depth=", "--branch=", "--single-branch", "--bare", "--no-checkout"],
    words: "address",
  },
  FETCH: {
    command: "fetch",
    fixed: ["--no-recurse-submodules"],
    options: ["--all", "--prune", "--tags", "--depth="],
    words: "names",
  },
  PULL: {
    command: "pull",
    fixed: ["--no-recurse-submodules", "--no-edit"],
    options: ["--rebase", "--ff-only", "--no-rebase"],
    words: "names",
  },
  DIFF: {
    command: "diff",
    // Whether files of a submodule have changed is asked of a git that obeys the submodule's configuration, which nobody has read.
    fixed: [...QUIET_DIFF, "--ignore-submodules=dirty"],
    options: SHOWING,
    words: "revisions",
  },
  COMMIT: {
    command: "commit",
    fixed: ["--no-verify", "--no-gpg-sign"],
    options: ["-m ", "--message=", "-a", "--all", "--amend", "--allow-empty", "--no-edit", "--author="],
    words: "names",
  },
  PUSH: {
    command: "push",
    fixed: ["--no-verify", "--recurse-submodules=no", "--no-signed", `--receive-pack=${RECEIVE_PACK}`],
    options: ["--tags", "--set-upstream", "-u", "--dry-run", "--force-with-lease", "--force"],
    words: "names",
  },
  STATUS: {
    command: "status",
    fixed: ["--ignore-submodules=all"],
    options: ["--short", "-s", "--branch", "-b", "--porcelain", "--porcelain=", "--untracked-files="],
    words: "names",
  },
  LOG: {
    command: "log",
    fixed: QUIET_DIFF,
    options: [...SHOWING, ...LISTING, "--graph", "--decorate", "--format=", "--pretty="],
    words: "revisions",
  },
  BRANCH: {
    command: "branch",
    fixed: ["--no-color"],
    options: ["--list", "-a", "--all", "-r", "-v", "-vv", "-d", "-D", "-m", "--show-current"],
    words: "names",
  },
  CHECKOUT: {
    command: "checkout",
    fixed: ["--no-recurse-submodules"],
    options: ["-b ", "--detach", "-f", "--force", "--ours", "--theirs"],
    words: "revisions",
  },
  MERGE: {
    command: "merge",
    fixed: ["--no-edit", "--no-verify", "--no-gpg-sign"],
    options: ["--ff-only", "--no-ff", "--squash", "-m "],
    words: "revisions",
    alone: ["--abort"],
  },
  REBASE: {
    command: "rebase",
    fixed: ["--no-verify", "--no-gpg-sign"],
    options: ["--onto "],
    words: "revisions",
    // To go on is to do what files of the repository say that is left to be done, `exec` and foreign strategies included.
    alone: ["--abort"],
  },
  ADD: { command: "add", options: ["-A", "--all", "-u", "--update", "-n", "--dry-run"], words: "names" },
  RESET: { command: "reset", options: ["--soft", "--mixed", "--hard"], words: "revisions" },
  STASH: {
    command: "stash",
    options: ["-m ", "--include-untracked", "-u"],
    words: "revisions",
    subcommands: ["push", "pop", "apply", "drop", "list", "show", "clear"],
  },
  TAG: { command: "tag", fixed: ["--no-sign"], options: ["-a", "-m ", "-d", "-l", "--list", "-f"], words: "names" },
  REMOTE: {
    command: "remote",
    options: ["-v", "--verbose"],
    words: "address",
    subcommands: ["add", "remove", "rename", "get-url", "set-url", "show"],
  },
  SHOW: { command: "show", fixed: QUIET_DIFF, options: [...SHOWING, "--format=", "--pretty="], words: "revisions" },
} as const satisfies Record<GitOperation, OperationForm>;
