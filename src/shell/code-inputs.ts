import { INTERPRETERS } from "./interpreters.ts";
import { programName } from "./program-name.ts";

/** Where a program takes code from: text in a language of its own that can do more than be looked at. */
interface CodeInputs {
  /** Options whose value is code, or names what holds it or is run. */
  readonly options?: RegExp;
  /** Options with a value that is nothing of the kind, and those with two. */
  readonly values?: RegExp;
  readonly pairs?: RegExp;
  /** The operand that is its program, unless an option has given one; with `rest`, all from there on. */
  readonly operand?: number;
  readonly rest?: true;
  /** Behind `--` operands are the names of files, and before it they may be commands. */
  readonly guarded?: true;
  /** `alone`: only where nothing else has given the program. An option or operand that names it says so as well. */
  readonly stdin?: "always" | "alone" | RegExp;
  /** With these, operands are opened in a way that runs what they say: `perl -ne 1 'id |'`. */
  readonly magic?: RegExp;
  /** A word with which the code can do no harm. */
  readonly safe?: RegExp;
  /** The program can be a value, which nobody mistakes for anything else, but not hold one. */
  readonly whole?: true;
  readonly fix?: string;
}

const AWK: CodeInputs = {
  options: /^(?:-[a-zA-Z]*[efEil]|--(?:file|source|exec|include|load))$/,
  values: /^(?:-[Fv]|--(?:assign|field-separator))$/,
  operand: 0,
  fix: "give the value by `-v name={{x}}`",
};
const SHELL: CodeInputs = {
  options: /^-[a-zA-Z]*c$/,
  values: /^[-+][a-zA-Z]*[oO]$/,
  operand: 0,
  stdin: /^-[a-zA-Z]*s/,
  fix: "write the script out and give the value as an argument: `bash -c 'cat -- \"$1\"' _ {{x}}`",
};
/** `vim +cmd`. */
const EDITOR: CodeInputs = {
  options: /^(?:-[cSuU]|--cmd|--eval|-l|--load|-f|--funcall)$/,
  operand: 0,
  rest: true,
  guarded: true,
  stdin: "always",
};
const SQL = "let the database quote it: `psql -v x={{x}}` with `:'x'` in a quoted heredoc";
const SQLITE: CodeInputs = {
  options: /^--?(?:cmd|init|c|s)$/,
  values: /^--?(?:separator|newline|nullvalue|vfs|maxsize|mmap|heap)$/,
  operand: 1,
  rest: true,
  stdin: "always",
  safe: /^--?safe$/,
  fix: "add `-safe` (and `-readonly`): without it a query can run programs",
};
const MYSQL: CodeInputs = {
  options: /^(?:-e|--execute|--init-command)$/,
  stdin: "always",
  safe: /^--(?:sandbox|skip-system-command)$/,
  fix: "add `--sandbox`: without it a query can run programs",
};
const FILES: CodeInputs = { operand: 0, rest: true, stdin: "always" };
const TEX: CodeInputs = { ...FILES, safe: /^--?no-shell-escape$/ };
const TALKS: CodeInputs = { options: /^-[ecbf]$/, stdin: "always" };

/** By the program's name. A program that is not here has no language that is known of. */
const BY_NAME: Readonly<Record<string, CodeInputs>> = {
  source: { operand: 0 },
  ".": { operand: 0 },
  sed: { options: /^(?:-[a-zA-Z]*[ef]|--(?:expression|file))$/, values: /^(?:-[nErsuz]*l|--line-length)$/, operand: 0 },
  awk: AWK,
  bash: SHELL,
  sh: SHELL,
  dash: SHELL,
  ash: SHELL,
  make: { options: /^(?:-[fECI]|--(?:file|makefile|eval|directory|include-dir))$/, operand: 0, rest: true },
  ed: FILES,
  red: FILES,
  ex: EDITOR,
  vi: EDITOR,
  vim: EDITOR,
  nvim: EDITOR,
  view: EDITOR,
  emacs: EDITOR,
  sqlite3: SQLITE,
  duckdb: SQLITE,
  psql: { options: /^(?:-[cf]|--(?:command|file))$/, stdin: "always", fix: SQL },
  mysql: MYSQL,
  mariadb: MYSQL,
  "redis-cli": { options: /^--eval$/, stdin: "always" },
  mongosh: { options: /^(?:--eval|-f|--file)$/, stdin: "always" },
  bc: FILES,
  dc: { ...FILES, options: /^(?:-[ef]|--(?:expression|file))$/ },
  m4: FILES,
  gnuplot: { ...FILES, options: /^-e$/ },
  octave: { ...FILES, options: /^--eval$/ },
  R: { options: /^(?:-[ef]|--file)$/, stdin: "always" },
  gdb: { options: /^--?(?:ex|iex|x|ix|command|eval-command)$/, stdin: "always" },
  at: { options: /^-f$/, stdin: "always" },
  batch: { stdin: "always" },
  crontab: { operand: 0 },
  patch: {
    options: /^(?:-i|--input)$/,
    values: /^(?:-[pdorzBYVFD]|--(?:strip|directory|output|reject-file|suffix|prefix))$/,
    operand: 1,
    stdin: "always",
    safe: /^(?:-[ucn]|--(?:unified|context|normal))$/,
    fix: "add `-u`: without it a patch may be a script for `ed`",
  },
  ssh: { options: /^-[oF]$/, stdin: "always" },
  su: { options: /^(?:-c|--command|-s|--shell)$/, stdin: "always" },
  script: { options: /^(?:-c|--command)$/, stdin: "always" },
  parallel: FILES,
  ftp: TALKS,
  lftp: TALKS,
  sftp: TALKS,
  tex: TEX,
  latex: TEX,
  pdftex: TEX,
  pdflatex: TEX,
  xelatex: TEX,
  lualatex: TEX,
  flock: { options: /^(?:-c|--command)$/ },
  git: { options: /^(?:-c|--config-env|--exec-path|--upload-pack|--receive-pack|--exec)$/ },
  split: { options: /^--filter$/ },
  sort: { options: /^--compress-program$/ },
  rsync: { options: /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)$/ },
  zip: { options: /^(?:-TT|--unzip-command)$/ },
  curl: { options: /^(?:-K|--config)$/ },
  wget: { options: /^(?:-e|--execute|--use-askpass)$/ },
  // A line of a list of names that begins with a dash is an option to tar.
  tar: {
    options:
      /^(?:-[a-zA-Z]*[IFT]|--(?:use-compress-program|checkpoint-action|to-command|info-script|rsh-command|files-from))$/,
  },
  jq: {
    options: /^(?:-[a-zA-Z]*f|--from-file|-L)$/,
    values: /^--indent$/,
    pairs: /^--(?:arg|argjson|slurpfile|rawfile)$/,
    operand: 0,
    whole: true,
    fix: "give the value by `--arg name {{x}}`, and use `$name` in the filter",
  },
};

