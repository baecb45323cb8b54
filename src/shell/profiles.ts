import { PSQL_SAYS, SQLITE_SAYS } from "./client-profiles.ts";
import { cutShort } from "./cut-short.ts";
import { GIT } from "./git-profile.ts";
import { STARTS } from "./hazard-reasons.ts";
import type { Profile } from "./profile.ts";

const PLAIN: Profile = {};
const READS: Profile = { files: { kind: "read" } };

const SCRIPT_RUNNER = "--script-shell --node-options --shell --shell-mode";
const NPM: Profile = {
  runs: `${SCRIPT_RUNNER} --init-module --git --editor --browser --viewer`,
  turns: "--prefix -C --userconfig --globalconfig --registry --cache --node-gyp --dir --cwd --modules-folder --config",
  strict:
    "-s --silent -q --quiet -d --verbose --json --long -l --parseable -D --save-dev --save --save-exact -E --save-prod -P --production --only --omit --include --no-save --no-audit --no-fund --no-package-lock --prefer-offline --offline --if-present --workspaces -ws --workspace -w --include-workspace-root -iwr --loglevel --color --no-color --progress --no-progress --depth --all -a --dry-run --ignore-scripts --help -h --version -v --frozen-lockfile --recursive -r --filter --parallel --stream --immutable --check-files --flat --fund --audit --audit-level --no-optional --legacy-peer-deps --global -g -y --yes -f --force",
  values: "w",
};
const RUNS_PACKAGES = (names: string): Required<Profile>["operands"] => ({
  pattern: new RegExp(`^(?:${names.replaceAll(" ", "|")})$`),
  first: true,
  why: STARTS.subcommand,
});

/** Compilers load plugins and start others. */
const COMPILER: Profile = {
  style: "single",
  begins: /^--?(?:wrapper|fplugin|specs|B|W[lpa],|X|fuse-ld|load|plugin|dumpdir|imultilib|isysroot|sysroot)/,
  operands: { pattern: /^@/, why: "names a file with more options" },
};

const EDITOR: Profile = {
  runs: "-c --cmd -S -s -e -E -i -u -U --eval -l --load -f --funcall --script --execute --remote-expr --remote-send",
  operands: { pattern: /^\+/, why: STARTS.editorCommand },
};

