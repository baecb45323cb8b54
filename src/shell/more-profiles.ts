import { CLIENT_PROFILES } from "./client-profiles.ts";
import { CONTAINER_PROFILES, first } from "./container-profiles.ts";
import { STARTS } from "./hazard-reasons.ts";
import { BEHIND } from "./launchers.ts";
import { MEDIA_PROFILES } from "./media-profiles.ts";
import { ALL_OTHERS, type Profile } from "./profile.ts";
import { PROFILES } from "./profiles.ts";

const EDITS: Profile = { operands: { why: STARTS.editor } };
const APT: Profile = {
  harmless:
    "-y --yes --assume-yes -q --quiet -qq -s --simulate --dry-run --just-print -d --download-only -V --verbose-versions -u --upgradable --installed --upgradeable -a --all-versions --no-install-recommends --install-recommends --purge --autoremove --auto-remove --reinstall --only-upgrade --no-upgrade --fix-missing -f --fix-broken -m --names-only -n --full --no-all-versions --show-progress -h --help -v --version",
  runs: "-o --option -c --config-file",
};
/** A plugin is code that the program loads. */
const PLUGINS: Profile = {
  harmless: ALL_OTHERS,
  runs: "--plugin",
  operands: { pattern: /^@/, why: "names a file with more options" },
};
const TRACES: Profile = { runs: "-e -c -n -s -w --unsafe" };
const FINDS: Profile = {
  harmless:
    "-f --filter -q --query -e --exact -m --multi -i -1 --select-1 -0 --exit-0 --print0 --read0 --reverse --height --layout --border --ansi --no-sort --tac -n --nth -d --delimiter --with-nth --prompt --header --version --help",
  values: "fqnd",
  runs: "--preview --bind --execute --with-shell --become --listen --listen-unsafe",
};

const DENO: Profile = {
  harmless:
    "-A --allow-all -q --quiet --no-check --check --no-prompt --cached-only --no-remote --no-npm --no-lock --watch --parallel --fail-fast --filter --coverage --shuffle --doc --json --fix --rules -r --reload",
  looks: /^--(?:allow|deny)-(?:read|write|net|env|sys|run|ffi|import)(?:=.*)?$/,
};

