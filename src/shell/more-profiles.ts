import { CLIENT_PROFILES } from "./client-profiles.ts";
import { STARTS } from "./hazard-reasons.ts";
import { BEHIND } from "./launchers.ts";
import { ALL_OTHERS, type Profile } from "./profile.ts";
import { PROFILES } from "./profiles.ts";

const first = (names: string): Required<Profile>["operands"] => ({
  pattern: new RegExp(`^(?:${names.replaceAll(" ", "|")})$`),
  first: true,
  why: STARTS.subcommand,
});

const CONTAINER_OPTIONS =
  "-a --all -q --quiet -f --filter --format --follow -n --tail --since --until --no-trunc -t --timestamps --time -s --size --details -v --volumes --digests --latest --no-stream --limit --force -h --help --version";
const CONTAINERS: Profile = {
  harmless: CONTAINER_OPTIONS,
  operands: {
    pattern:
      /^(?:run|exec|create|build|buildx|compose|cp|load|import|save|export|plugin|context|unshare|machine|play|kube)$/,
    why: STARTS.elsewhere,
  },
  turns: "-H --host --config -c --context --connection --url --hooks-dir --runtime",
  values: "l",
};
const CLUSTER: Profile = {
  harmless:
    "-n --namespace -o --output -f --filename -l --selector -A --all-namespaces -w --watch --show-labels --no-headers --sort-by --field-selector -c --container --tail --since --since-time --previous -p --timestamps --follow -q --quiet -R --recursive --dry-run --all --force --grace-period --wait --timeout --replicas --containers --ignore-not-found --output-watch-events --overwrite --context --cluster --request-timeout -h --help --client --short",
  values: "nolc",
  longValues: "--namespace --context --cluster --request-timeout",
  operands: first("exec run debug cp edit attach plugin rsh rsync"),
  turns: "--kubeconfig",
};
const EDITS: Profile = { operands: { why: STARTS.editor } };
/** To be told the code in the command, or to be let out of what keeps a text from running programs. */
const TEX: Profile = {
  style: "single",
  harmless:
    "-halt-on-error -interaction -output-directory -jobname -file-line-error -synctex -draftmode -version -help -recorder -no-shell-escape -output-format",
  runs: "-shell-escape -enable-write18 -shell-restricted -fmt -ini -cnf-line -progname",
  operands: { pattern: /[\\&|]/, why: STARTS.code },
};
const DOWNLOADS: Profile = {
  harmless:
    "-F --list-formats -f --format -x --extract-audio --audio-format --audio-quality -o --output -i --ignore-errors -v --verbose -q --quiet -s --simulate -j --dump-json -J --dump-single-json -g --get-url --get-title --write-sub --write-subs --write-auto-sub --sub-lang --sub-langs --embed-subs --no-playlist --yes-playlist --playlist-items -r --limit-rate -c --continue -w --no-overwrites -4 -6 --merge-output-format --restrict-filenames -k --keep-video --recode-video --remux-video -S --format-sort",
  values: "forS",
  runs: "--exec --exec-before-download --external-downloader --external-downloader-args --downloader --downloader-args --postprocessor-args --ppa --use-postprocessor --ffmpeg-location --netrc-cmd --plugin-dirs --config-location --config-locations",
};
/** A bar before the name of a picture makes it a command whose output is one; some kinds of it are scripts. */
const IMAGES: Profile = {
  style: "single",
  harmless:
    "-resize -quality -rotate -crop -geometry -strip -auto-orient -density -background -flatten -gravity -extent -format -verbose -negate -flip -flop -trim -fuzz -transparent -alpha -append +append -depth -type -colors -colorspace -level -normalize -gamma -sharpen -blur -border -bordercolor -fill -stroke -pointsize -annotate -compress -delay -loop -layers -interlace -monochrome -scale -sample -thumbnail -unsharp -sepia-tone -threshold -version -help -size -channel -modulate -brightness-contrast -tile -label +repage -page -dispose -coalesce -deskew -despeckle -monitor -ping",
  begins: /^\s*\||^(?:msl|mvg|ephemeral|show|win|x|script):|^@/i,
};
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

