/** By the language, modules that run nothing of what they are given, but for what is looked for by its name. */
const KNOWN: Readonly<Record<string, string>> = {
  python: `abc argparse array ast asyncio base64 binascii bisect bs4 bz2 calendar chardet codecs collections configparser contextlib copy csv
    dataclasses datetime dateutil decimal difflib email enum errno fnmatch fractions functools getpass glob gzip hashlib heapq hmac html http
    httpx io ipaddress itertools json locale logging lxml lzma markdown math mimetypes numpy operator os pandas pathlib PIL platform pprint pytz
    random re requests secrets shlex shutil signal socket sqlite3 ssl stat statistics string struct sys tabulate tarfile tempfile textwrap
    threading time toml tomllib traceback types typing unicodedata urllib uuid warnings xml yaml zipfile zlib zoneinfo __future__`,
  node: `assert axios buffer crypto csv-parse date-fns dayjs dns events fs http https marked net node-fetch os path perf_hooks process
    querystring readline stream string_decoder timers tls undici url util uuid yaml zlib`,
  ruby: "base64 bigdecimal csv date digest erb/util json net/http openssl optparse pp securerandom set stringio strscan time uri zlib",
  perl: `strict warnings utf8 feature constant integer bigint open locale List::Util Scalar::Util POSIX JSON JSON::PP JSON::XS Encode Data::Dumper
    Digest::MD5 Digest::SHA MIME::Base64 File::Basename File::Spec Getopt::Long URI::Escape Time::HiRes Time::Local Time::Piece Text::Wrap
    Text::CSV Unicode::Normalize HTTP::Tiny`,
};

/** How modules are named; what is not a name that is written out is none of these. */
const NAMED: Readonly<Record<string, readonly RegExp[]>> = {
  python: [/(?:^|[;:\n])\s*import\s+([^;\n]+)/g, /(?:^|[;:\n])\s*from\s+([\w.]+)\s+import\b/g],
  node: [/\b(?:require|import)\s*\(\s*["'](?:node:)?([^"']*)["']/g, /\b(?:from|import)\s+["'](?:node:)?([^"']*)["']/g],
  ruby: [/(?<![\w.])require\s*\(?\s*["']([^"']*)["']/g],
  perl: [/(?<![\w$@%])(?:use|no)\s+([A-Za-z_][\w:]*)/g],
};

const sets = new Map(Object.entries(KNOWN).map(([name, list]) => [name, new Set(list.split(/\s+/))]));

/** The first module in code of a language of which nothing is known; null = there is none. */
export function unknownModule(language: string, code: string): string | null {
  const known = sets.get(language);
  if (known === undefined) return null;
  const found = (NAMED[language] ?? []).flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap(([, names = ""]) => (language === "python" ? names.split(",") : [names])),
  );
  return found.map((name) => nameOf(language, name)).find((name) => name !== "" && !known.has(name)) ?? null;
}

/** `urllib.parse as p` is of `urllib`, `fs/promises` of `fs`. */
function nameOf(language: string, text: string): string {
  const [name = ""] = text.trim().split(/\s+/);
  if (language === "python") return /^logging\.config$/.test(name) ? name : (name.split(".")[0] ?? "");
  return language === "node" ? name.replace(/^([a-z][\w-]*)\/.*$/, "$1") : name;
}
