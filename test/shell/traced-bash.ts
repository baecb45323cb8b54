import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TraceOptions {
  /** Commands that record how they were called, print a line and succeed. Names, or paths. */
  readonly stubs: Iterable<string>;
  /** Real programs of this machine that scripts may use beside them. */
  readonly real?: readonly string[];
  readonly exit?: 0 | 1;
  /** How long one script may take. */
  readonly seconds?: number;
  /** Builtins that are switched off, so that stubs of those names are run. */
  readonly withoutBuiltins?: readonly string[];
  /** Files that are there to be read. */
  readonly files?: readonly string[];
}

const OWN = ["bash", "dash", "timeout", "mkdir"];
const LIBRARIES = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/libexec"];

/**
 * What bash really runs: each script in a sandbox without network, where nothing is to be found but programs that
 * record their arguments. One list of commands per script.
 */
export function tracedRuns(
  scripts: readonly string[],
  options: TraceOptions,
): readonly (readonly (readonly string[])[])[] {
  return traceInto(scripts, options, (out) => scripts.map((_, index) => recordsIn(join(out, String(index)))));
}

function traceInto<Found>(scripts: readonly string[], options: TraceOptions, collect: (out: string) => Found): Found {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-trace-"));
  try {
    traceAll(scripts, options, folder);
    return collect(join(folder, "out"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function traceAll(scripts: readonly string[], options: TraceOptions, folder: string): void {
  const [cases, out, stubs] = ["cases", "out", "stubs"].map((name) => join(folder, name)) as [string, string, string];
  for (const each of [cases, out, stubs]) mkdirSync(each);
  writeFileSync(join(folder, "in"), "x\n");
  writeFileSync(join(folder, "stub"), STUB(options.exit ?? 0));
  chmodSync(join(folder, "stub"), 0o755);
  const paths: string[] = [];
  for (const name of new Set(options.stubs)) {
    if (name.includes("/")) paths.push(name);
    else if (name !== "" && name !== "." && name !== ".." && Buffer.byteLength(name) < 255)
      linkSync(join(folder, "stub"), join(stubs, name));
  }
  writeFileSync(join(folder, "driver"), DRIVER(options.files ?? [], options.seconds ?? 20));
  writeFileSync(
    join(folder, "before"),
    options.withoutBuiltins === undefined ? "" : `enable -n ${options.withoutBuiltins.join(" ")}\ncd() { :; }\n`,
  );
  for (const [index, script] of scripts.entries()) writeFileSync(join(cases, String(index)), script);
  const bind = (from: string, to: string): string[] => ["--ro-bind", from, to];
  const args = [
    ...[
      "--unshare-all",
      "--die-with-parent",
      "--new-session",
      "--tmpfs",
      "/",
      "--dev",
      "/dev",
      "--proc",
      "/proc",
      "--dir",
      "/w",
      "--dir",
      "/tmp",
    ],
    ...LIBRARIES.filter((path) => existsSync(path)).flatMap((path) => bind(path, path)),
    ...OWN.flatMap((name) => bind(found(name), `/t/${name}`)),
    ...(options.real ?? []).flatMap((name) => bind(found(name), `/real/${name}`)),
    ...bind(stubs, "/stubs"),
    ...bind(cases, "/cases"),
    ...bind(join(folder, "driver"), "/driver"),
    ...bind(join(folder, "before"), "/before"),
    ...bind(join(folder, "in"), "/in"),
    ...["--bind", out, "/out", "--clearenv", "--setenv", "PATH", "/stubs:/real", "--setenv", "HOME", "/w"],
    ...paths
      .filter(
        (path) =>
          path.startsWith("/") &&
          !LIBRARIES.some((library) => path.startsWith(library)) &&
          !/^\/(?:dev|proc|t|out|w|stubs|real|cases)(?:\/|$)/.test(path) &&
          !path.endsWith("/"),
      )
      .flatMap((path) => ["--dir", dirname(path), "--ro-bind", join(folder, "stub"), path]),
    ...["/t/bash", "--noprofile", "--norc", "/driver", String(scripts.length)],
  ];
  execFileSync("bwrap", args, { stdio: ["ignore", "ignore", "inherit"], maxBuffer: 1 << 26 });
}

const found = (name: string): string => {
  const folder = (process.env["PATH"] ?? "").split(":").find((each) => existsSync(join(each, name)));
  if (folder === undefined) throw new Error(`${name} is not installed`);
  return realpathSync(join(folder, name));
};

/** The length first, because a word may be empty and may hold anything but a zero. */
const STUB = (exit: number): string => `#!/t/dash
trap '' PIPE
read -r n < /out/current
printf '%s\\0' "$#" "$0" "$@" >> "/out/$n"
echo x
exit ${exit}
`;

/** Descriptor 9 is open in all that a script leaves behind: the next one starts when it is closed everywhere. */
const DRIVER = (files: readonly string[], seconds: number): string => `
exec 2> /dev/null
for (( n = 0; n < $1; n++ )); do
  echo "$n" > /out/current
  ${files.length === 0 ? ":" : filled(files)}
  { ulimit -f 2000; BASH_ENV=/before /t/timeout -s KILL ${seconds} /t/bash --noprofile --norc -c "$(</cases/$n)" < /dev/null > /dev/null 2>&1; } 9>&1 | while read -r; do :; done
done
exit 0
`;

/**
 * How bash itself writes down what it has read of each script, one command a line; null = it can't read it. Nothing is
 * run: the script is the body of a function that nobody calls.
 */
export function printedByBash(scripts: readonly string[]): readonly (string | null)[] {
  const functions = scripts.map((script) => `f() {\n${script}\n}\ndeclare -f f > /out/printed.$(</out/current)`);
  const printed = new Map<number, string>();
  traceInto(functions, { stubs: [] }, (out) => {
    for (const index of scripts.keys()) {
      const path = join(out, `printed.${index}`);
      if (existsSync(path)) printed.set(index, readFileSync(path, "utf8"));
    }
  });
  return scripts.map((_, index) => /^f \(\)\s*\{([\s\S]*)\}\s*$/.exec(printed.get(index) ?? "")?.[1] ?? null);
}

/** A folder of its own for each script, since they leave files behind. */
const filled = (files: readonly string[]): string => `/t/mkdir -p "/w/$n" && cd "/w/$n"
  for f in ${files.map((file) => `'${file.replaceAll("'", `'\\''`)}'`).join(" ")}; do [[ -e $f ]] || echo x > "$f"; done 2>/dev/null`;

function recordsIn(path: string): readonly (readonly string[])[] {
  if (!existsSync(path)) return [];
  const fields = readFileSync(path, "utf8").split("\0");
  const records: string[][] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const count = Number(fields[at]);
    if (!Number.isInteger(count)) break;
    const [name = "", ...args] = fields.slice(at + 1, at + 2 + count);
    records.push([name.replace(/^\/stubs\//, ""), ...args]);
    at += count + 2;
  }
  return records;
}
