import { cutShort } from "./cut-short.ts";
import { STARTS } from "./hazard-reasons.ts";
import { ALL_OTHERS, type Profile } from "./profile.ts";

const SCRIPT_RUNNER = "--script-shell --node-options --shell --shell-mode";
const NPM: Profile = {
  runs: `${SCRIPT_RUNNER} --init-module --git --editor --browser --viewer`,
  turns: "--prefix -C --userconfig --globalconfig --registry --cache --node-gyp --dir --cwd --modules-folder --config",
  another: "--",
  harmless:
    "-s --silent -q --quiet -d --verbose --json --long -l --parseable -D --save-dev --save --save-exact -E --save-prod -P --production --only --omit --include --no-save --no-audit --no-fund --no-package-lock --prefer-offline --offline --if-present --workspaces -ws --workspace -w --include-workspace-root -iwr --loglevel --color --no-color --progress --no-progress --depth --all -a --dry-run --ignore-scripts --help -h --version -v --frozen-lockfile --recursive -r --filter --parallel --stream --immutable --check-files --flat --fund --audit --audit-level --no-optional --legacy-peer-deps --global -g -y --yes -f --force",
  values: "w",
};
/** Behind other words of pnpm and yarn options are those of a script. */
const JS_PACKAGES: Required<Profile>["sub"] = {
  ...Object.fromEntries(
    "install i add remove rm uninstall update up upgrade list ls outdated audit why info view publish pack link unlink prune store licenses dedupe workspaces workspace cache import fetch root bin help"
      .split(" ")
      .map((name): [string, Profile] => [name, NPM]),
  ),
  exec: { another: "program" },
  dlx: { another: "program" },
};
const RUNS_PACKAGES = (names: string): Required<Profile>["operands"] => ({
  pattern: new RegExp(`^(?:${names.replaceAll(" ", "|")})$`),
  first: true,
  why: STARTS.subcommand,
});

/** Compilers load plugins and start others. */
const COMPILER: Profile = {
  style: "single",
  harmless:
    "-c -S -E -o -g -v -w -s -I -D -U -L -l -M -MM -MD -MMD -MP -MG -P -C -H -ansi -pedantic -pedantic-errors -pipe -shared -static -pie -no-pie -pthread -rdynamic -nostdlib -nostartfiles -x -arch -print-search-dirs -version -help -dumpversion -dumpmachine -print-file-name -lm",
  looks:
    /^-(?:O[0-3sgz]|Ofast|g[0-9]|ggdb[0-9]?|std=[\w+]+|W(?![lpa],)[\w+-]*(?:=\d+)?|[IL][\w./-]+|[DU]\w+(?:=.*)?|l[\w.+-]+|f(?:no-)?(?:PIC|pic|PIE|pie|openmp|permissive|exceptions|rtti|inline|strict-aliasing|omit-frame-pointer|stack-protector(?:-\w+)?|common|builtin|diagnostics-color(?:=\w+)?|color-diagnostics|sanitize=[\w,]+|syntax-only|visibility=\w+|math-errno|fast-math|data-sections|function-sections|lto|unroll-loops|coverage)|m(?:64|32|arch=[\w.+-]+|tune=[\w.+-]+|avx\w*|sse[\w.]*|fma|native)|-coverage|-version|-help)$/,
  begins: /^--?(?:wrapper|fplugin|specs|B|W[lpa],|X|fuse-ld|load|plugin|dumpdir|imultilib|isysroot|sysroot)/,
  operands: { pattern: /^@/, why: "names a file with more options" },
};

