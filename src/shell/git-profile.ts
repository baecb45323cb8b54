import { STARTS } from "./hazard-reasons.ts";
import type { Profile } from "./profile.ts";

/** Of `git diff`, `log`, `show` and what is like them. */
const GIT_SHOWS: Profile = { runs: "--ext-diff --textconv", writes: "--output", turns: "--no-index -O" };
const GIT_TALKS: Profile = {
  runs: "--upload-pack --receive-pack --exec --server-option",
  operands: { pattern: /^(?:ext|fd)::|^-|^[^/]*:\/\/-|^-o/, why: STARTS.transport },
};
export const GIT: Profile = {
  runs: "-c --config-env --exec-path",
  turns: "-C --git-dir --work-tree --namespace --super-prefix --attr-source -p --paginate",
  values: "Cc",
  longValues: "--git-dir --work-tree --config-env --namespace --super-prefix --attr-source",
  subs: "status add branch rev-parse rev-list ls-files ls-tree cat-file describe merge-base name-rev shortlog version for-each-ref show-ref symbolic-ref check-ignore check-attr count-objects diff-tree cherry var verify-commit tag stash reset checkout switch restore rm mv commit merge revert cherry-pick clean gc prune fsck notes reflog update-index write-tree hash-object show-branch range-diff blame annotate remote update-ref sparse-checkout init",
  sub: {
    log: GIT_SHOWS,
    show: GIT_SHOWS,
    diff: GIT_SHOWS,
    "diff-index": GIT_SHOWS,
    "diff-files": GIT_SHOWS,
    whatchanged: GIT_SHOWS,
    "diff-tree": GIT_SHOWS,
    "range-diff": GIT_SHOWS,
    "rev-list": GIT_SHOWS,
    reflog: GIT_SHOWS,
    shortlog: GIT_SHOWS,
    "cat-file": { runs: "--textconv --filters" },
    stash: GIT_SHOWS,
    blame: { turns: "--contents -S", values: "LS" },
    grep: { runs: "-O --open-files-in-pager --textconv --ext-grep", turns: "-f --no-index", values: "efABCm" },
    fetch: GIT_TALKS,
    pull: {
      ...GIT_TALKS,
      runs: `${GIT_TALKS.runs} -e --edit -s --strategy`,
      begins: /^(?:--reb(?:a|as|ase)?=|-r)i(?:nteractive)?$/,
      values: "Xjo",
    },
    push: GIT_TALKS,
    // Elsewhere `-u` is no program: `git push -u` remembers where it pushed to.
    clone: { ...GIT_TALKS, runs: `${GIT_TALKS.runs} -u -c --config`, turns: "--template" },
    "ls-remote": GIT_TALKS,
    remote: {
      operands: { first: true, pattern: /^(?:add|set-url|rename|update)$|::/, why: STARTS.remote },
    },
    submodule: { operands: { first: true, pattern: /^(?:foreach|add|update|set-url)$/, why: STARTS.subcommand } },
    archive: { runs: "--exec --remote", writes: "-o --output" },
    "format-patch": { writes: "-o --output-directory --output", runs: "--ext-diff --textconv" },
    rebase: { runs: "-x --exec -i --interactive --edit-todo -s --strategy" },
    merge: { runs: "-s --strategy -e --edit", turns: "-F --file", values: "m" },
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
    apply: { turns: "--unsafe-paths --directory", operands: { why: "changes files by a patch" } },
  },
};
