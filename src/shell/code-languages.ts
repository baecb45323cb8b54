import { awkActs } from "./awk-acts.ts";
import type { CodeTaker } from "./code-taker.ts";
import { inlineActs } from "./inline-acts.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { sedActs } from "./sed-code.ts";

const WITH_ARGUMENTS = "write the code out, and give the value as an argument of it";

const PYTHON: CodeTaker = {
  flags: "-b -B -d -E -h -i -I -O -P -q -R -s -S -u -v -V -x --help --version",
  values: "--check-hash-based-pycs",
  // A kind of warnings is looked for in its module; where compiled modules are is an option, too.
  loads: "-W -X",
  ends: "-c -m",
  modules:
    /^(?:json\.tool|http\.server|venv|zipfile|tarfile|gzip|base64|calendar|platform|mimetypes|uuid|tokenize|ast|dis|this|sysconfig|html|quopri|random|locale|textwrap|difflib|filecmp|ftplib)$/,
};

/** What interpreters have beside the options by which `interpreters.ts` knows them. */
const MORE: Readonly<Record<string, CodeTaker>> = {
  python: PYTHON,
  pypy: PYTHON,
  node: {
    flags: "-i -c -v -h --check --version --help --watch --test --interactive --preserve-symlinks",
    flagged:
      /^--(?:no-|experimental-(?!loader|config)|trace-(?!event)|enable-|harmony|max-|stack-|unhandled-|throw-|abort-|pending-|use-|jitless|expose-gc|dns-|v8-|disable-|insecure-)/,
    values: "--input-type --title --stack-trace-limit",
    fix: "write the code out, and take the value from `process.argv`",
  },
  perl: {
    flags: "-a -c -l -n -p -s -t -T -u -U -v -V -w -W -X -g",
    glued: "0CDFi",
    // Also where the code itself reads what the operands name.
    magic: /^-(?![-MmIFx])[^eE\s]*[np]|<>|<<>>|<\s*ARGV\s*>|\breadline\b(?!\s*\(?\s*\*?STDIN)/,
    fix: "give the file as its input: `< {{x}}`",
  },
  ruby: {
    flags: "-a -c -l -n -p -s -v -w -y -U -h --version --help --yjit --jit --verbose --disable-gems",
    values: "-E --encoding --external-encoding --internal-encoding",
    glued: "0FKTW",
    magic: /^-[acdfglnpstTuUvwWXy\d]*[np]/,
    fix: "give the file as its input: `< {{x}}`",
  },
  php: { flags: "-n -q -a -l -s -w -H -v -i -m --no-php-ini --version --help", fix: WITH_ARGUMENTS },
  lua: { flags: "-E -v -W", fix: WITH_ARGUMENTS },
  luajit: { flags: "-E -v", glued: "bO" },
  tclsh: { values: "-encoding", style: "single" },
  expect: { flags: "-b -i -N -n -v" },
  Rscript: { flags: "--vanilla --no-save --no-restore --no-environ --verbose --version", flagged: /^--encoding=/ },
  julia: {
    flags: "-q -v -i --quiet --version --startup-file=no",
    values: "-p -t -O -C --threads --optimize --project",
  },
  zsh: { flags: "-d -e -f -n -u -v -x" },
  ksh: { flags: "-e -n -u -v -x" },
  mksh: { flags: "-e -n -u -v -x" },
  fish: { flags: "-N --no-config -n --no-execute -P --private -v --version" },
  pwsh: { flags: "-NoProfile -NoLogo -NonInteractive -nop -noni", style: "single" },
};

const named = (list: string | undefined): readonly string[] => list?.split(" ").filter((one) => one !== "") ?? [];

/** `python -m`: which module is run. Of `deno` and `bun`, whose options stand behind a word, more is said elsewhere. */
const MODULES: ReadonlySet<string> = new Set(["python", "pypy"]);
const WITH_COMMANDS: ReadonlySet<string> = new Set(["deno", "bun"]);
/** What a program of theirs may load from its folder, or from the one that it is started in. */
const MODULE_FILES: Readonly<Record<string, RegExp>> = {
  python: /\.(?:py|pth|so)$/,
  pypy: /\.(?:py|pth|so)$/,
  node: /\.(?:[cm]?[jt]sx?|node)$|^package\.json$/,
  perl: /\.p[lm]$/,
  ruby: /\.rb$/,
  php: /\.(?:php|inc)$|^\.user\.ini$/,
  lua: /\.lua$/,
  luajit: /\.lua$/,
};

/** Those that look for modules in the folder they are started in, if their program is no file. */
const LOADS_FROM_FOLDER: ReadonlySet<string> = new Set("python pypy node nodejs php lua luajit".split(" "));

/** What names the program itself, and not something beside it. */
const NAMES_PROGRAM = new Set(["php -f", "expect -f", "pwsh -File"]);

function languageOf(name: string): CodeTaker {
  const { code, loads, values } = INTERPRETERS[name] ?? { code: "" };
  const more = MORE[name] ?? {};
  const isOther = (option: string): boolean => ![...named(more.flags), ...named(more.values)].includes(option);
  const loaded = named(loads).filter(isOther);
  const isProgram = (option: string): boolean => NAMES_PROGRAM.has(`${name} ${option}`);
  return {
    strict: true,
    stops: true,
    operand: 0,
    stdin: "alone",
    fix: WITH_ARGUMENTS,
    ...(MODULE_FILES[name] !== undefined && { unasked: MODULE_FILES[name] }),
    acts: inlineActs(name),
    ...(LOADS_FROM_FOLDER.has(name) && { inFolder: "inline" as const }),
    ...more,
    text: [...named(code), ...(MODULES.has(name) ? ["-m"] : [])].join(" "),
    files: loaded.filter(isProgram).join(" "),
    loads: [...loaded.filter((option) => !isProgram(option)), ...named(more.loads)].join(" "),
    values: [...named(values), ...named(more.values)].join(" "),
  };
}

const SHELL: CodeTaker = {
  strict: true,
  stops: true,
  // `-c` says that the operand is a text: it is code as well as a file would be.
  flags:
    "-a -b -c -e -f -h -i -k -l -m -n -p -r -s -t -u -v -x -B -C -D -E -H -P -T --login --noediting --noprofile --norc --posix --restricted --verbose --version --help",
  values: "-o -O +o +O",
  loads: "--rcfile --init-file",
  operand: 0,
  unasked: /\.(?:ba|da|k)?sh$/,
  stdin: /^[-+][a-zA-Z]*s/,
  fix: "write the script out and give the value as an argument: `bash -c 'cat -- \"$1\"' _ {{x}}`",
};

const SCRIPT_FILES: CodeTaker = { strict: true, operand: 0, rest: true, stdin: "always" };

/** Languages that are read by their own name: of most, all that they are given is code. */
export const LANGUAGES: ReadonlyMap<string, CodeTaker> = new Map<string, CodeTaker>([
  ...Object.keys(INTERPRETERS)
    .filter((name) => !WITH_COMMANDS.has(name))
    .map((name): [string, CodeTaker] => [name, languageOf(name)]),
  ...["bash", "sh", "dash", "ash"].map((name): [string, CodeTaker] => [name, SHELL]),
  [
    "awk",
    {
      strict: true,
      stops: true,
      text: "-e --source",
      files: "-f --file -E --exec",
      loads: "-i --include -l --load",
      values: "-F -v --field-separator --assign",
      glued: "oOpdDL",
      flags:
        "-b -c -C -g -h -k -M -n -N -P -r -s -S -t -V --csv --posix --traditional --sandbox --version --help --re-interval --characters-as-bytes --lint --bignum --use-lc-numeric --optimize",
      operand: 0,
      operandIs: "text",
      acts: awkActs,
      fix: "give the value by `-v name={{x}}`",
    },
  ],
  [
    "sed",
    {
      strict: true,
      text: "-e --expression",
      files: "-f --file",
      values: "-l --line-length",
      glued: "i",
      flags:
        "-n -E -r -s -u -z -b --quiet --silent --regexp-extended --separate --unbuffered --null-data --zero-terminated --in-place --posix --debug --sandbox --follow-symlinks --binary --version --help",
      operand: 0,
      operandIs: "text",
      acts: sedActs,
    },
  ],
  ["tsx", { strict: true, stops: true, text: "-e --eval -p --print", loads: "-r --require --import", operand: 0 }],
  ["ts-node", { strict: true, stops: true, text: "-e --eval -p --print", loads: "-r --require", operand: 0 }],
  ["ed", SCRIPT_FILES],
  ["red", SCRIPT_FILES],
  ["dc", { ...SCRIPT_FILES, text: "-e --expression", files: "-f --file" }],
  ["m4", { ...SCRIPT_FILES, text: "-D -I --define --include" }],
  ["gnuplot", { ...SCRIPT_FILES, text: "-e" }],
  ["octave", { ...SCRIPT_FILES, text: "--eval" }],
  ["R", { strict: true, text: "-e", files: "-f --file", stdin: "always" }],
  ["tex", TEX()],
  ["latex", TEX()],
  ["pdftex", TEX()],
  ["pdflatex", TEX()],
  ["xelatex", TEX()],
  ["lualatex", TEX()],
  [
    "jq",
    {
      strict: true,
      files: "-f --from-file",
      loads: "-L --library-path",
      values: "--indent",
      pairs: "--arg --argjson --slurpfile --rawfile --argfile",
      flags:
        "-n -r -j -a -s -S -c -C -M -e -R -h --null-input --raw-output --raw-output0 --join-output --ascii-output --slurp --sort-keys --compact-output --color-output --monochrome-output --exit-status --raw-input --tab --seq --stream --stream-errors --args --jsonargs --unbuffered --version --help -V",
      operand: 0,
      operandIs: "text",
      whole: true,
      fix: "give the value by `--arg name {{x}}`, and use `$name` in the filter",
    },
  ],
]);

function TEX(): CodeTaker {
  return {
    ...SCRIPT_FILES,
    style: "single",
    flagged: /^-(?:interaction|halt-on-error|file-line-error|output-directory|jobname|synctex|draftmode|recorder)$/,
    safe: /^--?no-shell-escape$/,
  };
}
