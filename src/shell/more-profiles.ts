import { CLIENT_PROFILES } from "./client-profiles.ts";
import { STARTS } from "./hazard-reasons.ts";
import { BEHIND } from "./launchers.ts";
import type { Profile } from "./profile.ts";
import { PROFILES } from "./profiles.ts";

const first = (names: string): Required<Profile>["operands"] => ({
  pattern: new RegExp(`^(?:${names.replaceAll(" ", "|")})$`),
  first: true,
  why: STARTS.subcommand,
});

const CONTAINERS: Profile = {
  operands: {
    pattern:
      /^(?:run|exec|create|build|buildx|compose|cp|load|import|save|export|plugin|context|unshare|machine|play|kube)$/,
    why: STARTS.elsewhere,
  },
  turns: "-H --host --config -c --context --connection --url --hooks-dir --runtime",
  values: "l",
};
const CLUSTER: Profile = {
  operands: first("exec run debug cp edit attach plugin rsh rsync"),
  turns: "--kubeconfig",
};
const EDITS: Profile = { operands: { why: STARTS.editor } };
/** To be told the code in the command, or to be let out of what keeps a text from running programs. */
const TEX: Profile = {
  style: "single",
  runs: "-shell-escape -enable-write18 -shell-restricted -fmt -ini -cnf-line -progname",
  operands: { pattern: /[\\&|]/, why: STARTS.code },
};
const DOWNLOADS: Profile = {
  runs: "--exec --exec-before-download --external-downloader --external-downloader-args --downloader --downloader-args --postprocessor-args --ppa --use-postprocessor --ffmpeg-location --netrc-cmd --plugin-dirs --config-location --config-locations",
};
/** A bar before the name of a picture makes it a command whose output is one; some kinds of it are scripts. */
const IMAGES: Profile = { begins: /^\s*\||^(?:msl|mvg|ephemeral|show|win|x|script):|^@/i };
const APT: Profile = { runs: "-o --option -c --config-file" };
/** A plugin is code that the program loads. */
const PLUGINS: Profile = { runs: "--plugin" };
const TRACES: Profile = { runs: "-e -c -n -s -w --unsafe" };
const FINDS: Profile = { runs: "--preview --bind --execute --with-shell --become --listen --listen-unsafe" };

const EXTENSION: Profile = { operands: { pattern: /^(?:exec|install|upgrade|create)$/, why: STARTS.subcommand } };
/** By `ssh`, which takes options behind it. */
const CODESPACE: Profile = { operands: { pattern: /^(?:ssh|cp|logs|jupyter|code)$/, why: STARTS.elsewhere } };
const GITHUB: Required<Profile>["sub"] = {
  alias: { operands: { pattern: /^(?:set|import)$/, why: STARTS.subcommand } },
  config: { operands: { pattern: /^set$/, why: STARTS.subcommand } },
  extension: EXTENSION,
  extensions: EXTENSION,
  ext: EXTENSION,
  codespace: CODESPACE,
  cs: CODESPACE,
};

