import type { Carrier } from "./carrier.ts";
import type { CodeTaker } from "./code-taker.ts";

/** A program that starts others, or whose first word says what it does. What is not said of it here is code. */
export interface Starter {
  /** Its own options, before that word. */
  readonly own?: CodeTaker;
  /** Words behind which all is data. */
  readonly data?: string;
  /** Words behind which there are options to be looked at, and words behind which there is another command. */
  readonly takes?: Readonly<Record<string, CodeTaker>>;
  readonly carries?: Readonly<Record<string, Carrier>>;
  /** Files that it runs, or obeys, without being told. */
  readonly unasked?: RegExp;
  /** Without such a word its input is commands. */
  readonly stdin?: true;
  /** Words behind which a command stands, after its `--`. */
  readonly dashed?: string;
  /** The option that says in which folder it works. */
  readonly folder?: string;
}

const CONTAINERS: Starter = {
  unasked: /^(?:Dockerfile|Containerfile|\.env$|config\.json$|.*compose.*\.ya?ml)/,
  own: { flags: "-D --debug" },
  data: "ps images logs inspect stop start restart rm rmi pull push tag kill pause unpause stats top port wait rename info version history diff search events volume network",
  carries: {
    exec: {
      mode: "both",
      flags: "dit",
      values: "uwe",
      longFlags: "--detach --interactive --tty --privileged",
      longValues: "--user --workdir --env --env-file",
      skip: 1,
    },
    run: {
      mode: "both",
      flags: "dit",
      values: "uwenlpmv",
      longFlags: "--rm --detach --interactive --tty --init --read-only",
      longValues:
        "--user --workdir --env --env-file --name --label --publish --volume --mount --memory --cpus --network --pull --platform",
      skip: 1,
    },
  },
};

const CLUSTER: Starter = {
  // Its settings name programs that log in.
  own: { files: "--kubeconfig", values: "-n --namespace --context --cluster --request-timeout" },
  dashed: "exec",
  data: "get describe logs delete scale rollout label annotate top version explain wait api-resources cluster-info auth",
};

const TALKS: CodeTaker = {
  text: "-c -u -o --config --template --upload-pack --receive-pack --exec --server-option --strategy -s",
};
const PLAIN: CodeTaker = {};
const plain = (names: string): Readonly<Record<string, CodeTaker>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, PLAIN]));

/** An address that is no folder of this machine, whatever follows. */
export const ELSEWHERE = /^(?:https?|ssh|git):\/\/[^/]/;

const GIT: Starter = {
  folder: "-C",
  unasked: /^(?:(?:pre|post)-\w+|commit-msg|prepare-commit-msg|update|reference-transaction|config|\.git\w*|HEAD)$/,
  own: {
    // What a folder's `config` says is run.
    text: "-c --config-env --exec-path",
    files: "--git-dir --work-tree",
    values: "-C --namespace",
    flags:
      "-p -P --paginate --no-pager --bare --no-replace-objects --literal-pathspecs --no-optional-locks --version --help",
  },
  takes: {
    ...plain(
      "status add branch rev-parse rev-list ls-files ls-tree cat-file describe merge-base name-rev shortlog version for-each-ref show-ref symbolic-ref check-ignore check-attr count-objects diff-tree cherry var tag stash reset checkout switch restore rm mv commit clean gc prune fsck notes reflog update-index write-tree commit-tree read-tree hash-object show-branch range-diff blame annotate remote update-ref sparse-checkout log show diff diff-index diff-files whatchanged worktree apply am bundle format-patch",
    ),
    init: { text: "--template" },
    clone: TALKS,
    fetch: TALKS,
    // A remote that is a folder has hooks, which are run here.
    push: {
      text: "--receive-pack --exec",
      files: "--repo",
      values: "-o --push-option",
      operand: 0,
      elsewhere: ELSEWHERE,
      why: "`git push` runs the hooks of a folder that it pushes to",
      fix: "write the remote out, or declare an `enum` of remotes",
    },
    pull: TALKS,
    "ls-remote": TALKS,
    archive: { text: "--exec --remote" },
    grep: { text: "-O --open-files-in-pager", values: "-e -f -A -B -C -m" },
    merge: { text: "-s --strategy", values: "-m -F" },
    "cherry-pick": { text: "--strategy" },
    revert: { text: "--strategy" },
    rebase: { text: "-x --exec -s --strategy" },
  },
};

const DENO: CodeTaker = {
  strict: true,
  stops: true,
  operand: 0,
  flags: "-A -q --quiet --no-check --no-prompt --cached-only --no-remote --no-npm --no-lock --unstable",
  flagged: /^--(?:allow|deny|unstable)-/,
  values: "--seed --v8-flags",
};

/** Packages are run by their names; what is behind a name is its program's. */
const PACKAGES: Carrier = { mode: "both", flags: "yq", longFlags: "--yes --no --quiet --no-install --prefer-offline" };

