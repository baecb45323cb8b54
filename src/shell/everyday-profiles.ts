import { STARTS } from "./hazard-reasons.ts";
import { ALL_OTHERS, type Profile } from "./profile.ts";

/** No option of these runs, loads or writes anything that the program's name does not say. */
const HARMLESS: Profile = { harmless: ALL_OTHERS };

const SIMPLE = `true false sleep yes seq basename dirname realpath readlink pwd cp mv rm rmdir mkdir touch ln link unlink chmod chown
  chgrp stat df cut tr join comm fold fmt expand unexpand pr column tsort factor expr numfmt mktemp truncate sync uname arch nproc
  uptime id whoami who w users groups logname tty printenv printf test [ ps pgrep pkill kill killall pidof free vmstat lscpu lsblk
  lsusb lspci getconf locale cal ncal diff look colrm col dos2unix unix2dos which whereis
    md5 shasum sha224sum sha384sum sum bzip2 bunzip2 bzcat unxz xzcat zcat  gzcat pbcopy pbpaste  sw_vers
   mkfifo nl  findmnt mountpoint getent dircolors stty tput clear reset mesg hostid cmp`;

const ARGUMENT_FILE: Required<Profile>["operands"] = { pattern: /^@/, why: "names a file with more options" };

const TEST_RUNNER_NAMES =
  /^--reporter=(?:default|basic|verbose|dot|json|junit|tap|tap-flat|github-actions|spec|min|list|nyan)$/;

/** The shell's own options, which its reader looks at. Behind the script's name they are the script's. */
const SHELL: Profile = {
  another: "script",
  harmless:
    "-e -l -u -x -v -f -h -m -n -r -E -T -C -B -b -p -s --norc --noprofile --login --noediting --restricted --version --help",
  values: "o",
};

