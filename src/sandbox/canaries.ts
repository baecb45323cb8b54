import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox, SandboxFault } from "../ports/sandbox.ts";

/** One thing that a sandbox has to prevent, tried for real. */
export interface Canary {
  readonly name: string;
  readonly held: boolean;
  /** What to do about it, where it was not. */
  readonly fix: string;
}

export type Canaries =
  | { readonly kind: "tried"; readonly canaries: readonly Canary[] }
  /** Nothing could be started, so nothing gets out either. */
  | { readonly kind: "refused"; readonly fault: SandboxFault };

const MOUNT_LESS = "mount less: `sandbox: { minimum: namespaces }`";

/** Prints its name where it gets through. `OUT`, `PORT`, `SOCKET`, `GATE` and `MARK` are what was planted. */
const TRIES: readonly (readonly [name: string, script: string, fix: string])[] = [
  ["read a secret outside", 'cat "$OUT/secret"', MOUNT_LESS],
  ["write outside", 'echo x > "$OUT/written"', MOUNT_LESS],
  ["read the system's passwords", "cat /etc/shadow", "start the gate as an ordinary user"],
  ["see other processes", '[ -e "/proc/$GATE/status" ] && grep -q node "/proc/$GATE/cmdline"', "allow pid namespaces"],
  ["see the network", 'grep -vE "^ *lo:|\\|" /proc/net/dev | grep -q :', "allow network namespaces"],
  ["reach a listener of this machine", 'exec 3<>"/dev/tcp/127.0.0.1/$PORT"', "allow network namespaces"],
  ["reach a unix socket of this machine", '[ -S "$SOCKET" ] && [ -w "$SOCKET" ]', MOUNT_LESS],
  ["see unix sockets of others", '[ "$(wc -l < /proc/net/unix)" -gt 1 ]', "allow network namespaces"],
  ["find sockets of the system", "ls /run/* /var/run/*", MOUNT_LESS],
  ["make a namespace", "unshare -U true || unshare -m true", "update bubblewrap: it has to know `--disable-userns`"],
  [
    "mount something",
    // Where it can, it undoes it: every mount of a machine makes each later sandbox dearer.
    'mkdir -p "$TMPDIR/m" && mount -t tmpfs none "$TMPDIR/m" && { umount "$TMPDIR/m" || true; }',
    "let bubblewrap drop capabilities",
  ],
  ["gain a capability", 'grep -qE "^Cap(Eff|Bnd):.*[1-9a-f]" /proc/self/status', "let bubblewrap drop capabilities"],
  [
    "leave a set-user-id file",
    'f="$TMPDIR/set-id"; : > "$f"; chmod 4755 "$f"; [ -u "$f" ]',
    "use a kernel with seccomp filters",
  ],
  ["gain privileges", 'grep -q "NoNewPrivs:.0" /proc/self/status', "let bubblewrap set no_new_privs"],
  ["run without a filter", '! grep -q "Seccomp:.2" /proc/self/status', "use a kernel with seccomp filters"],
  ["write a setting of the kernel", "exec 3>>/proc/sys/kernel/core_pattern", "start the gate as an ordinary user"],
  ["read the gate's environment", 'tr "\\0" "\\n" < /proc/1/environ | grep -q "^PATH=/"', "allow pid namespaces"],
  [
    "start more tasks than it may",
    'for i in $(seq 60); do sleep 2 & done 2>&1 | grep -q . && exit 1; [ "$(jobs | wc -l)" -ge 55 ]',
    "let the gate make cgroups, or start it as an ordinary user",
  ],
  [
    "leave a process behind",
    // Seen running before the script ends: one that has not begun yet is not found afterwards, and would count as held.
    '(setsid sleep "$MARK" >/dev/null 2>&1 </dev/null &); for i in $(seq 100); do grep -qsa "slee[p].$MARK" /proc/[0-9]*/cmdline && break; sleep 0.02; done',
    "allow pid namespaces",
  ],
];

/** Something of this machine that listens, and that nobody in a sandbox may get to. */
export interface Listeners {
  readonly port: number;
  readonly socketPath: string;
}

/** What the sandbox really prevents here. Takes about a second. */
export async function tryCanaries(sandbox: Sandbox, listeners: Listeners): Promise<Canaries> {
  const missing = sandbox.missing();
  if (missing !== null) return { kind: "refused", fault: missing };
  const folder = mkdtempSync(join(tmpdir(), "toolgate-doctor-"));
  const mark = `1${randomBytes(4).readUInt32LE()}.${process.pid}`;
  const outside = join(folder, "outside");
  mkdirSync(outside);
  try {
    writeFileSync(join(outside, "secret"), "secret\n");
    const knocked = { PORT: String(listeners.port), SOCKET: listeners.socketPath };
    const env = { OUT: outside, GATE: String(process.pid), MARK: mark, ...knocked };
    const managed = await tried(sandbox, env);
    if (typeof managed !== "object" || "code" in managed) return { kind: "refused", fault: managed };
    if (isAlive(mark)) managed.add("leave a process behind");
    else managed.delete("leave a process behind");
    return { kind: "tried", canaries: TRIES.map(([name, , fix]) => ({ name, held: !managed.has(name), fix })) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tried(sandbox: Sandbox, env: Readonly<Record<string, string>>): Promise<Set<string> | SandboxFault> {
  const script = TRIES.map(
    ([name, body]) => `if ( ${body} ) >/dev/null 2>&1; then echo 'MANAGED ${name.replaceAll("'", `'\\''`)}'; fi`,
  );
  const program = sandbox.start(
    {
      argv: ["/bin/bash", "--noprofile", "--norc", "-c", `PATH=$PATH:/usr/bin:/bin\n${script.join("\n")}`],
      mounts: [],
      view: "system",
      env,
      limits: { memoryBytes: 512 * 1024 * 1024, openFiles: 256, tasks: 32, fileBytes: 1024 * 1024 },
    },
    AbortSignal.timeout(30_000),
  );
  let text = "";
  for await (const bytes of program.output) text += Buffer.from(bytes);
  const end = await program.ended;
  if (end.kind === "refused") return end.fault;
  return new Set(Array.from(text.matchAll(/^MANAGED (.*)$/gm), ([, name]) => name ?? ""));
}

/** Whether the process that was left behind is still there; then it is ended, since it was ours. */
function isAlive(mark: string): boolean {
  const left = readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith(`sleep\0${mark}`);
    } catch {
      return false;
    }
  });
  for (const pid of left) process.kill(Number(pid), "SIGKILL");
  return left.length > 0;
}