/** Package managers, compilers and other programs that build or run projects. */
export const BUILD_PROFILES: Readonly<Record<string, Profile>> = {
  npm: { ...NPM, operands: RUNS_PACKAGES(cutShort("exec x explore edit config set init create c innit pkg")) },
  pnpm: { ...NPM, sub: JS_PACKAGES, another: "script", operands: RUNS_PACKAGES("exec dlx create config init env x") },
  yarn: {
    ...NPM,
    sub: JS_PACKAGES,
    another: "script",
    operands: RUNS_PACKAGES("exec dlx create config init node set policies"),
  },
  make: {
    harmless:
      "-b -m -B --always-make -d --debug -h --help -i --ignore-errors -j --jobs -k --keep-going -l --load-average -L -n --just-print --dry-run --recon -p --print-data-base -q --question -r --no-builtin-rules -R --no-builtin-variables -s --silent --quiet --no-silent -S --no-keep-going --stop -t --touch --trace -v --version -w --print-directory --no-print-directory --warn-undefined-variables -O --output-sync --shuffle",
    looks: /^-[bmBdhiknpqrRsStvw]*[jl]\d*$|^-O(?:none|line|target|recurse)$/,
    runs: "--eval -E",
    turns: "-f --file --makefile -C --directory -I --include-dir -W --what-if -o --old-file -e --environment-overrides",
    operands: { pattern: /=/, why: STARTS.makeVariable },
  },
  go: {
    harmless:
      "-v -race -run -skip -count -short -timeout -bench -benchmem -benchtime -cover -covermode -coverpkg -cpu -parallel -failfast -fullpath -list -shuffle -json -tags -x -n -a -work -p -trimpath -mod -msan -asan -buildvcs -buildmode -m -u -f -e -deps -test -find -versions -retracted -modcache -cache -testcache -i -r -all -c -cmd -src -diff -h -help",
    subs: "build test vet list fmt doc mod version clean fix help run generate tool env install get work bug telemetry",
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
    another: "--",
    subs: "build b check c test t bench clippy fmt doc d tree metadata update search locate-project pkgid fetch generate-lockfile clean version help package add remove rm fix info run r install uninstall publish yank owner login init new watch make script",
    harmless:
      "-v -vv --verbose -q --quiet --release -r --all --workspace --all-features --features -F --no-default-features --lib --bin --bins --example --examples --test --tests --bench --benches --all-targets -p --package --exclude -j --jobs --profile --offline --locked --frozen --color --message-format --no-run --no-fail-fast --doc --keep-going --version -V --list -e --edges -i --invert --depth --check --no-deps --document-private-items -d --duplicates --format-version --filter-platform --dry-run --fix --allow-dirty --allow-staged --aggressive --precise --limit --dev --build --optional -n -h --help",
    values: "Fpjei",
    runs: "--config",
    turns: "--manifest-path -Z --target-dir --lockfile-path -C",
    operands: {
      first: true,
      pattern: /^(?:run|r|install|uninstall|publish|yank|owner|login|init|new|watch|make|script|\+.*)$/,
      why: STARTS.orChanges,
    },
  },
  docker: {
    harmless:
      "-a --all -q --quiet -f --filter --format --follow -n --tail --since --until --no-trunc -t --timestamps --time -s --size --details -v --volumes --digests --latest --no-stream --limit --force -h --help --version",
    longValues: "--filter --format --tail --since --until",
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
  gdb: {
    harmless: ALL_OTHERS,
    runs: "-ex -iex -x -ix --command --eval-command --args -p",
    // Its names stand behind one dash or two, and may be cut short.
    begins:
      /^--?(?!-?(?:batch|batch-silent|q|quiet|silent|n|nx|nh|v|version|h|help|nw|w|tui|write|readnow|readnever|return-child-result)$)/,
  },
  svn: {
    harmless:
      "-v --verbose -q --quiet -r --revision -m --message -c --change -g --use-merge-history -u --show-updates -N --non-recursive --depth -l --limit --stop-on-copy --xml --non-interactive --summarize --username --password --no-auth-cache --no-ignore --ignore-externals --incremental --recursive -R --force --parents --strip -x --extensions --search --show-item --version --help -h",
    values: "rmclx",
    runs: "--config-option --editor-cmd --diff-cmd --diff3-cmd --config-dir",
  },
  hg: {
    harmless:
      "-v --verbose -q --quiet -r --rev -m --message -l --limit -u --user -U -d --date -b --branch -p --patch --stat -g --git -A --addremove -n --no-status -a --all -c --change --clean -C -f --force -k --keyword -i -t --template -T -M --no-merges -G --graph --hidden -y --noninteractive -I --include -X --exclude -w -B --version -h --help",
    values: "rmludbckTIX",
    runs: "--config --cwd -R --repository",
  },
  pip: {
    harmless:
      "-v --verbose -q --quiet --outdated -o --uptodate -u -e --editable --local -l --user --format --not-required --all -a -f --files -V --version -h --help --no-cache-dir --disable-pip-version-check --no-color --no-input --exclude --exclude-editable --include-editable --pre --require-virtualenv --no-python-version-warning",
    operands: {
      first: true,
      pattern: /^(?:install|download|wheel|uninstall|config|cache)$/,
      why: "runs code of packages",
    },
    turns: "--python --target --prefix --root --index-url -i --extra-index-url",
  },
};
