import { CHECKER, FORMATTER } from "./code-checkers.ts";
import { CLIENTS } from "./code-clients.ts";
import { LANGUAGES } from "./code-languages.ts";
import type { CodeTaker } from "./code-taker.ts";
import { PROFILES } from "./profiles.ts";

/** `vim +cmd`, `less +!cmd`. */
const EDITOR: CodeTaker = {
  strict: true,
  text: "-c --cmd --eval -l --load -f --funcall",
  files: "-S -s -u -U -i -w -W",
  // Behind `-e`, `-s` is to be silent.
  flags: "-e -E -es -Es -n -N -R -Z -m -b --clean --noplugin --batch --quick -Q -q --no-init-file",
  operand: 0,
  rest: true,
  guarded: true,
  stdin: "always",
};
const PAGER: CodeTaker = { operand: 0, rest: true, guarded: true };
/** They load plugins and start others by their options, which may stand in a file. */
const COMPILER: CodeTaker = {
  style: "single",
  listed: true,
  // What a name stands for is compiled.
  text: "-wrapper -fplugin -specs -B -Xlinker -Xassembler -Xpreprocessor -load -plugin -D",
  values: "-o -I -L -l -x -std",
  fix: "put `./` before the name of a file",
};
const LISTED: CodeTaker = { listed: true, fix: "put `./` before the name of a file" };
/** What is drawn is told in a language of its own. */
const IMAGES: CodeTaker = {
  ...LISTED,
  style: "single",
  text: "-draw -fx -process -script",
  unasked: /\.(?:svg|mvg|msl|e?ps|pdf)$/i,
};
/** Filters load libraries, and are a language of their own. */
const FILTERS: CodeTaker = {
  style: "single",
  text: "-vf -af -filter -filter_complex -lavfi -filter_script -filter_complex_script -init_hw_device -f",
  files: "-pre -vpre -apre -fpre",
  values: "-i -ss -t -to -c -codec -b -r -s -map -metadata -y -vn -an",
};
/** What a build runs or compiles, and then runs. */
const BUILD = /^(?:GNUm|[mM])akefile$|\.(?:mk|sh|bash|py|pl|rb|js|c|cc|cpp|h|rs|go|java)$/;
const PACKAGE = /^package\.json$|^\..*rc$|\.(?:[cm]?[jt]sx?|sh|node)$/;

const PACKAGES: CodeTaker = { inFolder: true, unasked: PACKAGE, fix: "write the folder, or the settings, out" };
/** Settings name programs that log in; they may be named behind the verb as well. */
const CLUSTER: CodeTaker = { files: "--kubeconfig", fix: "write the settings' name out" };