/** By the program's name. A program that is not here is what its rule says, and nothing more is known of it. */
const BY_NAME: Readonly<Record<string, Profile>> = {
  git: GIT,
  npm: { ...NPM, operands: RUNS_PACKAGES(cutShort("exec x explore edit config set init create c innit pkg")) },
  pnpm: { ...NPM, operands: RUNS_PACKAGES("exec dlx create config init env x") },
  yarn: { ...NPM, operands: RUNS_PACKAGES("exec dlx create config init node set policies") },
  find: {
    style: "single",
    deletes: "-delete",
    writes: "-fprint -fprint0 -fprintf -fls",
    turns: "-files0-from",
  },
  fd: { runs: "-x --exec -X --exec-batch", turns: "--ignore-file --base-directory", values: "edtEcjSo" },
  sed: { writes: "-i --in-place", turns: "-f --file", values: "efl", code: "sed" },
  awk: {
    // `-W source=…` is `--source=…`.
    runs: "-W",
    turns: "-f --file -i --include -l --load -E --exec -o --pretty-print -p --profile -d --dump-variables -D --debug",
    values: "vFfW",
    code: "awk",
  },
  sort: {
    runs: "--compress-program",
    writes: "-o --output",
    turns: "-T --temporary-directory --files0-from",
    values: "kSt",
  },
  uniq: { operands: { from: 1, why: "writes a file" }, values: "fsw" },
  shuf: { writes: "-o --output", values: "in" },
  split: { runs: "--filter", writes: "-a", operands: { why: "writes files" } },
  csplit: { operands: { why: "writes files" } },
  tee: { files: { kind: "write" } },
  tree: { writes: "-o --output" },
  date: {
    turns: "-s --set -f --file -r --reference",
    values: "d",
    operands: { pattern: /^[^+]/, why: "sets the clock" },
  },
  hostname: { turns: "-F --file -b", operands: { why: "sets the name of the machine" } },
  man: { runs: "-P --pager -H --html -C --config-file -M -m -l --local-file -E -T -X -Z -t -R" },
  less: {
    runs: "-k --lesskey-file --lesskey-src --lesskey-content -o --log-file -O --LOG-FILE -T --tag-file -t --tag -p --pattern",
    operands: { pattern: /^\+/, why: STARTS.pagerCommand },
    files: { kind: "read" },
  },
  more: { operands: { pattern: /^\+/, why: STARTS.pagerCommand }, files: { kind: "read" } },
  jq: { turns: "-f --from-file -L --library-path --slurpfile --rawfile --argfile", values: "" },
  yq: { writes: "-i --inplace -s --split-exp", turns: "-f --from-file" },
  rg: {
    runs: "--pre --search-zip -z --hostname-bin",
    turns: "-f --file --ignore-file --pre-glob",
    values: "eAgBCdEjMmrtT",
  },
  ag: { runs: "--pager", turns: "-p --path-to-ignore" },
  ack: { runs: "--pager --ackrc" },
  bat: { runs: "--pager --diff-cmd", turns: "--config-file" },
  grep: { turns: "-f --file --exclude-from", values: "ABCDdem" },
  cat: READS,
  tac: READS,
  head: { files: { kind: "read" }, values: "nc" },
  tail: { files: { kind: "read" }, values: "nc", turns: "--pid" },
  nl: READS,
  od: READS,
  hexdump: { files: { kind: "read" }, turns: "-f", values: "ens" },
  strings: { files: { kind: "read" }, values: "ntes" },
  base64: READS,
  base32: READS,
  md5sum: READS,
  sha1sum: READS,
  sha256sum: READS,
  sha512sum: READS,
  b2sum: READS,
  cksum: READS,
  cmp: READS,
  paste: READS,
  rev: READS,
  wc: { files: { kind: "read" }, turns: "--files0-from" },
  du: { turns: "--files0-from -X --exclude-from" },
  xxd: { writes: "-r -revert", operands: { from: 1, why: "writes a file" } },
  dd: { operands: { pattern: /^of=/, why: "writes a file" } },
  file: { writes: "-C --compile", turns: "-m --magic-file -f --files-from", values: "eFP" },
  curl: {
    writes:
      "-o --output -O --remote-name --remote-name-all --output-dir -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc -J --remote-header-name --create-dirs -w --write-out",
    turns:
      "-K --config -T --upload-file -F --form -d --data --data-binary --data-ascii --data-urlencode --data-raw --json -x --proxy --preproxy --socks5 --socks4 --netrc-file --unix-socket --abstract-unix-socket --cert --key --cacert --engine -E --resolve --connect-to --doh-url -b --cookie -H --header --variable --expand-url --next",
    values: "AeXmuyYzrCP",
    operands: {
      pattern: /^(?:file|scp|sftp|smb|dict|gopher|ldap|telnet|tftp)/i,
      why: "reaches something else than the web",
    },
  },
  wget: {
    runs: "--use-askpass -e --execute",
    writes:
      "-O --output-document -P --directory-prefix -o --output-file -a --append-output --save-cookies --warc-file --rejected-log --hsts-file",
    turns: "-i --input-file --config --post-file --body-file --load-cookies --ca-certificate --private-key",
    values: "tTUQ",
  },
  tar: {
    runs: "--to-command --checkpoint-action -I --use-compress-program --rsh-command --rmt-command -F --info-script --new-volume-script",
    writes:
      "-x --extract --get -c --create -r --append -u --update -A --catenate --concatenate --delete --remove-files -f --file",
    turns: "-T --files-from -C --directory -P --absolute-names -X --exclude-from",
    operands: { from: 0, pattern: /^[a-zA-Z]*[xcruAIfFTCPX][a-zA-Z]*$/, why: STARTS.archive },
  },
  zip: { runs: "-TT --unzip-command -T --test", operands: { why: "writes a file" } },
  unzip: { writes: "-o -d -x", operands: { why: "writes files" } },
  gzip: { operands: { why: "replaces files" } },
  gunzip: { operands: { why: "replaces files" } },
  rsync: {
    runs: "-e --rsh --rsync-path --server -M --remote-option",
    writes: "--log-file --write-batch --only-write-batch",
    deletes: "--delete --remove-source-files",
    turns: "--files-from --include-from --exclude-from --config -f --filter --password-file",
  },
  ssh: { runs: "-o -F -E -I -S -J -L -R -D -W -w -t -T -A -X -Y -M -O -f -N", values: "bcelmpQ" },
  scp: { runs: "-o -F -S -D -J", values: "cilPX" },
  sftp: { runs: "-o -F -S -D -b -J", values: "BcilPR" },
  make: {
    runs: "--eval -E",
    turns: "-f --file --makefile -C --directory -I --include-dir -W --what-if -o --old-file -e --environment-overrides",
    operands: { pattern: /=/, why: STARTS.makeVariable },
  },
  go: {
    style: "single",
    runs: "-exec -toolexec -vettool -overlay",
    turns:
      "-C -modfile -o -ldflags -gcflags -asmflags -gccgoflags -cpuprofile -memprofile -coverprofile -outputdir -pgo -trace -blockprofile -mutexprofile",
    operands: {
      first: true,
      pattern: /^(?:run|generate|tool|env|install|get|work)$/,
      why: STARTS.orChanges,
    },
  },
  cargo: {
    runs: "--config",
    turns: "--manifest-path -Z --target-dir --lockfile-path -C",
    operands: {
      first: true,
      pattern: /^(?:run|r|install|uninstall|publish|yank|owner|login|init|new|watch|make|script|\+.*)$/,
      why: STARTS.orChanges,
    },
  },
  docker: {
    operands: {
      pattern:
        /^(?:run|exec|create|build|buildx|compose|cp|load|import|save|export|plugin|context|swarm|stack|service)$/,
      why: STARTS.elsewhere,
    },
    turns: "-H --host --config -c --context",
    values: "l",
  },
  gcc: COMPILER,
  cc: COMPILER,
  "g++": COMPILER,
  "c++": COMPILER,
  clang: COMPILER,
  "clang++": COMPILER,
  vi: EDITOR,
  vim: EDITOR,
  nvim: EDITOR,
  view: EDITOR,
  ex: EDITOR,
  ed: { operands: { why: STARTS.editor } },
  emacs: EDITOR,
  nano: { operands: { why: STARTS.editor } },
  patch: { writes: "-o --output -i --input -r --reject-file -d --directory", operands: { why: "changes files" } },
  openssl: {
    style: "single",
    runs: "-engine -provider -provider-path -provider_path -ssl_client_engine",
    sub: { engine: { style: "single", runs: "-pre -post", operands: { why: STARTS.subcommand } } },
    writes: "-out -keyout -writerand",
    turns: "-config",
  },
  sqlite3: {
    style: "single",
    runs: "-cmd -init",
    operands: { pattern: /^\s*\./, why: STARTS.sqliteCommand },
    says: SQLITE_SAYS,
  },
  psql: {
    runs: "-f --file -o --output -L --log-file",
    operands: { pattern: /\\/, why: STARTS.psqlCommand },
    says: PSQL_SAYS,
  },
  nc: { runs: "-e -c --exec --sh-exec --lua-exec", values: "pqsw" },
  ncat: { runs: "-e -c --exec --sh-exec --lua-exec", values: "pqsw" },
  socat: {
    operands: { pattern: /^(?:EXEC|SYSTEM|SHELL|OPEN|CREATE|GOPEN|PIPE|FILE)/i, why: STARTS.address },
  },
  nmap: { runs: "--script -iL -oN -oA -oX -oG --datadir --resume" },
  tcpdump: { runs: "-z", writes: "-w" },
  gdb: {
    runs: "-ex -iex -x -ix --command --eval-command --args -p",
    // Its names stand behind one dash or two, and may be cut short.
    begins:
      /^--?(?!-?(?:batch|batch-silent|q|quiet|silent|n|nx|nh|v|version|h|help|nw|w|tui|write|readnow|readnever|return-child-result)$)/,
  },
  svn: { runs: "--config-option --editor-cmd --diff-cmd --diff3-cmd --config-dir" },
  hg: { runs: "--config --cwd -R --repository" },
  pip: {
    operands: {
      first: true,
      pattern: /^(?:install|download|wheel|uninstall|config|cache)$/,
      why: "runs code of packages",
    },
    turns: "--python --target --prefix --root --index-url -i --extra-index-url",
  },
  crontab: { operands: { why: STARTS.later } },
  at: { operands: { why: STARTS.later } },
  echo: PLAIN,
  pwd: PLAIN,
};

export const PROFILES: ReadonlyMap<string, Profile> = new Map(Object.entries(BY_NAME));