const EXTENSION: Profile = {
  harmless: "--force --all --dry-run",
  operands: { pattern: /^(?:exec|install|upgrade|create)$/, why: STARTS.subcommand },
};
/** By `ssh`, which takes options behind it. */
const CODESPACE: Profile = {
  harmless: "-c --codespace -R --repo --json -q --jq -L --limit -f --force",
  operands: { pattern: /^(?:ssh|cp|logs|jupyter|code)$/, why: STARTS.elsewhere },
};
const GITHUB: Required<Profile>["sub"] = {
  alias: { operands: { pattern: /^(?:set|import)$/, why: STARTS.subcommand } },
  config: { operands: { pattern: /^set$/, why: STARTS.subcommand } },
  extension: EXTENSION,
  extensions: EXTENSION,
  ext: EXTENSION,
  codespace: CODESPACE,
  cs: CODESPACE,
};

const DENO: Profile = {
  harmless:
    "-A --allow-all -q --quiet --no-check --check --no-prompt --cached-only --no-remote --no-npm --no-lock --watch --parallel --fail-fast --filter --coverage --shuffle --doc --json --fix --rules -r --reload",
  looks: /^--(?:allow|deny)-(?:read|write|net|env|sys|run|ffi|import)(?:=.*)?$/,
};

const RPM: Profile = {
  harmless:
    "-q --query -a --all -i --info -l --list -f --file -p --package -c --configfiles -d --docfiles --whatprovides --whatrequires -R --requires --provides --changelog --last --scripts -V --verify --qf --queryformat -v -h --hash --version --help --nosignature --nodigest",
  runs: "--eval -E --pipe --define -D --macros --rcfile --load",
  says: /%\(|%\{lua:/,
};

/** Further programs with options that start others. What script tools may give them is not said by these. */
const BY_NAME: Readonly<Record<string, Profile>> = {
  ...CLIENT_PROFILES,
  podman: CONTAINERS,
  nerdctl: CONTAINERS,
  "docker-compose": {
    harmless: CONTAINER_OPTIONS,
    operands: { pattern: /^(?:run|exec|up|build|create|start|cp|watch)$/, why: STARTS.elsewhere },
    turns: "-H --host -c --context -f --file --project-directory --env-file",
  },
  kubectl: CLUSTER,
  oc: CLUSTER,
  adb: { operands: first("shell exec-out exec-in") },
  lxc: { operands: first("exec") },
  incus: { operands: first("exec") },
  vagrant: { operands: first("ssh winrm powershell") },
  minikube: { operands: first("ssh kubectl") },
  machinectl: { operands: first("shell login") },
  buildah: { operands: first("run unshare build bud from") },
  ctr: { operands: { pattern: /^(?:run|exec)$/, why: STARTS.elsewhere } },
  crictl: { operands: first("exec run runp") },
  pipx: { operands: first("run runpip") },
  helm: {
    harmless:
      "-n --namespace -A --all-namespaces -o --output -f --values --set --set-string --version --wait --timeout --dry-run --debug --install -i --atomic --create-namespace --reuse-values --reset-values --revision --repo -a --all -q --short --max -l --selector -h --help",
    runs: "--post-renderer --post-renderer-args",
    operands: first("plugin"),
    turns: "--kubeconfig",
  },
  gh: {
    sub: GITHUB,
    subs: "pr issue repo run workflow release api auth status search browse gist label secret variable cache ruleset org project gpg-key ssh-key attestation completion version help",
    another: "--",
    harmless:
      "--json --jq -q --limit -L --state -s --author -A --assignee -a --label -l --repo -R --head -H --base -B --title -t --body -b --draft -d --fill -f --comments -c --search -S --merged --squash --rebase --merge -m --auto --delete-branch --milestone --reviewer -r --web -w --log --log-failed --exit-status --branch --workflow --created --event --commit --user -u --method -X --raw-field --paginate --slurp --hostname --include -i --silent --add-label --remove-label --approve --request-changes --comment --name-only --patch --watch --required --interval --public --private --visibility --fork --source --language --topic -h --help --version",
  },
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
  tex: TEX,
  latex: TEX,
  pdftex: TEX,
  pdflatex: TEX,
  xetex: TEX,
  xelatex: TEX,
  luatex: TEX,
  lualatex: TEX,
  latexmk: { begins: /^--?(?:[er]$|(?:pdf|lua|xe|hi)?latex=|usepretex|pretex|shell-escape|latexoption)/ },
  gs: {
    style: "single",
    looks:
      /^-(?:q|v|h|dBATCH|dNOPAUSE|dSAFER|dQUIET|sDEVICE=\w+|r\d+(?:x\d+)?|sOutputFile=[\w./%-]+|dPDFSETTINGS=\/\w+|dCompatibilityLevel=[\d.]+|d(?:First|Last)Page=\d+|sPAPERSIZE=\w+|dFIXEDMEDIA|dPDFFitPage|g\d+x\d+|d(?:Text|Graphics)AlphaBits=\d|dAutoRotatePages=\/\w+)$/,
    runs: "-c",
    begins: /^-d(?:NO|DELAY)SAFER/,
    says: /%pipe%|OutputFile=\|/,
  },
  dvips: { begins: /^-o[|!]/, operands: { pattern: /^[|!]/, why: STARTS.another } },
  enscript: { runs: "--filter", operands: { pattern: /^[|!]/, why: STARTS.another }, begins: /^(?:-p|--output=)[|!]/ },
  groff: { runs: "-U -X -l", values: "TmPFfrdKwW" },
  troff: { runs: "-U" },
  nroff: { runs: "-U" },
  pandoc: {
    harmless:
      "-f --from -r --read -t --to -w --write -o --output -s --standalone -N --number-sections --toc --table-of-contents --toc-depth --wrap --columns -M --metadata -V --variable --shift-heading-level-by --reference-links --list-input-formats --list-output-formats -v --version -h --help --quiet --verbose --mathjax --katex --no-highlight --highlight-style --top-level-division --tab-stop -i --incremental -p --preserve-tabs --strip-comments --ascii --citeproc -C --embed-resources --self-contained",
    runs: "-F --filter -L --lua-filter --pdf-engine --pdf-engine-opt -d --defaults --data-dir",
    values: "ofrtwVMHABc",
    begins: /^(?:-[frtw]|--(?:from|read|to|write)=).*\.lua$/,
  },
  ...Object.fromEntries(
    "convert magick identify mogrify composite montage gm".split(" ").map((name) => [name, IMAGES]),
  ),
  "yt-dlp": DOWNLOADS,
  "youtube-dl": DOWNLOADS,
  aria2c: { begins: /^--(?:on-|conf-path)/ },
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
  ffmpeg: {
    style: "single",
    harmless:
      "-i -y -n -c -codec -vcodec -acodec -b -ab -vb -r -s -ss -t -to -an -vn -sn -crf -preset -tune -f -ar -ac -aspect -map -metadata -threads -loglevel -v -hide_banner -stats -nostdin -version -formats -codecs -encoders -decoders -filters -pix_fmt -q -qscale -shortest -movflags -framerate -frames -vframes -loop -h -help -copyts -g -bf -maxrate -bufsize -pass -profile -level -vol -itsoffset -strict -start_number",
    looks: /^-(?:c|codec|b|q|qscale|r|s|metadata|frames|profile|filter):[a-z0-9:]+$/,
  },
  ffprobe: {
    style: "single",
    harmless:
      "-i -v -loglevel -hide_banner -show_format -show_streams -show_entries -print_format -of -select_streams -of -pretty -version -show_packets -show_frames -count_frames",
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
  // Conditions, formats and `${TAG;…}` are Perl.
  exiftool: { begins: /^-(?:if\d*|p|printformat|config|use|@)$/, says: /\$\{[^}]*;/ },
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
