import { STARTS } from "./hazard-reasons.ts";
import type { Profile } from "./profile.ts";

/**
 * What a text for a client holds where the client itself acts on it, and may start a program. Queries are full of other
 * things, so these are told by what they look like, in whatever option the text is given.
 */
export const PSQL_SAYS = /\\|^(?=[\s\S]*\bcopy\b)[\s\S]*\bprogram\b/i;
/** A dot at the beginning of a line is for the client; these functions load a library, start an editor or write a file. */
export const SQLITE_SAYS = /(?:^|\n)[ \t]*\.|\b(?:load_extension|edit|fts3_tokenizer|writefile)\s*\(/i;
const DUCKDB_SAYS = /(?:^|\n)[ \t]*\.|\b(?:force\s+)?(?:install|load)\s+['"\w]|\b(?:shellfs|writefile)\b/i;
/** `\G` and `\n` are harmless, and in most queries. */
const MYSQL_SAYS =
  /\\[!Pe.Td]|(?:^|[;\n])[^\S\n]*(?:system|pager|edit|source|tee|delimiter)\b|\binto\s+(?:out|dump)file\b/i;

const MYSQL: Profile = {
  harmless:
    "-u --user -p --password -h --host -P --port -D --database -e --execute -N --skip-column-names -B --batch -s --silent -t --table -v --verbose -r --raw -E --vertical -H --html -X --xml -A --no-auto-rehash -f --force -C --compress -q --quick -w --wait -V --version --help --ssl-mode --default-character-set --protocol --connect-timeout --column-names --line-numbers --reconnect",
  values: "uphPDeS",
  runs: "--pager --init-command --init-command-add --plugin-dir --default-auth",
  writes: "--tee",
  turns: "--defaults-file --defaults-extra-file --defaults-group-suffix --login-path",
  says: MYSQL_SAYS,
};
const MONGO: Profile = { runs: "--eval -f --file --shell", turns: "--tlsCertificateKeyFile --tlsCAFile" };
/** `!` at the beginning of a statement, or one of its words. */
const HIVE: Profile = {
  harmless: "-e -S --silent -H --database -database",
  values: "e",
  runs: "-i -f --hiveconf",
  says: /(?:^|[;\n])[^\S\n]*(?:!|shell\b|sh\b|fs\b|dfs\b|source\b|add\s+jar\b)/i,
};

const CLOJURE: Profile = { style: "single", runs: "-e -eval -i -init -Sdeps -r -repl" };

export const CLIENT_PROFILES: Readonly<Record<string, Profile>> = {
  mysql: MYSQL,
  mariadb: MYSQL,
  duckdb: {
    harmless:
      "-c -s -csv -json -line -list -column -box -markdown -readonly -version -help -header -noheader -separator -nullvalue -safe -batch -bail",
    style: "single",
    runs: "-init -f -cmd -ui",
    says: DUCKDB_SAYS,
  },
  usql: {
    harmless: "-c --command -q -t -A -x -V -w -J -C -H",
    values: "c",
    runs: "-f --file -o --out -L --log-file",
    says: PSQL_SAYS,
  },
  pgcli: { runs: "-f --file --pgclirc --init-command -L --log-file", says: PSQL_SAYS },
  litecli: { runs: "--liteclirc -e --execute", says: /\\|(?:^|[;\n])[^\S\n]*\./ },
  mycli: { runs: "--myclirc --init-command", says: MYSQL_SAYS },
  mongosh: MONGO,
  mongo: MONGO,
  hive: HIVE,
  beeline: HIVE,
  "spark-sql": HIVE,
  "impala-shell": HIVE,
  pig: HIVE,
  cqlsh: { runs: "-f --file --cqlshrc", says: /\b(?:source|copy|capture)\b/i },
  sqlcmd: { runs: "-i", writes: "-o", says: /(?:^|\n)[^\S\n]*(?:!!|:!!|:r\b|:ed\b|ed\b|:out\b)/i },
  sqlplus: { says: /(?:^|[;\n])[^\S\n]*(?:!|\$|@|ho(?:st)?\b|sta(?:rt)?\b|spool\b|edit\b)/i },
  "clickhouse-client": {
    runs: "--queries-file -C --config-file --pager",
    says: /\bexecutable\s*\(|\binto\s+outfile\b/i,
  },
  lftp: {
    harmless: "-c -e -u -p -d -v",
    values: "ceup",
    runs: "-f --rcfile --norc",
    says: /(?:^|[;&|\n]|\s)!|\b(?:shell|source|queue|command|local)\b|\||\bset\s+\S*(?:program|command|shell)/,
  },
  smbclient: {
    harmless: "-c --command -U --user -L --list -N --no-pass -p --port -W --workgroup -m -I -D --directory -g -t -h",
    values: "cULpWmIDt",
    turns: "-s --configfile",
    says: /(?:^|[;\n])[^\S\n]*!|\b(?:lcd|tar|logon)\b/,
  },
  lldb: {
    harmless: "-b --batch -n -p -f -a -v",
    runs: "-o -O -s -S -k -K -r -P -c -x --one-line --one-line-before-file --one-line-on-crash --source --source-before-file --source-on-crash --source-quietly --repl --core --local-lldbinit",
  },
  emacsclient: { runs: "-e --eval -a --alternate-editor -f --server-file -s --socket-name" },
  kak: { runs: "-e -E -f -p -i -c", values: "" },
  ranger: { runs: "--cmd --confdir --datadir --selectfile --choosefile --choosedir" },
  vifm: { runs: "-c --remote --remote-expr --on-choose", operands: { pattern: /^\+/, why: STARTS.editorCommand } },
  lf: { style: "single", runs: "-command -config -remote" },
  clojure: CLOJURE,
  clj: CLOJURE,
  dc: { harmless: "-e --expression -V", values: "e", says: /!|\?/ },
  m4: {
    harmless:
      "-D --define -U --undefine -s --synclines -E -P --prefix-builtins -Q --quiet --silent -G --traditional -g --gnu",
    values: "DU",
    says: /e?syscmd/,
    turns: "-I --include -P",
  },
  gnuplot: { harmless: "-e -p -persist --persist -V", values: "e", says: /system|!|`|\bshell\b|\||\bload\b|\bcall\b/ },
};