const RPM: Profile = { runs: "--eval -E --pipe --define -D --macros --rcfile --load", says: /%\(|%\{lua:/ };

/** Further programs with options that start others. What script tools may give them is not said by these. */
const BY_NAME: Readonly<Record<string, Profile>> = {
  ...CLIENT_PROFILES,
  podman: CONTAINERS,
  nerdctl: CONTAINERS,
  "docker-compose": {
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
  helm: { runs: "--post-renderer --post-renderer-args", operands: first("plugin"), turns: "--kubeconfig" },
  gh: { sub: GITHUB },
  bun: { operands: first("x exec create c init") },
  mix: { operands: first("run eval cmd do archive.install escript.install") },
  bazel: { runs: "--run_under --shell_executable --bazelrc", operands: first("run") },
  brew: { operands: first("sh irb ruby edit exec") },
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
  gs: { style: "single", runs: "-c", begins: /^-d(?:NO|DELAY)SAFER/, says: /%pipe%|OutputFile=\|/ },
  dvips: { begins: /^-o[|!]/, operands: { pattern: /^[|!]/, why: STARTS.another } },
  enscript: { runs: "--filter", operands: { pattern: /^[|!]/, why: STARTS.another }, begins: /^(?:-p|--output=)[|!]/ },
  groff: { runs: "-U -X -l", values: "TmPFfrdKwW" },
  troff: { runs: "-U" },
  nroff: { runs: "-U" },
  pandoc: {
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
    runs: "--agent-program --dirmngr-program --keyboxd-program --photo-viewer --exec-path --keyserver-options --options --homedir",
  },
  gpgsm: { runs: "--agent-program --dirmngr-program --keyboxd-program --protect-tool-program --options --homedir" },
  bsdtar: PROFILES.get("tar") ?? {},
  netcat: PROFILES.get("nc") ?? {},
  "nc.traditional": PROFILES.get("nc") ?? {},
  "nc.openbsd": PROFILES.get("nc") ?? {},
  cpio: { runs: "--rsh-command" },
  install: { runs: "--strip-program" },
  diff3: { runs: "--diff-program" },
  sdiff: { runs: "--diff-program", writes: "-o --output" },
  delta: { runs: "--pager", turns: "--config" },
  sshfs: { runs: "-F", says: /(?:ssh_command|ProxyCommand|LocalCommand|sftp_server|directport|slave|passive)/i },
  "ssh-copy-id": { runs: "-o -F" },
  "ssh-keygen": { runs: "-D -w" },
  "ssh-add": { runs: "-s -S" },
  rclone: { runs: "--password-command --sftp-ssh --metadata-mapper", turns: "--config" },
  restic: { runs: "--password-command -o --option", turns: "--password-file" },
  borg: { runs: "--rsh --remote-path" },
  "rdiff-backup": { runs: "--remote-schema" },
  unison: { style: "single", runs: "-sshcmd -rshcmd -servercmd -sshargs -rshargs -diff -merge" },
  apt: APT,
  "apt-get": APT,
  "apt-cache": APT,
  aptitude: APT,
  dpkg: { runs: "--pre-invoke --post-invoke --status-logger --admindir --instdir --root" },
  rpm: RPM,
  rpmquery: RPM,
  rpmverify: RPM,
  rpmspec: RPM,
  rpmbuild: RPM,
  yum: { runs: "--setopt -c --config --installroot" },
  dnf: { runs: "--setopt -c --config --installroot" },
  pacman: { runs: "--hookdir --config --gpgdir --sysroot --root" },
  sysctl: { says: /core_pattern|kernel[./](?:modprobe|hotplug|poweroff_cmd)/ },
  mdadm: { runs: "--program" },
  tshark: { runs: "-X", writes: "-w" },
  wireshark: { runs: "-X" },
  bpftrace: TRACES,
  dtrace: TRACES,
  rustc: { says: /(?:^|-C|=)(?:linker|link-args?|ar|codegen-backend)=/, runs: "-Z" },
  tcc: { begins: /^-(?:run|B|bench)/ },
  ghc: { begins: /^-(?:e|pgm|fplugin|F$)/ },
  kotlinc: { style: "single", runs: "-script -Xplugin -expression" },
  mvn: {
    turns: "-f --file -s --settings -gs --global-settings",
    values: "DPT",
    says: /^(?:-D)?(?:exec\.|jvm=|maven\.ext|\S*executable=)|(?:^|:)exec(?:-maven-plugin)?:/,
  },
  gradle: {
    runs: "-I --init-script",
    turns: "-b --build-file -c --settings-file -p --project-dir -g --gradle-user-home",
    values: "DP",
  },
  bmake: { runs: "-C", turns: "-f -I -m", operands: { pattern: /=/, why: STARTS.makeVariable } },
  remake: PROFILES.get("make") ?? {},
  cmake: {
    runs: "-P -E -C",
    values: "DGTBSUA",
    says: /(?:COMPILER|LAUNCHER|LINKER|PROGRAM|EMULATOR|INCLUDE(?:_BEFORE)?)(?::\w+)?=|^(?:SHELL|MAKEFLAGS)=/,
  },
  ctest: { style: "single", runs: "-S -SP -script -build-and-test -D -dashboard -launch" },
  ninja: { turns: "-f -C -t" },
  just: {
    runs: "-c --command --shell --shell-arg --shell-command --chooser --set --choose -e --edit",
    turns: "-f --justfile -d --working-directory --dotenv-path --dotenv-filename",
  },
  rake: { runs: "-e --execute -E --execute-continue -p --execute-print -r --require", turns: "-f --rakefile -R -I -C" },
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
    runs: "--pre-hook --post-hook --deploy-hook --renew-hook --manual-auth-hook --manual-cleanup-hook -c --config --config-dir",
  },
  openvpn: {
    runs: "--up --down --ipchange --route-up --route-pre-down --tls-verify --tls-crypt-v2-verify --auth-user-pass-verify --client-connect --client-disconnect --client-crresponse --learn-address --dns-updown --plugin --iproute --config --cd",
  },
  pidstat: { runs: "-e" },
  sqlmap: { runs: "--eval --preprocess --postprocess --tamper --os-cmd --os-shell -c", turns: "-r -l -m" },
  mutt: { runs: "-e -F" },
  exim: { style: "single", begins: /^-(?:be|bem|C|D)/ },
  pylint: { runs: "--init-hook --load-plugins", turns: "--rcfile" },
};

/** What starts a command only behind one of its words does something else behind others: the word has to be named. */
const behindWords = [...BEHIND].map(([name, pattern]): [string, Profile] => [
  name,
  { operands: { pattern, why: STARTS.subcommand } },
]);

/** By the program's name, for those that `profiles.ts` does not have. */
export const MORE_PROFILES: ReadonlyMap<string, Profile> = new Map([...behindWords, ...Object.entries(BY_NAME)]);
