import type { Word } from "../domain/touch.ts";
import { readProgram } from "./read-program.ts";
import type { Candidate, ScriptReader } from "./script-reader.ts";

/** A program whose input is commands of its own, some of which start other programs. */
interface Console {
  /** With such an option, or with so many operands, it does not read its input. */
  readonly unless?: RegExp;
  readonly operands?: number;
  /** Long options that take a value. With `=` they have it, and what stands behind them is a word of its own; of others nobody knows. */
  readonly valued?: string;
  /** What starts a program, in text that is known. Left out = any text may. */
  readonly starts?: RegExp;
}

const ANY: Console = {};
const MYSQL: Console = {
  valued:
    "--host --port --user --password --database --socket --protocol --default-character-set --connect-timeout --ssl-mode --ssl-ca --ssl-cert --ssl-key --execute",
  unless: /^-[BNrstv]*[eV]|^--(?:execute|version|help)\b/,
  starts: /\\|^[^\S\n]*(?:system|pager|source|edit)\b/im,
};

const MONGO_VALUED =
  "--host --port --username --password --authenticationDatabase --authenticationMechanism --tlsCAFile --eval";

const SQL_SHELL = /^[^\S\n]*(?:!|shell\b|sh\b|dfs\b|source\b|add\s+jar\b)/im;

const CLOJURE: Console = { unless: /^-(?:[MXTPAme]|-(?:main|eval|version|help)$)/ };
const EDITOR: Console = { unless: /^--(?:version|help)$/ };

export const CONSOLES: Readonly<Record<string, Console>> = {
  ed: EDITOR,
  red: EDITOR,
  ex: EDITOR,
  vi: EDITOR,
  vim: EDITOR,
  nvim: EDITOR,
  view: EDITOR,
  ftp: ANY,
  lftp: { unless: /^-[cef]/ },
  sftp: { unless: /^-[46AaCfNpqrv]*b/, starts: /^[^\S\n]*-?@?!/m },
  smbclient: {
    valued: "--user --port --workgroup --netbios-name --max-protocol --directory --ip-address --timeout --command",
    unless: /^(?:-[a-zA-Z]*[cL]|--(?:command|list|help|version)\b)/,
    starts: /^[^\S\n]*!/m,
  },
  telnet: ANY,
  mail: ANY,
  mailx: ANY,
  newgrp: ANY,
  su: { unless: /^-[lmp]*c|^--command\b/ },
  sg: { unless: /^-c/, operands: 2 },
  script: { unless: /^-[aefq]*c|^--command\b/ },
  at: { unless: /^-[lfcdrV]/ },
  batch: ANY,
  crontab: { unless: /^-[lr]$/, operands: 1 },
  parallel: { unless: /^:::/ },
  dc: { unless: /^-[efV]|^--(?:expression|file|version)\b/ },
  m4: { operands: 1 },
  gnuplot: { unless: /^-[eV]/, operands: 1 },
  gdb: { unless: /^--?(?:batch|version|help)$/ },
  lldb: { unless: /^(?:-b|--batch|--version|--help)$/ },
  sqlite3: { operands: 2, unless: /^--?(?:version|help|safe)$/, starts: /^[^\S\n]*\./m },
  psql: {
    valued:
      "--dbname --host --port --username --set --variable --pset --field-separator --record-separator --table-attr --command --file --output --log-file",
    unless: /^-[aAbeEnqsStxXz01wW]*[clV]|^--(?:command|list|version|help)\b/,
    // All but `\g FILE`, which writes: what a program may write is a matter of its grant. `\g |cmd` starts one.
    starts: /\\(?!g(?:[ \t]+[\w./-]+)?[ \t]*$)/m,
  },
  usql: {
    valued: "--set --variable --pset --field-separator --record-separator --table-attr --command --file --out",
    unless: /^(?:-c|--(?:command|version|help)\b)/,
    starts: /\\/,
  },
  duckdb: { operands: 2, unless: /^--?(?:c|s|f|version|help)$/, starts: /^[^\S\n]*\.|\b(?:install|load)\b/im },
  mongosh: { valued: MONGO_VALUED, unless: /^--(?:eval|version|help)\b|\.m?js$/ },
  clojure: CLOJURE,
  clj: CLOJURE,
  mongo: { valued: MONGO_VALUED, unless: /^--(?:eval|version|help)\b|\.js$/ },
  hive: { unless: /^-[ef]$|^--(?:version|help)$/, starts: SQL_SHELL },
  beeline: { unless: /^-[ef]$|^--(?:version|help)$/, starts: SQL_SHELL },
  "spark-sql": { unless: /^-[ef]$|^--(?:version|help)$/, starts: SQL_SHELL },
  mysql: MYSQL,
  mariadb: MYSQL,
};

/** `echo '!rm' | ed`: its own words say nothing of what it runs. */
export function readConsole(reader: ScriptReader, candidate: Candidate, name: string): void {
  if (isCommanded(CONSOLES[name] ?? ANY, candidate))
    reader.say(`\`${name}\` reads its commands from its input, and some of them start programs`);
  readProgram(reader, candidate, name);
}

/** What is inherited may come from a group or a function around it, and so from a pipe. */
function isCommanded({ unless, operands, valued, starts }: Console, { argv, stdin }: Candidate): boolean {
  const reads = typeof stdin !== "object" || (starts?.test(stdin.text) ?? true);
  if (!reads || argv.slice(1).some(({ text }) => NAMES_INPUT.test(text))) return reads;
  const hasValue = hasValueIn(valued);
  const mayTakeNext = (word: Word): boolean => isOption(word) && !hasValue(word);
  const sure = argv.slice(1).filter((_, at) => !mayTakeNext(argv[at] as Word));
  const end = argv.findIndex(({ text }) => text === "--");
  const behindEnd = new Set(end === -1 ? [] : argv.slice(end));
  const means = (word: Word): boolean => word.known && !(word.text.startsWith("-") && behindEnd.has(word));
  if (unless !== undefined && sure.some((word) => means(word) && unless.test(word.text))) return false;
  return operands === undefined || sure.filter((word) => !isOption(word)).length < operands;
}

/** `--host=h`: whatever stands behind it is not its value. */
function hasValueIn(valued = ""): (word: Word) => boolean {
  const names = new Set(valued.split(" "));
  return ({ text, known }) => known && text.includes("=") && names.has(text.slice(0, text.indexOf("=")));
}

/** `dc -e 1 -`, `psql -c x -f-`: whatever else it is given, its input is a file of commands too. */
const NAMES_INPUT = /^(?:-\w|--[\w-]+=)?-$|\/(?:stdin|fd\/)/;

/** What stands behind one may be its value. A word that may be one of these at run time is a hazard already. */
const isOption = ({ text, known, many }: Word): boolean => many === true || (known && text.startsWith("-"));
