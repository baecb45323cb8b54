import { STARTS } from "./hazard-reasons.ts";
import { ALL_OTHERS, type Profile } from "./profile.ts";

/** Of `git diff`, `log`, `show` and what is like them. */
const GIT_SHOWS: Profile = {
  harmless: ALL_OTHERS,
  runs: "--ext-diff --textconv",
  writes: "--output",
  turns: "--no-index -O",
};
const GIT_TALKS: Profile = {
  harmless: ALL_OTHERS,
  runs: "--repo --upload-pack --receive-pack --exec --server-option",
  operands: { pattern: /^(?:ext|fd)::|^-|^[^/]*:\/\/-|^-o/, why: STARTS.transport },
};
const GIT_BLAMES: Profile = { ...GIT_SHOWS, turns: "--contents -S", values: "LS" };

/** No option of these runs or writes anything that the subcommand's name does not say; what they run, settings name. */
const PLAIN =
  "status rev-parse ls-files ls-tree describe merge-base name-rev version for-each-ref show-ref symbolic-ref check-ignore check-attr check-mailmap check-ref-format count-objects cherry var verify-commit verify-tag verify-pack reset checkout switch restore rm mv clean prune fsck update-index write-tree mktree show-branch update-ref sparse-checkout diff-tree pack-refs";

const inDepth = (profiles: Readonly<Record<string, Profile>>): Readonly<Record<string, Profile>> =>
  Object.fromEntries(Object.entries(profiles).map(([name, profile]) => [name, { harmless: ALL_OTHERS, ...profile }]));

/** Every subcommand that is known in depth. Of all others no option is known, and each has to be named itself. */
export const GIT: Profile = {
  runs: "-c --config-env --exec-path",
  turns: "-C --git-dir --work-tree --namespace --super-prefix --attr-source -p --paginate",
  values: "Cc",
  longValues: "--git-dir --work-tree --config-env --namespace --super-prefix --attr-source",
  harmless:
    "--no-pager -P --version -v --help -h --no-replace-objects --no-optional-locks --no-lazy-fetch --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path",
  subs: "",
  sub: inDepth({
    ...Object.fromEntries(PLAIN.split(" ").map((name) => [name, {}])),
    log: GIT_SHOWS,
    show: GIT_SHOWS,
    diff: GIT_SHOWS,
    "diff-index": GIT_SHOWS,
    "diff-files": GIT_SHOWS,
    whatchanged: GIT_SHOWS,
    "diff-tree": GIT_SHOWS,
    gc: { writes: "--expire-to" },
    repack: { writes: "--expire-to --filter-to" },
    "range-diff": GIT_SHOWS,
    "rev-list": GIT_SHOWS,
    reflog: GIT_SHOWS,
    shortlog: GIT_SHOWS,
    "cat-file": { runs: "--textconv --filters" },
    stash: GIT_SHOWS,
    blame: GIT_BLAMES,
    annotate: GIT_BLAMES,
    grep: { runs: "-O --open-files-in-pager --textconv --ext-grep", turns: "-f --no-index", values: "efABCm" },
    fetch: GIT_TALKS,
    pull: {
      ...GIT_TALKS,
      runs: `${GIT_TALKS.runs} -e --edit -s --strategy -S --gpg-sign`,
      begins: /^(?:--reb(?:a|as|ase)?=|-r)i(?:nteractive)?$/,
      values: "Xjo",
    },
    push: GIT_TALKS,
    // Elsewhere `-u` is no program: `git push -u` remembers where it pushed to.
    clone: {
      ...GIT_TALKS,
      runs: `${GIT_TALKS.runs} -u -c --config`,
      turns: "--template --separate-git-dir --bundle-uri",
    },
    "ls-remote": GIT_TALKS,
    remote: {
      operands: { first: true, pattern: /^(?:add|set-url|rename|update)$|::/, why: STARTS.remote },
    },
    submodule: { operands: { first: true, pattern: /^(?:foreach|add|update|set-url)$/, why: STARTS.subcommand } },
    archive: { runs: "--exec --remote", writes: "-o --output", turns: "--add-file" },
    "format-patch": {
      writes: "-o --output-directory --output",
      runs: "--ext-diff --textconv",
      turns: "--signature-file",
    },
    rebase: { runs: "-x --exec -i --interactive --edit-todo -s --strategy -S --gpg-sign" },
    merge: { runs: "-s --strategy -e --edit -S --gpg-sign", turns: "-F --file", values: "m" },
    revert: { runs: "-e --edit --strategy -S --gpg-sign", values: "mX" },
    "cherry-pick": { runs: "-e --edit --strategy -S --gpg-sign", values: "mX" },
    add: { runs: "-e --edit" },
    commit: { runs: "-e --edit -t --template -S --gpg-sign", turns: "-F --file -c --reedit-message -C", values: "m" },
    tag: { runs: "-e --edit -s --sign -u --local-user -v --verify", turns: "-F --file", values: "m" },
    bisect: { operands: { first: true, pattern: /^(?:run|visualize|view)$/, why: STARTS.subcommand } },
    branch: { runs: "--edit-description" },
    config: {
      runs: "-e --edit",
      turns: "-f --file --blob",
      operands: { why: STARTS.gitSettings },
    },
    init: { turns: "--template --separate-git-dir" },
    worktree: { operands: { first: true, pattern: /^(?:add|move|remove|repair)$/, why: "works in another folder" } },
    notes: {
      runs: "-e --edit",
      turns: "-F --file",
      values: "mcC",
      operands: { first: true, pattern: /^edit$/, why: STARTS.another },
    },
    "hash-object": { writes: "-w" },
    bundle: { operands: { pattern: /^create$/, why: "writes a file" } },
    apply: {
      turns: "--unsafe-paths --directory",
      writes: "--build-fake-ancestor",
      operands: { why: "changes files by a patch" },
    },
  }),
};
