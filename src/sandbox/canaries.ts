import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mount, Sandbox, SandboxCommand, SandboxEnd, SandboxFault, SandboxLimits } from "../ports/sandbox.ts";

/** Something that a sandbox must prevent, and whether it did when a program really tried. */
export interface Canary {
  readonly name: string;
  readonly held: boolean;
  /** What to do if it did not hold. */
  readonly fix: string;
}

export type Canaries =
  | { readonly kind: "tried"; readonly canaries: readonly Canary[] }
  /** No program could be started, so nothing escapes either. */
  | { readonly kind: "refused"; readonly fault: SandboxFault };

/** Where canaries run: as calls do, in the workspace, which they may read. */
export interface CanaryPlace {
  readonly workspace: string;
  /** A new folder of the workspace that they may write to; null = there is none. */
  readonly writable: string | null;
  readonly mounts: readonly Mount[];
}

/** Listeners of this machine that a sandboxed program must not reach. */
export interface Listeners {
  readonly port: number;
  readonly socketPath: string;
}

interface Attempt {
  readonly name: string;
  /**
   * A bash script that succeeds only if it gets through. `OUT`, `PORT`, `SOCKET`, `GATE` and `MARK` name what was
   * planted, `WORKSPACE` the workspace, `WRITABLE` a folder that may be written.
   */
  readonly script: string;
  readonly fix: string;
}

const MOUNT_LESS = "mount less: `sandbox: { minimum: namespaces }`";

/** To try one thing more, add it here. All of them run one after another in one sandbox. */
const ATTEMPTS: readonly Attempt[] = [
  { name: "read a secret outside", script: 'cat "$OUT/secret"', fix: MOUNT_LESS },
  { name: "write outside", script: 'echo x > "$OUT/written"', fix: MOUNT_LESS },
  {
    name: "write to the workspace without a grant",
    script: 'echo x > "$WORKSPACE/.toolgate-written"',
    fix: MOUNT_LESS,
  },
  {
    name: "leave a set-user-id file",
    script: 'cp /usr/bin/true "$WRITABLE/set-id" && chmod 4755 "$WRITABLE/set-id" && [ -u "$WRITABLE/set-id" ]',
    fix: "use a kernel with seccomp filters",
  },
  { name: "read the system's passwords", script: "cat /etc/shadow", fix: "start the gate as an ordinary user" },
  {
    name: "see other processes",
    script: '[ -e "/proc/$GATE/status" ] && grep -q node "/proc/$GATE/cmdline"',
    fix: "allow pid namespaces",
  },
  {
    name: "see the network",
    script: 'grep -vE "^ *lo:|\\|" /proc/net/dev | grep -q :',
    fix: "allow network namespaces",
  },
  {
    name: "reach a listener of this machine",
    script: 'exec 3<>"/dev/tcp/127.0.0.1/$PORT"',
    fix: "allow network namespaces",
  },
  { name: "reach a unix socket of this machine", script: '[ -S "$SOCKET" ] && [ -w "$SOCKET" ]', fix: MOUNT_LESS },
  {
    name: "see unix sockets of others",
    script: '[ "$(wc -l < /proc/net/unix)" -gt 1 ]',
    fix: "allow network namespaces",
  },
  { name: "find sockets of the system", script: "ls /run/* /var/run/*", fix: MOUNT_LESS },
  {
    name: "make a namespace",
    script: "unshare -U true || unshare -m true",
    fix: "update bubblewrap: it has to know `--disable-userns`",
  },
  {
    name: "mount something",
    // Undone at once: every mount of a machine makes each later sandbox slower.
    script: 'mkdir -p "$TMPDIR/m" && mount -t tmpfs none "$TMPDIR/m" && { umount "$TMPDIR/m" || true; }',
    fix: "let bubblewrap drop capabilities",
  },
  {
    name: "gain a capability",
    script: 'grep -qE "^Cap(Eff|Bnd):.*[1-9a-f]" /proc/self/status',
    fix: "let bubblewrap drop capabilities",
  },
  {
    name: "gain privileges",
    script: 'grep -q "NoNewPrivs:.0" /proc/self/status',
    fix: "let bubblewrap set no_new_privs",
  },
  {
    name: "run without a filter",
    script: '! grep -q "Seccomp:.2" /proc/self/status',
    fix: "use a kernel with seccomp filters",
  },
  {
    name: "write a setting of the kernel",
    script: "exec 3>>/proc/sys/kernel/core_pattern",
    fix: "start the gate as an ordinary user",
  },
  {
    name: "read the gate's environment",
    script: 'tr "\\0" "\\n" < /proc/1/environ | grep -q "^PATH=/"',
    fix: "allow pid namespaces",
  },
  {
    name: "be spared when memory runs out",
    script: '[ "$(cat /proc/self/oom_score_adj)" -lt 1000 ]',
    fix: "let the gate write `oom_score_adj` of its programs",
  },
  {
    name: "start more tasks than it may",
    script: 'for i in $(seq 60); do sleep 2 & done 2>&1 | grep -q . && exit 1; [ "$(jobs | wc -l)" -ge 55 ]',
    fix: "let the gate make cgroups, or start it as an ordinary user",
  },
];

const LEFT_BEHIND: Attempt = {
  name: "leave a process behind",
  // Waits until the process runs: one that starts later would not be found afterwards, and would count as held.
  script:
    '(setsid sleep "$MARK" >/dev/null 2>&1 </dev/null &); for i in $(seq 100); do grep -qsa "slee[p].$MARK" /proc/[0-9]*/cmdline && break; sleep 0.02; done',
  fix: "allow pid namespaces",
};