const RPM: Profile = {
  // Without a query `-i` installs.
  looks: /^-q[acdfilpRsv]+$/,
  harmless:
    "-q --query -a --all --info -l --list -f --file -p --package -c --configfiles -d --docfiles --whatprovides --whatrequires -R --requires --provides --changelog --last --scripts -V --verify --qf --queryformat -v -h --hash --version --help --nosignature --nodigest",
  runs: "--eval -E --pipe --define -D --macros --rcfile --load",
  says: /%\(|%\{lua:/,
};

/** Further programs with options that start others. What script tools may give them is not said by these. */
const BY_NAME: Readonly<Record<string, Profile>> = {
  ...CLIENT_PROFILES,
  ...CONTAINER_PROFILES,
  ...MEDIA_PROFILES,
  pipx: { operands: first("run runpip") },
  fish: { another: "script", harmless: "-N --no-config -n --no-execute -P --private -l --login -i --interactive -v" },
  deno: {
    sub: {
      run: { ...DENO, another: "script" },
      test: DENO,
      bench: DENO,
      fmt: DENO,
      lint: DENO,
      check: DENO,
      info: DENO,
      doc: DENO,
      cache: DENO,
      task: { another: "script" },
    },
    subs: "types completions upgrade",
    harmless: "-q --quiet -V",
  },
  bun: { operands: first("x exec create c init") },
  mix: { operands: first("run eval cmd do archive.install escript.install") },
  bazel: { runs: "--run_under --shell_executable --bazelrc", operands: first("run") },
  brew: {
    harmless:
      "-v --verbose -q --quiet -d --debug -n --dry-run --cask --formula --json --versions --installed --outdated -g --greedy --full-name -1 -l -r -t --zap --force -f --help -h --version --prefix",
    operands: first("sh irb ruby edit exec"),
  },
  red: { operands: { why: STARTS.editor } },
  ...Object.fromEntries("joe jed ne micro hx helix mcedit pico".split(" ").map((name) => [name, EDITS])),
  fzf: FINDS,
  sk: FINDS,
  gpg: {
    harmless:
      "-k --list-keys --list-public-keys -K --list-secret-keys --list-sigs --check-sigs --fingerprint --verify --armor -a --export --detach-sign -b --clearsign --clear-sign --encrypt -e --decrypt -d --sign -s --symmetric -c -r --recipient -u --local-user --batch --yes --no-tty -q --quiet -v --verbose --with-colons --keyid-format --dry-run -n --import --with-fingerprint --version --help -h --gen-random --print-md --show-keys",
    values: "ru",
    runs: "--agent-program --dirmngr-program --keyboxd-program --photo-viewer --exec-path --keyserver-options --options --homedir",
  },
  gpgsm: { runs: "--agent-program --dirmngr-program --keyboxd-program --protect-tool-program --options --homedir" },
  bsdtar: PROFILES.get("tar") ?? {},
  netcat: PROFILES.get("nc") ?? {},
  "nc.traditional": PROFILES.get("nc") ?? {},
  "nc.openbsd": PROFILES.get("nc") ?? {},
  cpio: {
    harmless:
      "-i -o -p -d -v -u -m -t -a -0 -H -V -l -n -c -L --extract --create --list --make-directories --verbose --null --format --quiet",
    runs: "--rsh-command",
  },
  install: { harmless: ALL_OTHERS, runs: "--strip-program" },
  diff3: { harmless: ALL_OTHERS, runs: "--diff-program" },
  sdiff: { harmless: ALL_OTHERS, runs: "--diff-program", writes: "-o --output" },
  delta: { runs: "--pager", turns: "--config" },
  sshfs: { runs: "-F", says: /(?:ssh_command|ProxyCommand|LocalCommand|sftp_server|directport|slave|passive)/i },
  "ssh-copy-id": { runs: "-o -F" },
  "ssh-keygen": {
    harmless: "-t -b -C -N -f -l -L -p -q -v -y -e -i -F -R -H -E -m -A -P -B",
    values: "tbCNfFREmP",
    runs: "-D -w",
  },
  "ssh-add": { harmless: "-l -L -d -D -x -X -k -q -v -E", runs: "-s -S" },
  rclone: { runs: "--password-command --sftp-ssh --metadata-mapper", turns: "--config" },
  restic: { runs: "--password-command -o --option", turns: "--password-file" },
  borg: { runs: "--rsh --remote-path" },
  "rdiff-backup": { runs: "--remote-schema" },
  unison: { style: "single", runs: "-sshcmd -rshcmd -servercmd -sshargs -rshargs -diff -merge" },
  apt: APT,
  "apt-get": APT,
  "apt-cache": APT,
  aptitude: APT,
  dpkg: {
    harmless:
      "-l --list -L --listfiles -s --status -S --search -p --print-avail -I --info -c --contents -V --verify --print-architecture --get-selections --compare-versions --audit -C --version --help --dry-run --simulate --no-act -h",
    runs: "--pre-invoke --post-invoke --status-logger --admindir --instdir --root",
  },
  rpm: RPM,
  rpmquery: RPM,
  rpmverify: RPM,
  rpmspec: RPM,
  rpmbuild: RPM,
  yum: {
    harmless:
      "-y --assumeyes -q --quiet -v --verbose -C --cacheonly --showduplicates -h --help --version --installed --available --updates --all",
    runs: "--setopt -c --config --installroot",
  },
  dnf: {
    harmless:
      "-y --assumeyes -q --quiet -v --verbose -C --cacheonly --showduplicates -h --help --version --installed --available --updates --all",
    runs: "--setopt -c --config --installroot",
  },
  pacman: {
    harmless: "-Q -Qi -Ql -Qo -Qs -Qe -Qm -Qu -Qdt -Qq -Qk -Ss -Si -Sl -Sg -Sw -F -Fl --noconfirm --color -V -h",
    runs: "--hookdir --config --gpgdir --sysroot --root",
  },
  sysctl: { says: /core_pattern|kernel[./](?:modprobe|hotplug|poweroff_cmd)/ },
  mdadm: { runs: "--program" },
  tshark: {
    harmless: "-i -n -c -r -Y -f -T -e -E -V -x -q -z -t -d -s -D",
    values: "icrYfTeEztds",
    runs: "-X",
    writes: "-w",
  },
  wireshark: { runs: "-X" },
  bpftrace: TRACES,
  dtrace: TRACES,
  rustc: {
    harmless:
      "-O -g -o --edition --crate-type --crate-name --test -v --verbose -V -A -W -D -F --cap-lints --explain --print --emit --error-format --color -h",
    values: "oAWDF",
    says: /(?:^|-C|=)(?:linker|link-args?|ar|codegen-backend)=/,
    runs: "-Z",
  },
  tcc: { begins: /^-(?:run|B|bench)/ },
  ghc: { begins: /^-(?:e|pgm|fplugin|F$)/ },
  kotlinc: { style: "single", runs: "-script -Xplugin -expression" },
  mvn: {
    harmless:
      "-q --quiet -B --batch-mode -U --update-snapshots -o --offline -e --errors -X --debug -am --also-make -amd -pl --projects -T --threads -N --non-recursive -v --version -V --show-version -ff --fail-fast -fae --fail-at-end -fn --fail-never -ntp --no-transfer-progress -rf --resume-from -nsu -h --help",
    looks:
      /^-D(?:skipTests|skipITs|maven\.test\.skip|test|it\.test|failIfNoTests|surefire\.failIfNoSpecifiedTests|checkstyle\.skip|spotbugs\.skip|maven\.javadoc\.skip)(?:=[\w.*#,+!-]+)?$/,
    turns: "-f --file -s --settings -gs --global-settings",
    values: "T",
    says: /^(?:-D)?(?:exec\.|jvm=|maven\.ext|\S*executable=)|(?:^|:)exec(?:-maven-plugin)?:/,
  },
  gradle: {
    harmless:
      "-q --quiet -i --info -d --debug -w --warn -s --stacktrace -S --full-stacktrace --no-daemon --daemon --parallel --no-parallel --offline --build-cache --no-build-cache --console --continue -m --dry-run --rerun-tasks --refresh-dependencies --tests --warning-mode -x --exclude-task --status --stop -v --version -h --help -t --continuous --configure-on-demand --max-workers --profile --all --rerun",
    runs: "-I --init-script",
    turns: "-b --build-file -c --settings-file -p --project-dir -g --gradle-user-home",
    values: "x",
  },
  bmake: {
    harmless: "-n -k -s -i -j -B -d -q -t -w",
    values: "j",
    runs: "-C",
    turns: "-f -I -m",
    operands: { pattern: /=/, why: STARTS.makeVariable },
  },
  remake: PROFILES.get("make") ?? {},
  cmake: {
    another: "--",
    harmless:
      "-S -B -G --build --target -t -j --parallel --config --clean-first -v --verbose --version --help --preset --list-presets -N -L -LA -LAH -A -T -U --fresh --log-level -Wno-dev -Wdev --install --prefix --component --strip",
    looks:
      /^-D(?:CMAKE_BUILD_TYPE|BUILD_SHARED_LIBS|BUILD_TESTING|CMAKE_EXPORT_COMPILE_COMMANDS|CMAKE_C(?:XX)?_STANDARD|CMAKE_INSTALL_PREFIX|CMAKE_VERBOSE_MAKEFILE)(?::\w+)?=[\w./+-]*$/,
    runs: "-P -E -C",
    values: "GTBSUAtj",
    says: /(?:COMPILER|LAUNCHER|LINKER|PROGRAM|EMULATOR|INCLUDE(?:_BEFORE)?)(?::\w+)?=|^(?:SHELL|MAKEFLAGS)=/,
  },
  ctest: {
    harmless:
      "-V -VV -N -C -R -E -L -LE -I -Q -j -verbose -output-on-failure -parallel -test-dir -rerun-failed -stop-on-failure -timeout -repeat -build-config -show-only -no-tests -progress -quiet -version -help",
    looks: /^-j\d+$/,
    style: "single",
    runs: "-S -SP -script -build-and-test -D -dashboard -launch",
  },
  ninja: { harmless: "-v -j -k -n -l -d -w -h --version --verbose --quiet --help", values: "jklw", turns: "-f -C -t" },
  just: {
    harmless:
      "-l --list --summary --dry-run -n --verbose -v --quiet -q --show -s --evaluate --fmt --check --unstable --dump --yes --color --version -V --help -h --no-deps",
    runs: "-c --command --shell --shell-arg --shell-command --chooser --set --choose -e --edit",
    turns: "-f --justfile -d --working-directory --dotenv-path --dotenv-filename",
  },
  rake: {
    harmless:
      "-T --tasks -n --dry-run -q --quiet -s --silent -v --verbose -t --trace -j --jobs -m --multitask -P --prereqs -D --describe -W --where -A --all -V --version -h -H --help",
    runs: "-e --execute -E --execute-continue -p --execute-print -r --require",
    turns: "-f --rakefile -R -I -C",
  },
  // Modules of Python.
  timeit: { runs: "-s --setup", operands: { why: STARTS.code } },
  pdb: { runs: "-c --command" },
  IPython: { runs: "-c" },
  "clang-tidy": { style: "single", runs: "-load -config-file -extra-arg-before -extra-arg" },
  nm: PLUGINS,
  ar: PLUGINS,
  ranlib: PLUGINS,
  ld: { style: "single", runs: "-plugin -dynamic-linker -T" },
  certbot: {
    harmless:
      "-n --non-interactive -q --quiet -v --verbose -d --domain --domains --cert-name --dry-run --agree-tos -m --email",
    runs: "--pre-hook --post-hook --deploy-hook --renew-hook --manual-auth-hook --manual-cleanup-hook -c --config --config-dir",
  },
  openvpn: {
    runs: "--up --down --ipchange --route-up --route-pre-down --tls-verify --tls-crypt-v2-verify --auth-user-pass-verify --client-connect --client-disconnect --client-crresponse --learn-address --dns-updown --plugin --iproute --config --cd",
  },
  pidstat: { harmless: "-u -d -r -p -t -h -l -s -w -H -I -R -U -V", runs: "-e" },
  sqlmap: {
    harmless: "--batch -u --url -p --dbs --tables --columns --level --risk -D -T -C --dump --current-user --current-db",
    runs: "--eval --preprocess --postprocess --tamper --os-cmd --os-shell -c",
    turns: "-r -l -m",
  },
  mutt: { runs: "-e -F" },
  exim: { style: "single", begins: /^-(?:be|bem|C|D)/ },
  pylint: {
    harmless:
      "-d --disable -e --enable -E --errors-only -j --jobs --score --fail-under --fail-on --reports -r -v --verbose --list-msgs --ignore --ignore-patterns --ignore-paths --max-line-length --recursive --version -h --help",
    values: "dej",
    runs: "--init-hook --load-plugins",
    turns: "--rcfile",
  },
};

const STARTS_PROGRAMS = { run: { another: "program" }, exec: { another: "program" } } as const;

/** What starts a command only behind one of its words does something else behind others: the word has to be named. */
const behindWords = [...BEHIND].map(([name, pattern]): [string, Profile] => [
  name,
  { operands: { pattern, why: STARTS.subcommand }, sub: STARTS_PROGRAMS },
]);

/** By the program's name, for those that `profiles.ts` does not have. */
export const MORE_PROFILES: ReadonlyMap<string, Profile> = new Map([...behindWords, ...Object.entries(BY_NAME)]);