/** Of the programs that have code among much else, where that is. */
const BY_NAME: Readonly<Record<string, CodeTaker>> = {
  ...CLIENTS,
  source: { operand: 0 },
  ".": { operand: 0 },
  mapfile: { text: "-C", values: "-d -n -O -s -u -c" },
  readarray: { text: "-C", values: "-d -n -O -s -u -c" },
  make: {
    strict: true,
    text: "-E --eval",
    files: "-f --file --makefile -C --directory -I --include-dir",
    values: "-j -l --jobs --load-average",
    flags: "-B -i -k -n -q -s -S -t -w --always-make --silent --quiet --keep-going --dry-run --no-print-directory",
    operand: 0,
    rest: true,
    operandIs: "text",
    unasked: BUILD,
    inFolder: true,
    pastes: true,
  },
  ninja: { inFolder: true, files: "-f -C", unasked: /^build\.ninja$|\.(?:c|cc|cpp|h|py|sh)$/ },
  cmake: { inFolder: true, text: "-D -P -E -G -T", files: "-C -S", operand: 0, unasked: /^CMakeLists\.txt$|\.cmake$/ },
  just: {
    files: "-f --justfile",
    text: "-c --command --shell --set",
    operand: 0,
    rest: true,
    unasked: /^\.?justfile$|^\.env$/i,
    inFolder: true,
  },
  rake: {
    text: "-e --execute -p -r --require",
    files: "-f --rakefile",
    operand: 0,
    rest: true,
    unasked: /^[Rr]akefile/,
    inFolder: true,
  },
  npm: {
    ...PACKAGES,
    text: "--script-shell --node-options --git --editor --viewer --call -c",
    files: "--prefix -C --userconfig --globalconfig",
  },
  pnpm: { ...PACKAGES, text: "--script-shell --node-options -c --shell-mode", files: "--dir -C --prefix" },
  yarn: { ...PACKAGES, text: "--script-shell", files: "--cwd --use-yarnrc" },
  kubectl: CLUSTER,
  oc: CLUSTER,
  cargo: {
    inFolder: true,
    text: "--config",
    operand: 0,
    operandIs: "text",
    files: "--manifest-path",
    unasked: /^(?:Cargo\.toml|config\.toml|build\.rs|.*\.rs)$/,
  },
  go: {
    inFolder: true,
    style: "single",
    text: "-exec -toolexec -vettool -overlay -ldflags -gcflags -modfile",
    files: "-C",
    fix: "write it out",
    unasked: /\.go$/,
  },
  // What is installed is run; a name that a value says may be a path or an address.
  pip: {
    text: "--python --global-option --config-settings -i --index-url --extra-index-url -f --find-links --proxy",
    files: "-e --editable -r --requirement -c --constraint",
    unasked: /^pip\.conf$|^setup\.(?:py|cfg)$|^pyproject\.toml$/,
    inFolder: true,
  },
  pandoc: {
    // A format may be a program in Lua.
    text: "--pdf-engine --pdf-engine-opt -f -r -t -w --from --read --to --write",
    files: "-F --filter -L --lua-filter -d --defaults --data-dir --template --metadata-file",
    values: "-o -V -M -H -A -B -c --output --variable --metadata",
    // Texts of these name files that are read into them.
    told: /^(?:-[fr] ?|--(?:from|read)[= ])(?:rst|org|latex|typst|html|docbook)\b|^--(?:embed-resources|self-contained)$/,
    untold: "--sandbox",
    fix: "add `--sandbox`: without it a text can name files to be read",
  },
  fzf: { text: "--preview --bind --execute --with-shell --become" },
  helm: {
    operand: 0,
    operandIs: "text",
    text: "--post-renderer --post-renderer-args",
    files: "--kubeconfig --repository-config",
  },
  terraform: {
    inFolder: true,
    stdin: "always",
    unasked: /\.tf(?:vars)?(?:\.json)?$/,
    style: "single",
    files: "-chdir -plugin-dir -config",
  },
  tofu: {
    inFolder: true,
    stdin: "always",
    unasked: /\.tf(?:vars)?(?:\.json)?$/,
    style: "single",
    files: "-chdir -plugin-dir -config",
  },
  pytest: {
    inFolder: true,
    text: "-p -c -o --pyargs --rootdir",
    values: "-k -m",
    operand: 0,
    rest: true,
    unasked: /\.py$/,
  },
  // To `ex`, `-s` is to be silent; to the others it names a file with commands.
  ex: { ...EDITOR, files: "-S -u -U -i -w -W", flags: "-e -E -n -N -R -s -Z -m -b --clean --noplugin" },
  vi: EDITOR,
  vim: EDITOR,
  nvim: EDITOR,
  view: EDITOR,
  emacs: {
    ...EDITOR,
    style: "single",
    flags: "-batch -Q -q -quick -no-init-file -no-site-file",
    text: "-eval -l -load -f -funcall -execute -x -script",
  },
  less: { ...PAGER, text: "-k -o -O -T -t -p --lesskey-file --lesskey-src --lesskey-content --log-file --tag-file" },
  more: PAGER,
  most: PAGER,
  man: { text: "-P -H -C -M -m -l -E -T -X -Z -t -R --pager --html --config-file --local-file" },
  patch: {
    files: "-i --input",
    values: "-p -d -o -r -z -B -Y -V -F -D --strip --directory --output --reject-file --suffix --prefix --fuzz",
    operand: 1,
    stdin: "always",
    safe: /^(?:-[ucn]|--(?:unified|context|normal))$/,
    fix: "add `-u`: without it a patch may be a script for `ed`",
  },
  scp: { remote: true, text: "-o -S -D -J", files: "-F", values: "-c -i -l -P -X" },
  split: { text: "--filter" },
  sort: { text: "--compress-program", values: "-k -S -t -o -T --key --field-separator --output --buffer-size" },
  zip: { text: "-TT --unzip-command", values: "-b -n -t -tt -x -i", flags: "-T" },
  wget: {
    text: "-e --execute --use-askpass",
    files: "--config",
    values: "-a -A -B -D -I -l -o -O -P -Q -R -t -T -U -w -X -i",
  },
  // A line of a list of names that begins with a dash is an option to tar.
  tar: {
    dashless: true,
    text: "-I -F --use-compress-program --checkpoint-action --to-command --info-script --new-volume-script --rsh-command --rmt-command",
    files: "-T --files-from",
    values: "-f -C -b -g -H -K -L -N -V -X --file --directory --exclude --transform --owner --group --mode",
  },
  cpio: { text: "--rsh-command", files: "-F --file -I -O" },
  "7z": LISTED,
  "7za": LISTED,
  install: { text: "--strip-program", values: "-g -m -o -t -S --group --mode --owner --suffix --target-directory" },
  rename: { strict: true, operand: 0, operandIs: "text", flags: "-n -v -f -o -s --verbose --no-act --symlink" },
  "ssh-keygen": { text: "-D -w -O" },
  gpg: {
    text: "--agent-program --dirmngr-program --photo-viewer --exec-path --keyserver-options",
    files: "--options --homedir",
  },
  openssl: {
    style: "single",
    text: "-engine -provider -provider-path -provider_path -ssl_client_engine -keyform -propquery",
    files: "-config -extfile -CAserial",
  },
  ...{ eslint: FORMATTER, prettier: FORMATTER },
  ...Object.fromEntries("pylint mypy black ruff flake8".split(" ").map((name) => [name, CHECKER])),
  ffmpeg: FILTERS,
  ffprobe: FILTERS,
  gcc: COMPILER,
  cc: COMPILER,
  "g++": COMPILER,
  "c++": COMPILER,
  clang: COMPILER,
  "clang++": COMPILER,
  ld: { ...COMPILER, text: "-plugin -T -dT -c -mri-script -library-path -L" },
  ar: { ...LISTED, text: "--plugin" },
  nm: { ...LISTED, text: "--plugin" },
  as: LISTED,
  objdump: LISTED,
  objcopy: LISTED,
  strip: LISTED,
  readelf: LISTED,
  javac: {
    ...LISTED,
    style: "single",
    text: "-processor -processorpath -Xplugin -J",
    files: "-cp -classpath -sourcepath",
  },
  java: {
    ...LISTED,
    strict: true,
    stops: true,
    style: "single",
    text: "-m -module",
    ends: "-jar -m -module",
    files: "-jar",
    loads: "-cp -classpath -p -module-path -agentlib -agentpath -javaagent -XX",
    flagged: /^-(?:Xm[sx]|Xss|D\w|ea|server|version|showversion)/,
    operand: 0,
  },
  // What stands before a colon, or a bar, says how a picture is got.
  convert: IMAGES,
  magick: IMAGES,
  identify: LISTED,
  mogrify: IMAGES,
  composite: IMAGES,
  ldd: { operand: 0, rest: true },
  // An expression, which can open files; what a shell of its own writes is told by its input. So can entities in a text.
  xsltproc: {
    style: "single",
    loads: "-param",
    pairs: "-stringparam",
    operand: 0,
    stdin: "always",
    fix: "give it by `--stringparam`",
  },
  xmllint: {
    style: "single",
    text: "-xpath",
    whole: true,
    told: /^--?(?:shell|noent|xinclude|loaddtd|dtdattr|valid)$/,
    fix: "write the expression out, or let all of it be the value",
  },
  yq: { files: "-f --from-file", text: "-s --split-exp", operand: 0, operandIs: "text", whole: true },
  apt: { text: "-o --option", files: "-c --config-file" },
  "apt-get": { text: "-o --option", files: "-c --config-file" },
  dnf: { text: "--setopt", files: "-c --config" },
  nc: { text: "-e -c --exec --sh-exec --lua-exec", values: "-p -q -s -w" },
  ncat: { text: "-e -c --exec --sh-exec --lua-exec", values: "-p -q -s -w" },
};

/** What the tables of options call "runs another program" is code to whoever gives its value. */
const byProfile = [...PROFILES].flatMap(([name, { runs, values, style }]): [string, CodeTaker][] =>
  runs === undefined || name === "git" || Object.hasOwn(BY_NAME, name) || LANGUAGES.has(name)
    ? []
    : [
        [
          name,
          { text: runs, values: [...(values ?? "")].map((letter) => `-${letter}`).join(" "), ...(style && { style }) },
        ],
      ],
);

/** By the program's name. A program that is not here has no language that is known of. */
export const CODE_TAKERS: ReadonlyMap<string, CodeTaker> = new Map([
  ...LANGUAGES,
  ...byProfile,
  ...Object.entries(BY_NAME),
]);