/** Long enough for a machine that is busy or emulated: an attempt that is stopped does not count as held. */
const TIMEOUT_MS = 120_000;
const MB = 1024 * 1024;
const LIMITS = { memoryBytes: 512 * MB, openFiles: 256, tasks: 32, fileBytes: MB };
const LITTLE_MEMORY = { memoryBytes: 32 * MB, openFiles: 64, tasks: 32, fileBytes: 32 * MB, privateBytes: 128 * MB };

const GROUPS = "run the gate where it can make cgroups: in a systemd unit with `Delegate=yes`, or with a user manager";

/** Each runs in a sandbox of its own with little memory, and must be ended for it. It succeeds if it is not. */
const MEMORY_ATTEMPTS: readonly Attempt[] = [
  {
    name: "use more memory than it may by several processes",
    // `tail` keeps what it has read until its reader takes it.
    script:
      "set -o pipefail; for i in 1 2 3 4; do (head -c 16000000 /dev/zero | tail -c 16000000 | { sleep 3; cat >/dev/null; }) & done; for job in $(jobs -p); do wait $job || exit 1; done",
    fix: GROUPS,
  },
  {
    name: "use more memory than it may by sharing it",
    script: "for i in 1 2 3; do head -c 16000000 /dev/zero > /dev/shm/$i || exit 1; done; sleep 3",
    fix: GROUPS,
  },
];

/** Tries what the sandbox really prevents here. Takes about a second. */
export async function tryCanaries(sandbox: Sandbox, listeners: Listeners, place: CanaryPlace): Promise<Canaries> {
  const missing = sandbox.missing();
  if (missing !== null) return { kind: "refused", fault: missing };
  const folder = mkdtempSync(join(tmpdir(), "toolgate-doctor-"));
  const mark = `1${randomBytes(4).readUInt32LE()}.${process.pid}`;
  const outside = join(folder, "outside");
  mkdirSync(outside);
  try {
    writeFileSync(join(outside, "secret"), "secret\n");
    const planted = { OUT: outside, GATE: String(process.pid), MARK: mark };
    const env = { ...planted, PORT: String(listeners.port), SOCKET: listeners.socketPath };
    const tried = await throughOf(sandbox, place, env);
    if ("code" in tried) return { kind: "refused", fault: tried };
    const memory = await Promise.all(MEMORY_ATTEMPTS.map((attempt) => withLittleMemory(attempt, sandbox, place)));
    const canaries = [
      ...ATTEMPTS.map(({ name, fix }) => ({ name, fix, held: !tried.has(name) })),
      { name: LEFT_BEHIND.name, fix: LEFT_BEHIND.fix, held: !isAlive(mark) },
      ...memory,
    ];
    return { kind: "tried", canaries };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The names of those that got through. */
async function throughOf(
  sandbox: Sandbox,
  place: CanaryPlace,
  env: Readonly<Record<string, string>>,
): Promise<ReadonlySet<string> | SandboxFault> {
  const script = [...ATTEMPTS, LEFT_BEHIND].map(
    ({ name, script: body }) =>
      `if ( ${body} ) >/dev/null 2>&1; then echo 'THROUGH ${name.replaceAll("'", `'\\''`)}'; fi`,
  );
  const { end, text } = await ran(
    sandbox,
    place,
    ["PATH=$PATH:/usr/bin:/bin", ...script, "echo DONE"].join("\n"),
    LIMITS,
    env,
  );
  if (end.kind === "refused") return end.fault;
  if (!text.endsWith("DONE\n")) return UNFINISHED;
  return new Set(Array.from(text.matchAll(/^THROUGH (.*)$/gm), ([, name]) => name ?? ""));
}

/** Otherwise everything after the point where it ended would count as held. */
const UNFINISHED: SandboxFault = {
  code: "SANDBOX_UNAVAILABLE",
  message: "the program that tries the sandbox did not run to its end",
  hint: "run `toolgate doctor` again when the machine is less busy",
};

async function withLittleMemory({ name, fix, script }: Attempt, sandbox: Sandbox, place: CanaryPlace): Promise<Canary> {
  const { end } = await ran(sandbox, place, script, LITTLE_MEMORY, {});
  return { name, fix, held: end.kind === "exited" && end.reached?.includes("memory") === true };
}

async function ran(
  sandbox: Sandbox,
  { workspace, writable, mounts }: CanaryPlace,
  script: string,
  limits: SandboxLimits,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly end: SandboxEnd; readonly text: string }> {
  const command: SandboxCommand = {
    argv: ["/bin/bash", "--noprofile", "--norc", "-c", script],
    mounts,
    cwd: workspace,
    view: "system",
    env: { ...env, WORKSPACE: workspace, WRITABLE: writable ?? "/tmp" },
    limits,
  };
  const program = sandbox.start(command, AbortSignal.timeout(TIMEOUT_MS));
  let text = "";
  for await (const bytes of program.output) text += Buffer.from(bytes);
  return { end: await program.ended, text };
}

/** Whether the process that was left behind still runs. Ends it, because it is the gate's own. */
function isAlive(mark: string): boolean {
  const left = readdirSync("/proc").filter(
    (pid) => /^\d+$/.test(pid) && commandLineOf(pid).startsWith(`sleep\0${mark}`),
  );
  for (const pid of left) process.kill(Number(pid), "SIGKILL");
  return left.length > 0;
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ESRCH", "EACCES"].includes(code)) return ""; // it has ended, or is hidden from this user
    throw error;
  }
}
