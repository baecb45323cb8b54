import { GIT_PATTERNS, PROTECTED_PATTERNS, SECRET_PATTERNS } from "./protected-paths.ts";

/* The parts that all profiles of `toolgate init` have in common. */

const listed = (patterns: readonly string[]): string => patterns.map((pattern) => `        - ${pattern}`).join("\n");

/** With these sets of tools. */
export const headWith = (
  sets: string,
): string => `# What the tools of your agents may do here. Toolgate checks every call against this file.
#
# A call is judged by what it would touch. For each touch the strictest rule that covers it wins:
# deny before ask before allow, in whatever order they stand. What no rule covers is denied.
#
# Paths: \`./\` is the workspace, \`/\` the machine. \`*\` and \`?\` stay within one name, \`**\` is any number of
# folders, also none. Try a rule with: toolgate rules explain "read ./README.md"

workspace: .          # the folder that ./ means, relative to this file
state: .toolgate      # ledger and state of calls; no tool gets in there, whatever the rules say

tools:
  builtin: [${sets}]
`;

export const KEEP_SECRETS_CLOSED = `  - id: keep-secrets-closed
    effect: deny
    touch:
      read:
${listed(SECRET_PATTERNS)}
    because: What a model has read can leave this machine.
`;

/** Programs and subcommands of git that only read, whatever harmless option they get. */
const READS = [
  ...[
    "ls",
    "cat",
    "head",
    "tail",
    "wc",
    "nl",
    "tac",
    "stat",
    "file",
    "du",
    "df",
    "tree",
    "pwd",
    "cd",
    "echo",
    "printf",
  ],
  ...["grep", "rg", "find", "fd", "sort", "uniq", "cut", "tr", "sed", "awk", "jq", "diff", "cmp", "comm", "paste"],
  ...["basename", "dirname", "realpath", "readlink", "which", "type", "date", "seq", "true", "false", "test", "[", ":"],
  ...["md5sum", "sha1sum", "sha256sum", "od", "xxd", "hexdump", "strings", "column", "rev", "uname", "whoami", "id"],
];
const GIT_READS =
  "status diff log show blame grep ls-files ls-tree rev-parse rev-list describe shortlog cat-file merge-base".split(
    " ",
  );
const GIT_LISTS = "branch; branch -a; branch -v; branch -vv; branch --show-current; tag; tag -l; remote -v; stash list";

const patterns = [
  ...READS.map((name) => `${name} **`),
  ...GIT_READS.map((name) => `git ${name} **`),
  ...GIT_LISTS.split("; ").map((words) => `git ${words}`),
];

/** As many to a line as a reader takes in. */
const inLines = (texts: readonly string[]): string => {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last === undefined || last.length + text.length > 96) lines.push(`"${text}"`);
    else lines[lines.length - 1] = `${last}, "${text}"`;
  }
  return lines.map((line) => `        ${line},`).join("\n");
};

export const READING_COMMANDS = `  - id: reading-commands
    effect: allow
    sandbox: [namespaces] # without one each is asked about
    touch:
      exec: [
${inLines(patterns)}
      ]
    dynamic: true     # also words that are known only when the command runs: cat *.md
    because: They only read, and run in a sandbox that sees the workspace, without secrets and network.
`;

export const PROTECT_MACHINERY = `  - id: protect-machinery
    effect: deny
    touch:
      write:
${listed(PROTECTED_PATTERNS)}
      delete:
${listed(PROTECTED_PATTERNS)}
    because: Other programs run what stands in these files, without asking anybody.

  - id: protect-repositories
    effect: deny
    containment: [process, upstream, client] # programs in the sandbox, such as git itself, are held in otherwise
    touch:
      write:
${listed(GIT_PATTERNS)}
      delete:
${listed(GIT_PATTERNS)}
    because: A repository is changed by git, and by nobody else.
`;

export const TAIL = `  # No rule speaks about files outside the workspace: they are denied, and so is every touch that a later version
  # of a tool may come to have. Open what you need, and only that:
  #
  # - id: read-the-manual
  #   effect: allow
  #   tools: [read_file]
  #   touch: { read: ["/usr/share/doc/**"] }
  #   because: The agent looks things up there.

secrets: []           # [{ env: GITHUB_TOKEN }]: its value is taken out of everything that leaves the gate

sandbox:
  minimum: namespaces # groups (limits by cgroups too) | namespaces | none (programs run uncontained)

ledger:
  durability: full    # full survives a power cut | normal survives a crash of the gate only
`;