const named = (list: string | undefined): ReadonlySet<string> => new Set(list?.split(" ").filter((one) => one !== ""));

const MAGIC: ReadonlySet<string> = new Set(["perl", "ruby"]);

const CODE_INPUTS: ReadonlyMap<string, CodeInputs> = new Map([
  ...Object.entries(INTERPRETERS).map(([name, { code, loads, values, done }]): [string, CodeInputs] => {
    // `python -m`: which module is run.
    const all = named(`${code} ${loads ?? ""}${named(done).has("-m") ? " -m" : ""}`);
    const letters = [...all].filter((option) => /^-\w$/.test(option)).map((option) => option.slice(1));
    const words = [...all].filter((option) => !/^-\w$/.test(option));
    const cluster = letters.length === 0 ? [] : [`-[a-zA-Z]*[${letters.join("")}]`];
    const options = [...words, ...cluster];
    return [
      name,
      {
        ...(options.length > 0 && { options: new RegExp(`^(?:${options.join("|")})$`) }),
        ...(values !== undefined && { values: new RegExp(`^(?:${values.split(" ").join("|")})$`) }),
        operand: 0,
        stdin: "alone",
        ...(MAGIC.has(name) && { magic: /^-[a-zA-Z]*[np]/, fix: "give the file as its input: `< {{x}}`" }),
      },
    ];
  }),
  ...Object.entries(BY_NAME),
]);

export interface FoundCode {
  /** Which of the words are code. */
  readonly words: readonly number[];
  readonly stdin: boolean;
  /** A word that is a value and nothing else is meant to be one. */
  readonly whole: boolean;
  readonly fix: string | null;
}

const FROM_STDIN = /^(?:-|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/self\/fd\/\d+)$/;

/** What of a command its program takes for code; null = nothing that is known of. Words have no quotes before them. */
export function codeInputs(argv: readonly string[]): FoundCode | null {
  const inputs = CODE_INPUTS.get(programName(argv[0] ?? ""));
  if (inputs === undefined || argv.some((word) => inputs.safe?.test(word))) return null;
  const words: number[] = [];
  const isMagic = argv.some((word) => inputs.magic?.test(word));
  let isGiven = false;
  let operands = 0;
  let isOver = false;
  for (let at = 1; at < argv.length; at++) {
    const text = argv[at] as string;
    // `deno eval` has an option that looks like an operand.
    if (!isOver && inputs.options?.test(text)) {
      words.push(++at);
      isGiven = true;
    } else if (isOver || !/^-./.test(text)) {
      const isProgram = inputs.rest === true ? operands >= (inputs.operand ?? 0) : operands === inputs.operand;
      const isName = (isOver && inputs.guarded === true) || (isGiven && inputs.rest !== true);
      if (isMagic || (inputs.operand !== undefined && isProgram && !isName)) words.push(at);
      isGiven ||= operands++ === inputs.operand && !FROM_STDIN.test(text);
    } else if (text === "--") isOver = true;
    else if (inputs.options?.test(optionOf(text))) {
      words.push(at);
      isGiven = true;
    } else if (inputs.values?.test(text)) at++;
    else if (inputs.pairs?.test(text)) at += 2;
  }
  const isNamed = words.some((at) => FROM_STDIN.test(operandIn(argv[at] ?? "")));
  const { stdin } = inputs;
  const isTold = typeof stdin === "object" && argv.some((word) => stdin.test(word));
  const isRead = stdin === "always" || (stdin !== undefined && !isGiven) || isTold || isNamed;
  return { words, stdin: isRead, whole: inputs.whole === true, fix: inputs.fix ?? null };
}

/** `--filter` of `--filter=…`, `-e` of `-e…`. */
const optionOf = (text: string): string => /^(--?[\w-]+)=/.exec(text)?.[1] ?? /^(-[a-zA-Z])./.exec(text)?.[1] ?? "";

const operandIn = (text: string): string => text.replace(/^(?:--?[\w-]+=|-[a-zA-Z](?=-$|\/))/, "");