/** Programs of every day, with the options that are known to be harmless. What is not listed has to stand in the rule. */
const BY_NAME: Readonly<Record<string, Profile>> = {
  ...Object.fromEntries(SIMPLE.split(/\s+/).map((name) => [name, HARMLESS])),
  ls: HARMLESS,
  iconv: { harmless: ALL_OTHERS, writes: "-o --output" },
  dir: HARMLESS,
  vdir: HARMLESS,
  xz: { harmless: ALL_OTHERS, turns: "--files --files0" },
  zstd: {
    harmless: ALL_OTHERS,
    writes: "-o --output-dir-flat --output-dir-mirror",
    turns: "--filelist --patch-from -D",
  },
  dig: {
    harmless: "-4 -6 -t -p -x -q -v -h -r",
    values: "tpxqbc",
    operands: { pattern: /^(?![+@]?[\w.:/=-]+$)/, why: "is no name, server or query option" },
  },
  host: { harmless: "-4 -6 -a -d -l -r -t -v -V -w -W -R", values: "tWRcmN" },
  nslookup: { style: "single", looks: /^-(?:type|query|port|timeout|retry|class|q|debug|norecurse)(?:=\w+)?$/ },
  ping: { harmless: ALL_OTHERS },
  pstree: { harmless: ALL_OTHERS },
  pv: {
    harmless:
      "-l --line-mode -L --rate-limit -q --quiet -p --progress -t --timer -e --eta -r --rate -b --bytes -s --size -n --numeric -c -N -a -i -w",
    values: "LsNiw",
  },
  bc: { harmless: "-l -q -i -s -w --mathlib --quiet" },
  ss: {
    harmless:
      "-t -u -l -n -p -a -s -r -e -m -i -x -4 -6 -o -w -O -H -h -V --tcp --udp --listening --numeric --processes --all --summary --resolve --extended --memory --info --unix --options --no-header",
    turns: "-F --filter",
    runs: "-K --kill",
  },
  netstat: { harmless: "-t -u -l -n -p -a -s -r -e -i -x -4 -6 -o -w -c -v -W" },
  top: { harmless: "-b -n -d -p -H -i -c -u -w -E -e -o -1", values: "ndpuwEeo" },
  lsof: { harmless: "-i -n -P -p -t -u -c -a -l -U -w -h -v -R", values: "ipucd" },
  dmesg: {
    harmless:
      "-T -H -k -l -f -x -w -r -t -e -L -P --human --ctime --level --facility --color --nopager --decode --kernel",
    values: "lf",
  },
  systemctl: {
    subs: "status list-units list-timers list-unit-files list-sockets list-dependencies is-active is-enabled is-failed show cat start stop restart reload enable disable daemon-reload",
    harmless:
      "--no-pager -l --full -a --all -t --type --state --user --system -n --lines -q --quiet --plain -o --output --failed --no-legend -p --property --value --now",
    values: "tnop",
  },
  journalctl: {
    harmless:
      "--no-pager -u --unit -n --lines -f --follow -e --pager-end -x --catalog -b --boot -k --dmesg -p --priority -r --reverse -o --output -S --since -U --until -q --quiet -g --grep --user --system -a --all -t --identifier -l --full --no-hostname --list-boots --disk-usage -N --fields --utc --case-sensitive",
    values: "unpoSUgtb",
  },
  // JavaScript.
  node: {
    another: "script",
    harmless:
      "-c -v -h --check --version --help --test --test-only --test-name-pattern --test-skip-pattern --test-concurrency --test-timeout --test-force-exit --test-shard --watch --watch-preserve-output --no-warnings --trace-warnings --trace-deprecation --no-deprecation --throw-deprecation --trace-uncaught --enable-source-maps --experimental-strip-types --experimental-transform-types --experimental-test-coverage --max-old-space-size --stack-trace-limit --expose-gc --preserve-symlinks --input-type --title --test-reporter",
    longValues: "--title --input-type --test-name-pattern --test-skip-pattern --test-reporter",
  },
  tsc: {
    harmless:
      "--noEmit -w --watch --pretty --strict -b --build --incremental -p --project --skipLibCheck --listFiles --listFilesOnly --explainFiles --showConfig --traceResolution --diagnostics --extendedDiagnostics --noErrorTruncation --preserveWatchOutput --target -t --module -m --lib --jsx --esModuleInterop --allowJs --checkJs --noUnusedLocals --noUnusedParameters --noImplicitAny --isolatedModules --moduleResolution --resolveJsonModule --declaration -d --emitDeclarationOnly --sourceMap --removeComments --force -f --dry --verbose --clean -v --version -h --help --all",
    operands: ARGUMENT_FILE,
  },
  eslint: {
    harmless:
      "--fix --fix-dry-run --quiet --max-warnings --ext --cache --cache-strategy --color --no-color --no-error-on-unmatched-pattern --no-warn-ignored --pass-on-no-patterns --report-unused-disable-directives --no-inline-config --debug -v --version -h --help --ignore-pattern --no-ignore --stats --exit-on-fatal-error --fix-type --global --env --print-config",
  },
  prettier: {
    harmless:
      "--write -w --check -c -l --list-different --no-config --no-editorconfig --log-level --loglevel --single-quote --jsx-single-quote --tab-width --use-tabs --print-width --no-semi --trailing-comma --prose-wrap --end-of-line --bracket-spacing --arrow-parens -u --ignore-unknown --no-error-on-unmatched-pattern --cache --no-cache --color --no-color --stdin-filepath --support-info -v --version -h --help",
  },
  biome: {
    subs: "check lint format ci version rage explain",
    harmless:
      "--write --fix --unsafe --staged --changed --no-errors-on-unmatched --diagnostic-level --max-diagnostics --error-on-warnings --colors --verbose --files-ignore-unknown --skip --only --indent-style --indent-width --line-width --quote-style -V --version -h --help",
  },
  jest: {
    harmless:
      "--coverage --no-coverage --watch --watchAll --verbose --silent -t --testNamePattern -i --runInBand --ci --bail -b --passWithNoTests -u --updateSnapshot --no-cache --detectOpenHandles --forceExit -w --maxWorkers --onlyChanged -o --lastCommit --findRelatedTests --runTestsByPath --testPathPattern --testPathPatterns --testPathIgnorePatterns --listTests --json --colors --color --no-color --noStackTrace --logHeapUsage --randomize --shard --showConfig --onlyFailures -f --expand -e --all --errorOnDeprecated --testTimeout --seed --clearMocks --version -v --help -h",
    values: "tw",
  },
  vitest: {
    subs: "run watch related bench list",
    harmless:
      "--run --coverage --coverage.enabled -t --testNamePattern --bail --silent --color --no-color --passWithNoTests -u --update -w --watch --retry --project --maxWorkers --no-file-parallelism --fileParallelism --hideSkippedTests --logHeapUsage --isolate --no-isolate --shard --testTimeout --hookTimeout --typecheck --allowOnly --sequence.shuffle --sequence.seed --expandSnapshotDiff --printConsoleTrace --disable-console-intercept -v --version -h --help",
    looks: new RegExp(`${TEST_RUNNER_NAMES.source}|^--changed$`),
    values: "t",
  },
  mocha: {
    harmless:
      "-g --grep -f --fgrep -i --invert -b --bail -t --timeout -s --slow --exit --no-exit --recursive --check-leaks --retries -c --color --no-color -w --watch -p --parallel -j --jobs --forbid-only --forbid-pending -A --async-only --full-trace --inline-diffs --sort --dry-run --diff --no-diff --ignore --extension --pass-on-failing-test-suite -V --version -h --help",
    looks: TEST_RUNNER_NAMES,
    values: "gftsj",
  },
  npx: {
    another: "program",
    harmless: "-y --yes --no --no-install -q --quiet --prefer-offline --prefer-online --offline",
  },
  pnpx: { another: "program" },
  bunx: { another: "program", harmless: "--bun --silent --verbose" },
  // Shells and other languages.
  ...Object.fromEntries("bash sh dash ash".split(" ").map((name) => [name, SHELL])),
  perl: { another: "script", harmless: "-n -p -l -a -w -W -X -T -t -c -s -v -V", looks: /^-0[0-7]{0,4}$/ },
  ruby: { another: "script", harmless: "-n -p -l -a -w -W -c -v -s --version -h --help --verbose --yjit" },
  php: { another: "script", harmless: "-l -n -v -m -i -q -h --version --help --syntax-check" },
  python: {
    another: "script",
    module: "m",
    harmless: "-B -E -s -S -u -v -q -O -OO -b -d -I -P -R -x -V -VV -h --version --help -m",
  },
  pytest: {
    harmless:
      "-v --verbose -q --quiet -x --exitfirst -k -m -s --capture -l --showlocals --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --stepwise-skip --maxfail --tb --durations --durations-min -n --numprocesses --dist --no-header --no-summary --co --collect-only --disable-warnings --disable-pytest-warnings -r --color --cov --cov-branch --cov-fail-under --no-cov --setup-show --fixtures --markers --strict-markers --strict-config --strict --timeout --full-trace --runxfail --show-capture --deselect --ignore --ignore-glob --keep-duplicates --doctest-modules --cache-show --cache-clear --continue-on-collection-errors --reruns --forked --version -V --help -h",
    looks: /^(?:-r[a-zA-Z]+|--cov-report=(?:term|term-missing|term:skip-covered|term-missing:skip-covered))$/,
    values: "kmnr",
    operands: ARGUMENT_FILE,
  },
  mypy: {
    harmless:
      "--strict --ignore-missing-imports --no-incremental --show-error-codes --hide-error-codes --show-column-numbers --show-error-context --pretty --no-pretty --color-output --no-color-output --no-error-summary -v --verbose --namespace-packages --explicit-package-bases --exclude --python-version --platform --follow-imports --check-untyped-defs --no-implicit-optional --strict-optional --no-strict-optional --implicit-reexport --no-implicit-reexport --strict-equality --allow-redefinition --scripts-are-modules --sqlite-cache -p --package -m --module -V --version -h --help",
    looks: /^--(?:warn|no-warn|disallow|allow|enable-error-code|disable-error-code)(?:-[a-z-]+)?(?:=[\w-]+)?$/,
    values: "pm",
    operands: ARGUMENT_FILE,
  },
  ruff: {
    subs: "check format rule version linter clean",
    harmless:
      "--fix --no-fix --fix-only --unsafe-fixes --select --ignore --extend-select --extend-ignore --line-length --output-format -q --quiet -v --verbose -s --silent --diff --check --no-cache -n --exit-zero -e --exit-non-zero-on-fix --statistics --show-fixes --show-files --watch -w --target-version --preview --no-preview --exclude --extend-exclude --force-exclude --isolated --no-respect-gitignore --all -V --version -h --help",
    operands: ARGUMENT_FILE,
  },
  black: {
    harmless:
      "--check --diff --color --no-color -q --quiet -v --verbose -l --line-length -t --target-version -S --skip-string-normalization -C --skip-magic-trailing-comma --fast --safe --preview --exclude --include --extend-exclude --force-exclude -x -W --workers --required-version --pyi --ipynb --version -h --help",
    values: "ltW",
  },
  isort: {
    harmless:
      "-c --check --check-only --diff -q --quiet -v --verbose --profile -l --line-length --atomic --skip --skip-glob --skip-gitignore --version",
    values: "l",
  },
  flake8: {
    harmless:
      "-v --verbose -q --quiet --count --max-line-length --max-complexity --ignore --extend-ignore --select --extend-select --exclude --extend-exclude --statistics --show-source --no-show-source --benchmark -j --jobs --exit-zero --color --version -h --help",
    values: "j",
  },
  uv: {
    subs: "sync lock tree version pip tool python venv add remove init build cache publish export",
    sub: {
      run: { another: "program", harmless: "--frozen --locked --no-sync --offline --quiet -q --no-project --isolated" },
    },
    harmless:
      "-q --quiet -v --verbose --offline --frozen --locked --no-progress --all-extras --no-dev --dev --all-groups -V --version --help",
    operands: { pattern: /^(?:run|exec)$/, why: STARTS.subcommand },
  },
  // Compiled languages.
  gofmt: { style: "single", harmless: "-l -d -w -s -e -h" },
  rustfmt: {
    harmless: "--check --edition --color -l --files-with-diff -q --quiet -v --verbose --backup -V --version -h --help",
  },
  java: {
    style: "single",
    another: "script",
    harmless: "-version -showversion -help -h -jar -ea -enableassertions -da -server",
    looks: /^-X(?:m[snx]|ss)\d+[kmgKMG]?$/,
    operands: ARGUMENT_FILE,
  },
  javac: {
    style: "single",
    harmless:
      "-g -verbose -version -help -Werror -nowarn -deprecation -encoding -source -target -release -parameters -proc:none -d -Xlint",
    looks: /^-Xlint:[\w,-]+$|^-g:\w+$/,
    operands: ARGUMENT_FILE,
  },
  "clang-format": {
    style: "single",
    harmless: "-i -n -dry-run -Werror -verbose -version -help",
    looks: /^--?style=[\w-]+$/,
    operands: ARGUMENT_FILE,
  },
  shellcheck: {
    harmless:
      "-x -a -S -s -f -e -i -o -C -V -W --color --severity --shell --format --exclude --include --enable --version --check-sourced --external-sources --wiki-link-count --list-optional",
    values: "SsfeioCW",
  },
  shfmt: {
    harmless: "-l -d -w -s -i -bn -ci -sr -kp -fn -ln -p -f -list -diff -write -simplify -version -indent",
    style: "single",
  },
};

export const EVERYDAY_PROFILES: ReadonlyMap<string, Profile> = new Map(Object.entries(BY_NAME));
