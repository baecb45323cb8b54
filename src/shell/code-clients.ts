import { mysqlActs, psqlActs, sqliteActs } from "./client-acts.ts";
import type { CodeTaker } from "./code-taker.ts";

const SQL = "let the database quote it: `psql -v x={{x}}` with `:'x'` in a quoted heredoc";
const SQLITE: CodeTaker = {
  strict: true,
  style: "single",
  text: "-cmd -c -s",
  // Read before it is told to be safe.
  loads: "-init",
  values: "-separator -newline -nullvalue -vfs -maxsize -mmap -heap",
  flags:
    "-A -append -ascii -bail -batch -box -column -csv -deserialize -echo -header -noheader -help -html -interactive -json -line -list -markdown -memtrace -nofollow -quote -readonly -stats -table -tabs -version -zip",
  operand: 1,
  rest: true,
  operandIs: "text",
  stdin: "always",
  safe: /^--?safe$/,
  statements: true,
  says: sqliteActs,
  fix: "add `-safe` (and `-readonly`): without it a query can run programs",
};
const MYSQL: CodeTaker = {
  text: "-e --execute --init-command --pager --plugin-dir",
  loads: "--defaults-file --defaults-extra-file",
  values: "-h -P -u -D -S --host --port --user --database --socket",
  glued: "p",
  stdin: "always",
  safe: /^--(?:sandbox|skip-system-command)$/,
  statements: true,
  says: mysqlActs,
  fix: "add `--sandbox`: without it a query can run programs",
};
const TALKS: CodeTaker = { text: "-e -c -o -S -D", files: "-f -F -b", stdin: "always" };

/** Clients of databases and of other machines: what they are told is code, to them or to the other side. */
export const CLIENTS: Readonly<Record<string, CodeTaker>> = {
  curl: {
    text: "--engine",
    files: "-K --config",
    values:
      "-A -b -c -C -d -D -e -E -F -H -m -o -P -r -T -u -U -w -x -X -y -Y -z --data --data-raw --data-binary --data-urlencode --json --header --user --user-agent --request --output --form --form-string --cookie --max-time --connect-timeout --retry --url --referer --write-out",
  },
  rsync: {
    remote: true,
    text: "-e --rsh --rsync-path -M --remote-option",
    files: "--config -f --filter",
    values: "--exclude --include",
  },
  sqlite3: SQLITE,
  duckdb: SQLITE,
  psql: {
    strict: true,
    text: "-c --command -o --output",
    files: "-f --file -L --log-file",
    values:
      "-d -h -p -U -v -F -R -T -P --dbname --host --port --username --set --variable --field-separator --record-separator --table-attr --pset",
    flags:
      "-a -A -b -e -E -H -l -n -q -s -S -t -w -W -x -X -z -0 -1 --csv --quiet --no-password --password --no-psqlrc --no-align --tuples-only --expanded --html --list --single-transaction --echo-all --echo-errors --echo-queries --single-line --no-readline --version",
    stdin: "always",
    says: psqlActs,
    fix: SQL,
  },
  mysql: MYSQL,
  mariadb: MYSQL,
  mongosh: { strict: true, text: "--eval", files: "-f --file", operand: 0, rest: true, stdin: "always" },
  ftp: TALKS,
  lftp: TALKS,
  sftp: TALKS,
};
