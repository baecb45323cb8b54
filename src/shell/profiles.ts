import { PSQL_SAYS, SQLITE_SAYS } from "./client-profiles.ts";
import { cutShort } from "./cut-short.ts";
import { GIT } from "./git-profile.ts";
import { STARTS } from "./hazard-reasons.ts";
import { ALL_OTHERS, type Profile } from "./profile.ts";

const PLAIN: Profile = { harmless: ALL_OTHERS };
const READS: Profile = { harmless: ALL_OTHERS, files: { kind: "read" } };

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

const EDITOR: Profile = {
  runs: "-c --cmd -S -s -e -E -i -u -U --eval -l --load -f --funcall --script --execute --remote-expr --remote-send",
  operands: { pattern: /^\+/, why: STARTS.editorCommand },
};

/** The shell's own options, which its reader looks at. Behind the script's name they are the script's. */
const SHELL: Profile = {
  another: "script",
  harmless:
    "-e -l -u -x -v -f -h -m -n -r -E -T -C -B -b -p -s --norc --noprofile --login --noediting --restricted --version --help",
  values: "o",
};

/** By the program's name. Of a program that is in no table, no option is known. */
const BY_NAME: Readonly<Record<string, Profile>> = {
  git: GIT,
  npm: { ...NPM, operands: RUNS_PACKAGES(cutShort("exec x explore edit config set init create c innit pkg")) },
  pnpm: { ...NPM, sub: JS_PACKAGES, another: "script", operands: RUNS_PACKAGES("exec dlx create config init env x") },
  yarn: {
    ...NPM,
    sub: JS_PACKAGES,
    another: "script",
    operands: RUNS_PACKAGES("exec dlx create config init node set policies"),
  },
  find: {
    harmless: ALL_OTHERS,
    style: "single",
    deletes: "-delete",
    writes: "-fprint -fprint0 -fprintf -fls",
    turns: "-files0-from",
  },
  fd: {
    harmless: ALL_OTHERS,
    runs: "-x --exec -X --exec-batch",
    turns: "--ignore-file --base-directory",
    values: "edtEcjSo",
  },
  sed: { harmless: ALL_OTHERS, writes: "-i --in-place", turns: "-f --file", values: "efl", code: "sed" },
  awk: {
    harmless:
      "-F --field-separator -v --assign -b --characters-as-bytes -c --traditional -C --copyright -P --posix -r --re-interval -S --sandbox -t --lint-old -n --non-decimal-data -N --use-lc-numeric -M --bignum -O --optimize -V --version -h --help --csv",
    // `-W source=…` is `--source=…`.
    runs: "-W",
    turns: "-f --file -i --include -l --load -E --exec -o --pretty-print -p --profile -d --dump-variables -D --debug",
    values: "vFfW",
    code: "awk",
  },
  sort: {
    harmless: ALL_OTHERS,
    runs: "--compress-program",
    writes: "-o --output",
    turns: "-T --temporary-directory --files0-from",
    values: "kSt",
  },
  uniq: { harmless: ALL_OTHERS, operands: { from: 1, why: "writes a file" }, values: "fsw" },
  shuf: { harmless: ALL_OTHERS, writes: "-o --output", values: "in" },
  split: { harmless: ALL_OTHERS, runs: "--filter", writes: "-a", operands: { why: "writes files" } },
  csplit: { harmless: ALL_OTHERS, operands: { why: "writes files" } },
  tee: { harmless: ALL_OTHERS, files: { kind: "write" } },
  tree: { harmless: ALL_OTHERS, writes: "-o --output -R" },
  date: {
    harmless: ALL_OTHERS,
    turns: "-s --set -f --file -r --reference",
    values: "d",
    operands: { pattern: /^[^+]/, why: "sets the clock" },
  },
  hostname: { harmless: ALL_OTHERS, turns: "-F --file -b", operands: { why: "sets the name of the machine" } },
  man: {
    harmless:
      "-k --apropos -f --whatis -a --all -w -W --where --path -s -S --sections -K --global-apropos -i --ignore-case -I --match-case -u --update --regex --wildcard --names-only -h --help -V --version",
    runs: "-P --pager -H --html -C --config-file -M -m -l --local-file -E -T -X -Z -t -R",
  },
  less: {
    harmless:
      "-S -R -r -N -n -F -X -i -I -M -m -E -e -s -q -Q -K -c -g -G -w -W -a -f -u -U -V --chop-long-lines --RAW-CONTROL-CHARS --LINE-NUMBERS --quit-if-one-screen --no-init --ignore-case --version --help",
    runs: "-k --lesskey-file --lesskey-src --lesskey-content -o --log-file -O --LOG-FILE -T --tag-file -t --tag -p --pattern",
    operands: { pattern: /^\+/, why: STARTS.pagerCommand },
    files: { kind: "read" },
  },
  more: { harmless: ALL_OTHERS, operands: { pattern: /^\+/, why: STARTS.pagerCommand }, files: { kind: "read" } },
  jq: { harmless: ALL_OTHERS, turns: "-f --from-file -L --library-path --slurpfile --rawfile --argfile", values: "" },
  yq: {
    harmless:
      "-r -e -n -P -o -p -j -c -C -M -N -S -I -y -Y -V -v -h --raw-output --output-format --input-format --prettyPrint --exit-status --null-input --colors --no-colors --no-doc --indent --tojson --compact-output --sort-keys --yaml-output --version --help",
    values: "opI",
    writes: "-i --inplace -s --split-exp",
    turns: "-f --from-file",
  },
  rg: {
    harmless: ALL_OTHERS,
    runs: "--pre --search-zip -z --hostname-bin",
    turns: "-f --file --ignore-file --pre-glob",
    values: "eAgBCdEjMmrtT",
  },
  ag: { harmless: ALL_OTHERS, runs: "--pager", turns: "-p --path-to-ignore" },
  ack: {
    harmless:
      "-i -v -w -l -L -c -n -h -H -s -x -1 -A -B -C -m -o -Q --ignore-case --invert-match --word-regexp --files-with-matches --count --no-filename --color --nocolor --nogroup --group --type --python --perl --js --ruby --cc --html --version --help",
    values: "ABCm",
    runs: "--pager --ackrc",
  },
  bat: {
    harmless:
      "-p --plain -n --number -A --show-all -r --line-range -l --language -H --highlight-line --style --color --theme --tabs --wrap --terminal-width -P --decorations --list-languages --list-themes -L -V --version -h --help",
    values: "rlH",
    looks: /^--paging=never$/,
    runs: "--pager --diff-cmd",
    turns: "--config-file",
  },
  grep: { harmless: ALL_OTHERS, turns: "-f --file --exclude-from", values: "ABCDdem" },
  cat: READS,
  tac: READS,
  head: { harmless: ALL_OTHERS, files: { kind: "read" }, values: "nc" },
  tail: { harmless: ALL_OTHERS, files: { kind: "read" }, values: "nc", turns: "--pid" },
  nl: READS,
  od: READS,
  hexdump: { harmless: ALL_OTHERS, files: { kind: "read" }, turns: "-f", values: "ens" },
  strings: { harmless: ALL_OTHERS, files: { kind: "read" }, values: "ntes" },
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
  wc: { harmless: ALL_OTHERS, files: { kind: "read" }, turns: "--files0-from" },
  du: { harmless: ALL_OTHERS, turns: "--files0-from -X --exclude-from" },
  xxd: { harmless: ALL_OTHERS, writes: "-r -revert", operands: { from: 1, why: "writes a file" } },
  dd: { harmless: ALL_OTHERS, operands: { pattern: /^of=/, why: "writes a file" } },
  file: { harmless: ALL_OTHERS, writes: "-C --compile", turns: "-m --magic-file -f --files-from", values: "eFP" },
  curl: {
    harmless:
      "-s --silent -S --show-error -f --fail --fail-with-body --fail-early -L --location -I --head -v --verbose -i --include --show-headers -k --insecure -X --request -A --user-agent -e --referer -u --user -m --max-time --connect-timeout --retry --retry-delay --retry-max-time --retry-connrefused --retry-all-errors --compressed -g --globoff -G --get -4 --ipv4 -6 --ipv6 -0 --http1.0 --http1.1 --http2 --http3 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 -N --no-buffer -# --progress-bar --no-progress-meter -r --range -y --speed-time -Y --speed-limit --limit-rate --max-redirs --max-filesize --keepalive-time --no-keepalive --path-as-is --proto --proto-default --proto-redir --anyauth --basic --digest --ntlm --negotiate -l --list-only -Z --parallel --parallel-max --tcp-nodelay --raw --styled-output -q --disable -V --version -h --help",
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
    harmless:
      "-q --quiet -v --verbose -nv --no-verbose -c --continue -S --server-response -t --tries -T --timeout -w --wait --random-wait -N --timestamping -r --recursive -l --level -np --no-parent -nd --no-directories -nc --no-clobber -nH --no-host-directories -x --force-directories -k --convert-links -p --page-requisites -m --mirror -A --accept -R --reject -D --domains -H --span-hosts -L --relative -U --user-agent -Q --quota -b --background -d --debug -4 --inet4-only -6 --inet6-only --spider --show-progress --progress --no-check-certificate --content-disposition --trust-server-names --limit-rate --max-redirect --header --referer --user --password --http-user --http-password --no-proxy --no-cache --no-cookies --cut-dirs --exclude-directories -X --include-directories -I --delete-after --retry-connrefused --waitretry --dns-timeout --connect-timeout --read-timeout --secure-protocol --https-only --no-hsts --method --ignore-length --adjust-extension -E --no-iri --compression -h --help -V --version",
    runs: "--use-askpass -e --execute",
    writes:
      "-O --output-document -P --directory-prefix -o --output-file -a --append-output --save-cookies --warc-file --rejected-log --hsts-file",
    turns: "-i --input-file --config --post-file --body-file --load-cookies --ca-certificate --private-key",
    values: "tTUQlwARDXI",
  },
  tar: {
    harmless: ALL_OTHERS,
    runs: "--to-command --checkpoint-action -I --use-compress-program --rsh-command --rmt-command -F --info-script --new-volume-script",
    writes:
      "-x --extract --get -c --create --index-file --volno-file -g --listed-incremental -r --append -u --update -A --catenate --concatenate --delete --remove-files -f --file",
    turns: "-T --files-from -C --directory -P --absolute-names -X --exclude-from",
    operands: { from: 0, pattern: /^[a-zA-Z]*[xcruAIfFTCPX][a-zA-Z]*$/, why: STARTS.archive },
  },
  zip: { harmless: ALL_OTHERS, runs: "-TT --unzip-command -T --test", operands: { why: "writes a file" } },
  unzip: { harmless: ALL_OTHERS, writes: "-o -d -x", operands: { why: "writes files" } },
  gzip: { harmless: ALL_OTHERS, operands: { why: "replaces files" } },
  gunzip: { harmless: ALL_OTHERS, operands: { why: "replaces files" } },
  rsync: {
    harmless:
      "-a --archive -v --verbose -r --recursive -z --compress -n --dry-run -u --update -h --human-readable -P --progress --partial -l --links -p --perms -t --times -g --group -o --owner -D --devices --specials -i --itemize-changes -q --quiet --stats -x --one-file-system -c --checksum -S --sparse -H --hard-links -A --acls -X --xattrs -W --whole-file -L --copy-links -k --copy-dirlinks -K --keep-dirlinks -O --omit-dir-times -J -R --relative -m --prune-empty-dirs -d --dirs -E --executability -I --ignore-times -0 -8 -4 -6 --include --exclude -C --cvs-exclude --size-only --existing --ignore-existing --max-size --min-size --bwlimit --timeout --contimeout --info --debug --no-owner --no-group --no-perms --no-times --chmod --inplace --append --append-verify --numeric-ids --safe-links --munge-links --compress-level --list-only --port --version --help",
    runs: "-e --rsh --rsync-path --server -M --remote-option",
    writes: "--log-file --write-batch --only-write-batch",
    deletes: "--delete --remove-source-files",
    turns: "--files-from --include-from --exclude-from --config -f --filter --password-file",
  },
  ssh: { harmless: ALL_OTHERS, runs: "-o -F -E -I -S -J -L -R -D -W -w -t -T -A -X -Y -M -O -f -N", values: "bcelmpQ" },
  scp: { harmless: ALL_OTHERS, runs: "-o -F -S -D -J", values: "cilPX" },
  sftp: { harmless: ALL_OTHERS, runs: "-o -F -S -D -b -J", values: "BcilPR" },
  make: {
    harmless:
      "-b -m -B --always-make -d --debug -h --help -i --ignore-errors -j --jobs -k --keep-going -l --load-average -L -n --just-print --dry-run --recon -p --print-data-base -q --question -r --no-builtin-rules -R --no-builtin-variables -s --silent --quiet --no-silent -S --no-keep-going --stop -t --touch --trace -v --version -w --print-directory --no-print-directory --warn-undefined-variables -O --output-sync --shuffle",
    values: "jlO",
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
  vi: EDITOR,
  vim: EDITOR,
  nvim: EDITOR,
  view: EDITOR,
  ex: EDITOR,
  ed: { operands: { why: STARTS.editor } },
  emacs: EDITOR,
  nano: { operands: { why: STARTS.editor } },
  patch: {
    harmless:
      "-p --strip -R --reverse -N --forward -f --force -t --batch -u --unified -c --context -n --normal -l --ignore-whitespace -b --backup -s --silent --quiet --dry-run --verbose -E --remove-empty-files -F --fuzz --binary -v --version --help",
    values: "pF",
    writes: "-o --output -i --input -r --reject-file -d --directory",
    operands: { why: "changes files" },
  },
  openssl: {
    harmless:
      "-in -text -noout -subject -issuer -dates -enddate -startdate -fingerprint -serial -pubkey -modulus -inform -outform -days -connect -servername -showcerts -verify -verify_return_error -checkend -sha1 -sha256 -sha384 -sha512 -md5 -hex -base64 -d -e -a -A -r -c -binary -nodes -noenc -help -v -CAfile -CApath -nameopt -purpose -ext -hash -email -pbkdf2 -iter -salt -aes-256-cbc -alpn -tls1_2 -tls1_3 -brief -quiet",
    style: "single",
    runs: "-engine -provider -provider-path -provider_path -ssl_client_engine",
    sub: { engine: { style: "single", runs: "-pre -post", operands: { why: STARTS.subcommand } } },
    writes: "-out -keyout -writerand",
    turns: "-config",
  },
  sqlite3: {
    harmless:
      "-header -headers -noheader -csv -json -line -column -list -html -markdown -box -table -quote -tabs -ascii -readonly -separator -newline -nullvalue -batch -bail -echo -version -help -safe -interactive -stats",
    style: "single",
    runs: "-cmd -init",
    operands: { pattern: /^\s*\./, why: STARTS.sqliteCommand },
    says: SQLITE_SAYS,
  },
  psql: {
    harmless:
      "-A --no-align -t --tuples-only -q --quiet -X --no-psqlrc -c --command -d --dbname -h --host -p --port -U --username -l --list -e --echo-queries -E --echo-hidden -a --echo-all -b --echo-errors -n --no-readline -S --single-line -1 --single-transaction -x --expanded -H --html --csv -F --field-separator -R --record-separator -P --pset -T --table-attr -z -0 -w --no-password -W --password -v -V --version",
    values: "cdhpUFRPT",
    looks: /^--(?:set|variable)=[A-Za-z_]\w*=/,
    // A prompt may hold a command, and variables name files.
    begins: /^(?:-\w*v|--(?:set|variable)=)?(?:PROMPT|HISTFILE)/,
    runs: "-f --file -o --output -L --log-file",
    operands: { pattern: /\\/, why: STARTS.psqlCommand },
    says: PSQL_SAYS,
  },
  nc: {
    harmless: "-z -v -w -n -u -l -k -4 -6 -q -N -d -D -h",
    runs: "-e -c --exec --sh-exec --lua-exec",
    values: "pqsw",
  },
  ncat: {
    harmless: "-z -v -w -n -u -l -k -4 -6 -q -N -d -D -h",
    runs: "-e -c --exec --sh-exec --lua-exec",
    values: "pqsw",
  },
  socat: {
    operands: { pattern: /^(?:EXEC|SYSTEM|SHELL|OPEN|CREATE|GOPEN|PIPE|FILE)/i, why: STARTS.address },
  },
  nmap: {
    looks:
      /^-(?:s[STUVnLA]+|p[\d,-]*|P[nESAUP][\d,]*|T[0-5]|v+|d+|n|R|F|O|r|6|h|V|-open|-reason|-top-ports(?:=\d+)?|-version|-traceroute|-max-retries=\d+|-host-timeout=\w+)$/,
    values: "",
    runs: "--script -iL -oN -oA -oX -oG --datadir --resume",
  },
  tcpdump: {
    harmless:
      "-i -n -v -c -e -A -X -x -q -s -t -D -l -p -K -S -N -O -u -# -h --version --interface --count --list-interfaces",
    values: "ics",
    runs: "-z",
    writes: "-w",
  },
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
  crontab: { operands: { why: STARTS.later } },
  at: { operands: { why: STARTS.later } },
  echo: PLAIN,
  pwd: PLAIN,
  ...Object.fromEntries("bash sh dash ash".split(" ").map((name) => [name, SHELL])),
  perl: { another: "script", harmless: "-n -p -l -a -w -W -X -T -t -c -s -v -V", looks: /^-0[0-7]{0,4}$/ },
  ruby: { another: "script", harmless: "-n -p -l -a -w -W -c -v -s --version -h --help --verbose --yjit" },
  php: { another: "script", harmless: "-l -n -v -m -i -q -h --version --help --syntax-check" },
};

export const PROFILES: ReadonlyMap<string, Profile> = new Map(Object.entries(BY_NAME));
