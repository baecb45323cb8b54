// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What programs start where they start a shell, and what a value wants to have run. */
const SHELLS = ["/bin/sh", "/t/sh"]
  .flatMap((path) => ["--symlink", "/t/bash", path])
  .concat("--symlink", "/in/canary", "/t/canary");
/** What scripts are made of that do something with words, options and files. */
const PROGRAMS = `awk cat chmod cp dd env find grep head install ln ls make mkdir mv nice nohup printenv psql sed sort
  sqlite3 tar tee timeout touch wc xargs zip`.split(/\s+/);

const LIBRARIES = ["/lib", "/lib64", "/usr/lib", "/usr/lib64"];

/** Bash in a sandbox that holds nothing but bash. Gives back the files that the driver wrote. */
function inEmptySandbox(
  files: Readonly<Record<string, string | Uint8Array>>,
  results: readonly string[],
  programs: readonly string[] = [],
): Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-slots-"));
  try {
    mkdirSync(join(folder, "out"));
    mkdirSync(join(folder, "in"));
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(folder, "in", name), content, { mode: 0o755 });
    execFileSync(
      "bwrap",
      [
        ...["--unshare-all", "--die-with-parent", "--new-session", "--tmpfs", "/", "--dev", "/dev", "--proc", "/proc"],
        ...["--dir", "/w", "--dir", "/tmp", "--chdir", "/w"],
        ...LIBRARIES.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", path, path]),
        ...["--ro-bind", found("bash"), "/t/bash", "--ro-bind", found("timeout"), "/t/timeout"],
        ...["--ro-bind", join(folder, "in"), "/in", "--bind", join(folder, "out"), "/out"],
        ...programs.flatMap((name) => (isFound(name) ? ["--ro-bind", found(name), `/t/${name}`] : [])),
        ...(programs.length === 0 ? [] : SHELLS),
        ...[
          "--clearenv",
          "--setenv",
          "PATH",
          programs.length === 0 ? "/none" : "/t",
          "--setenv",
          "HOME",
          "/w",
          "--setenv",
          "LANG",
          "C.UTF-8",
        ],
        ...["/t/bash", "--noprofile", "--norc", "/in/driver"],
      ],
      { stdio: ["ignore", "ignore", "ignore"] },
    );
    return results.map((name) =>
      existsSync(join(folder, "out", name)) ? readFileSync(join(folder, "out", name)) : Buffer.alloc(0),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const folderOf = (name: string): string | undefined =>
  (process.env["PATH"] ?? "").split(":").find((each) => existsSync(join(each, name)));

const isFound = (name: string): boolean => folderOf(name) !== undefined;

const found = (name: string): string => {
  const folder = folderOf(name);
  if (folder === undefined) throw new Error(`${name} is not installed`);
  return realpathSync(join(folder, name));
};

export interface BoundRun {
  /** What `arrive` was given for each value. */
  readonly arrived: readonly Buffer[];
  /** How many commands bash ran for each. */
  readonly commands: readonly number[];
  /** Whether anything was run that is nowhere in the script. */
  readonly canary: boolean;
}

/** One script with its slot bound to each of the values in turn. */
export function boundRuns(script: string, values: readonly string[]): BoundRun {
  const driver = `
command_not_found_handle() { printf 'x' >> /out/canary; }
exec 3> /out/arrived 4> /out/commands
arrive() { printf '%s\\0' "$1" >&3; }
mapfile -d '' -t all < /in/values
run() {
${script}
}
set -T
for value in "\${all[@]}"; do
  __toolgate_v=("$value")
  trap 'printf . >&4' DEBUG
  run
  trap - DEBUG
  printf '\\n' >&4
done
`;
  const [arrived = Buffer.alloc(0), commands = Buffer.alloc(0), canary = Buffer.alloc(0)] = inEmptySandbox(
    { driver, values: values.map((value) => `${value}\0`).join("") },
    ["arrived", "commands", "canary"],
  );
  return {
    arrived: split(arrived, 0),
    commands: split(commands, 10).map(({ length }) => length),
    canary: canary.length > 0,
  };
}

/** What a bound script prints for each of the values, with programs there, and whether anything else was run. */
export function boundOutputs(
  script: string,
  values: readonly string[],
): { readonly printed: readonly Buffer[]; readonly canary: boolean } {
  const driver = `
command_not_found_handle() { printf 'x' >> /out/canary; }
exec 3> /out/printed
mapfile -d '' -t all < /in/values
run() {
${script}
}
for value in "\${all[@]}"; do
  __toolgate_v=("$value")
  ( run ) < /dev/null >&3
  printf '\\0' >&3
done
`;
  const [printed = Buffer.alloc(0), canary = Buffer.alloc(0)] = inEmptySandbox(
    { driver, values: values.map((value) => `${value}\0`).join(""), canary: "#!/t/bash\nprintf x >> /out/canary\n" },
    ["printed", "canary"],
    [...PROGRAMS, "mktemp"],
  );
  return { printed: split(printed, 0), canary: canary.length > 0 };
}

/** Scripts that are what they are, each in a bash of its own: how many commands each one ran. */
export function commandsRun(scripts: readonly string[]): readonly number[] {
  const before = `command_not_found_handle() { :; }
arrive() { :; }
exec 4>> "/out/$n"
set -T
trap 'printf . >&4' DEBUG
`;
  const cases = Object.fromEntries(scripts.map((script, index) => [`case${index}`, before + script]));
  const driver = `
exec 2> /dev/null
for (( n = 0; n < ${scripts.length}; n++ )); do
  export n
  /t/timeout -s KILL 10 /t/bash --noprofile --norc "/in/case$n" < /dev/null > /dev/null 2>&1
done
exit 0
`;
  const results = inEmptySandbox(
    { driver, ...cases },
    scripts.map((_, index) => String(index)),
  );
  return results.map(({ length }) => length);
}

/** What a value holds that somebody would run, each in its own way. */
const CANARIES: readonly string[] = [
  "$(canary)",
  "`canary`",
  ";canary;",
  "\ncanary\n",
  "a[$(canary)]",
  "'$(canary)'\"$(canary)\"",
  "'; canary; '",
  '"; canary; "',
  "x=$(canary)",
  "canary",
  "E\ncanary\n",
  "${a[$(canary)]}",
  ") canary (",
  "|| canary &",
  "-v a[$(canary)] -o b",
  "a -o -v a[$(canary)]",
  "-v a[$(canary)]",
  "a b[$(canary)]=1",
  "([$(canary)]=a $(canary))",
  "canary EXIT",
];

/** The same for those that start programs, each of which takes its time. */
const FOR_PROGRAMS: readonly string[] = [
  ...["canary", "$(canary)", "\ncanary\n", "a[$(canary)]", "'; canary; '", '"; canary; "'],
  ...["1e canary", 'BEGIN { system("canary") }', "all:\n\tcanary\n", ".shell canary\n", "a b;canary"],
  ...["a --checkpoint=1 --checkpoint-action=exec=canary", "/w/evil", "/w/evil/run.sh"],
];

/** A folder that a value names: whatever is run from there runs the canary. */
const EVIL = `/t/mkdir -p /w/evil/d
printf '#!/t/bash\ncanary\n' > /w/evil/run.sh
printf 'all:\n\tcanary\n' > /w/evil/Makefile
printf '.shell canary\n' > /w/evil/q.sql
printf '1e canary\n' > /w/evil/run.sed
printf 'BEGIN { system("canary") }\n' > /w/evil/run.awk
/t/cp /w/evil/run.sh /w/evil/d/run.sh
/t/chmod +x /w/evil/run.sh /w/evil/d/run.sh
`;

/** Whether each of the scripts runs `canary` with any of those in its slots. */
export function firedIn(scripts: readonly string[], among: "bash" | "programs"): readonly boolean[] {
  // What one has written is nothing to the next.
  const folders = among === "bash" ? "" : `/t/mkdir -p "/w/$n/"{0..${FOR_PROGRAMS.length}}/d`;
  const fresh = among === "bash" ? "" : 'cd "/w/$n/$k"; k=$((k + 1))';
  const cases = Object.fromEntries(
    scripts.map((script, index) => [
      `case${index}`,
      `canary() { printf x >> "/out/$n"; }
exec 2> /dev/null > /dev/null
run() {
${script}
}
mapfile -d '' -t all < /in/canaries
${folders}
k=0
for value in "\${all[@]}"; do
  ${fresh}
  __toolgate_v=("$value" "$value" "$value" "$value" "$value")
  ( run ) < /dev/null &
  wait $!
done
`,
    ]),
  );
  const driver = `
exec 2> /dev/null
${among === "bash" ? "" : EVIL}
for (( n = 0; n < ${scripts.length}; n++ )); do
  export n
  { ulimit -f 2000; /t/timeout -s KILL 10 /t/bash --noprofile --norc "/in/case$n" < /dev/null > /dev/null 2>&1; } 9>&1 | while read -r; do :; done
done
exit 0
`;
  const canaries = (among === "bash" ? CANARIES : FOR_PROGRAMS).map((value) => `${value}\0`).join("");
  const results = inEmptySandbox(
    { driver, canaries, canary: '#!/t/bash\nprintf x >> "/out/$n"\n', ...cases },
    scripts.map((_, index) => String(index)),
    among === "bash" ? [] : PROGRAMS,
  );
  return results.map(({ length }) => length > 0);
}

function split(bytes: Buffer, by: number): readonly Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(by); at !== -1; at = bytes.indexOf(by, from)) {
    parts.push(bytes.subarray(from, at));
    from = at + 1;
  }
  return parts;
}
