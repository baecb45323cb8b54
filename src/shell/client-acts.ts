/** What a text for a client of a database makes the client itself do. */
export interface ClientActs {
  /** It starts programs, or does something of which nothing is known. */
  readonly runs: boolean;
  /** Files whose text is read as if it stood there; null = named at run time. */
  readonly reads: readonly (string | null)[];
  /** Files that it writes to. */
  readonly writes: readonly string[];
  /** Variables of the client's own that it pastes into the text as they are. */
  readonly pastes: ReadonlySet<string>;
  /** One of those is set by the text itself, from another variable, the environment or an answer. */
  readonly pastesOthers?: boolean;
}

const NONE: ReadonlySet<string> = new Set();
const unquoted = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/s, "$2");

/** Dot commands that neither run nor load anything. With a bar, what follows is a command of a shell. */
const HARMLESS_DOTS =
  /^\.(?:mode|headers?|import|tables|schema|fullschema|dump|separator|nullvalue|timeout|width|bail|echo|quit|exit|stats|timer|changes|index(?:es)?|databases|dbinfo|param(?:eter)?|print|once|output|open|backup|restore|save|show|explain|eqp|limit|prompt|help|version|crlf|selecttrace|vfsinfo|vfslist|vfsname|dbconfig|dbtotxt|expert|filectrl|lint|recover|sha3sum|trace|log|auth|binary|clone)\b/;

/** What a query itself can call in there. */
const RUNNING_FUNCTION = /\b(?:load_extension|edit|fts3_tokenizer)\s*\(/i;
const WRITTEN_FILE = /\bwritefile\s*\(\s*'([^']*)'/gi;

/** `sqlite3`, `duckdb`: a line that begins with a dot is for the client. */
export function sqliteActs(text: string): ClientActs {
  const lines = text.split("\n").filter((line) => /^\s*\./.test(line));
  const reads = lines.flatMap((line) => {
    const [, file] = /^\s*\.read\s+(.*)$/.exec(line) ?? [];
    return file === undefined || file.startsWith("|") ? [] : [unquoted(file)];
  });
  const runs = lines.some((line) => {
    const command = line.trim();
    if (/^\.read\s+[^|]/.test(command)) return false;
    // `.` alone, or a number, is no command.
    return /\|/.test(command) || (/^\.[a-z]/.test(command) && !HARMLESS_DOTS.test(command));
  });
  const writes = lines.flatMap((line) => {
    const [, file] = /^\s*\.(?:once|output|backup|save|clone|trace|log)\b(?:.*\s)?(\S+)\s*$/.exec(line) ?? [];
    return file === undefined ? [] : [unquoted(file)];
  });
  const [functions, ...written] = [RUNNING_FUNCTION.test(text), ...text.matchAll(WRITTEN_FILE)];
  return {
    runs: runs || functions,
    reads,
    writes: [...writes, ...written.map(([, file]) => file ?? "")],
    pastes: NONE,
  };
}

/** Backslash commands of psql that run something. */
const PSQL_RUNS = /\\!|\\(?:o|out|w|write|g|gx)\s*\||\bprogram\b|`|\\(?:setenv|e|edit|ef|ev|bind_named|gexec)\b/i;
const PSQL_WRITES = /(?:\\(?:o|out|w|write|g|gx|s)\s+|\\copy\b.*\bto\s+)(\S+)/gi;
const PSQL_READS = /\\(?:i|ir|include|include_relative)\s+(\S+)/g;
/** `:x`, and not `:'x'`, `:"x"`, `:{?x}` nor `::type`. */
const PSQL_PASTES = /(?<![:\w])[:]([A-Za-z_]\w*)/g;

/** `\\getenv x X`, `\\set x :'y'`; what `\\gset` sets is named by the query. */
const PSQL_SETS = /\\(?:getenv|prompt)\s+(?:'[^']*'\s+)?(\w+)|\\set\s+(\w+)\s+.*:/g;

export function psqlActs(text: string): ClientActs {
  const pastes = new Set([...text.matchAll(PSQL_PASTES)].map(([, name]) => name ?? ""));
  const set = [...text.matchAll(PSQL_SETS)].map(([, got, made]) => got ?? made ?? "");
  return {
    runs: PSQL_RUNS.test(text),
    reads: [...text.matchAll(PSQL_READS)].map(([, file]) => unquoted(file ?? "")),
    writes: [...text.matchAll(PSQL_WRITES)].map(([, file]) => unquoted(file ?? "")),
    pastes,
    pastesOthers: set.some((name) => pastes.has(name)) || (/\\gset\b/.test(text) && pastes.size > 0),
  };
}

const MYSQL_RUNS = /\\!|^[^\S\n]*(?:system|pager|edit)\b|\\[Pe]\b/im;
const MYSQL_WRITES = /(?:^[^\S\n]*tee\s+|\\T\s*|\boutfile\s+)(\S+)/gim;
const MYSQL_READS = /(?:^[^\S\n]*source\s+|\\\.\s*)(\S+)/gim;

export const mysqlActs = (text: string): ClientActs => ({
  runs: MYSQL_RUNS.test(text),
  reads: [...text.matchAll(MYSQL_READS)].map(([, file]) => unquoted(file ?? "")),
  writes: [...text.matchAll(MYSQL_WRITES)].map(([, file]) => unquoted(file ?? "")),
  pastes: NONE,
});