/** Those that are given a command as it is, whose words are counted by `carriers.ts` for others. */
export const MORE_CARRIERS: Readonly<Record<string, Carrier>> = {
  exec: { mode: "through", flags: "cl" },
  command: { mode: "through", flags: "p", alone: "vV" },
  builtin: { mode: "through" },
  busybox: { mode: "both" },
  toybox: { mode: "both" },
  // Helpers of which no option is known.
  ...Object.fromEntries(
    "chronic ifne chpst softlimit setuidgid cgexec numactl cpulimit eatmydata cross-env dotenv powerprofilesctl"
      .split(" ")
      .map((name): [string, Carrier] => [name, { mode: "both" }]),
  ),
  faketime: { mode: "both", skip: 1 },
  npx: PACKAGES,
  bunx: PACKAGES,
  uvx: PACKAGES,
};

/** Options of carriers whose value is code, or names a program. */
export const CARRIER_CODE: Readonly<Record<string, string>> = {
  env: "S --split-string",
  flock: "c --command",
  strace: "o",
  ltrace: "o l F x",
};

const RUNS: Starter = {
  unasked: /^(?:\.env|\.tool-versions|\.?mise\.toml|pyproject\.toml|Gemfile)$/,
  carries: { run: { mode: "both" }, exec: { mode: "both" } },
};

/** What the server runs, or where its settings are, is no data; of the rest what is used most. */
const REDIS =
  "get set setex getset mget mset del exists expire ttl incr decr incrby decrby append strlen hget hset hmget hgetall hdel hkeys lpush rpush lpop rpop lrange llen sadd srem smembers sismember scard zadd zrem zrange zscore keys scan type rename ping echo info dbsize publish";

export const STARTERS: Readonly<Record<string, Starter>> = {
  ...Object.fromEntries(
    "poetry pipenv uv bundle rbenv pyenv mise asdf hatch pdm rye"
      .split(" ")
      .map((name): [string, Starter] => [name, RUNS]),
  ),
  ip: { own: { flags: "-4 -6 -s -d -j -p -o -br" }, data: "addr address link route neigh rule maddress" },
  docker: CONTAINERS,
  podman: CONTAINERS,
  nerdctl: CONTAINERS,
  kubectl: CLUSTER,
  oc: CLUSTER,
  git: GIT,
  "redis-cli": {
    stdin: true,
    own: { values: "-h -p -n -s -u -a --user --pass", flags: "--raw --no-raw --csv --json -x --no-auth-warning --tls" },
    data: `${REDIS} ${REDIS.toUpperCase()}`,
  },
  go: {
    takes: {
      run: { style: "single", stops: true, operand: 0 },
      test: {
        style: "single",
        values: "-run -skip -bench -benchtime -list -count -timeout -cpu -parallel -tags -coverprofile -o -p -mod",
        ends: "-args",
        operand: 0,
        rest: true,
        why: "`go test` runs what it finds in a folder that the value names",
        fix: "write the packages out, or declare an `enum`",
      },
    },
    data: "build vet fmt list mod version doc get install clean work",
  },
  deno: { takes: { run: DENO }, data: "fmt lint info" },
  bun: { takes: { run: { ...DENO, flagged: /^--(?:smol|silent|hot|watch)$/ } } },
  // Their own scripts get arguments by way of a shell.
  npm: {
    own: { flags: "-s --silent" },
    data: "view info show search ls list outdated audit install i ci add uninstall remove",
  },
  pnpm: { own: { flags: "-s --silent" }, data: "view info search ls list outdated audit install i add remove" },
  yarn: { own: { flags: "-s --silent" }, data: "info list outdated audit install add remove" },
};

/** Builtins that make commands, names or numbers of their arguments. */
export const CODE_BUILTINS: ReadonlySet<string> = new Set(
  "eval alias enable bind complete compgen fc hash let".split(" "),
);

/** Programs of which no argument is safe: they hand on a text to a shell, or keep it for one. */
export const ALL_CODE: ReadonlySet<string> = new Set(
  `capsh setarch linux32 linux64 i386 x86_64 uname26 ssh su watch parallel
  script entr expect tmux screen sg runcon newgrp pkexec start-stop-daemon run-parts systemd-run systemd-nspawn machinectl
  lxc incus pipx flatpak flatpak-spawn snap distrobox toolbox nix nix-shell nix-build wine gdb lldb rr mosh autossh sshpass dsh
  pdsh clush ansible ansible-playbook vagrant adb socat at batch crontab ssh-agent dbus-launch xterm uxterm gnome-terminal konsole
  xinit startx daemonize supervisord logrotate cron incrontab anacron telnet rlogin rsh rexec psexec docker-compose concurrently
  nodemon direnv conda heroku xdg-open gio virsh watchexec`.split(/\s+/),
);

/** Of those, the ones that look for settings in the folder they are started in, and run what these say. */
export const LOOKING: ReadonlyMap<string, CodeTaker> = new Map(
  `ansible ansible-playbook concurrently conda direnv docker-compose gdb heroku lldb nix nix-build nix-shell nodemon supervisord
  vagrant watchexec`
    .split(/\s+/)
    .map((name) => [name, { inFolder: true, unasked: /^\.|^\w*file$|\.(?:ya?ml|json|nix|toml|cfg|conf|ini)$/ }]),
);
