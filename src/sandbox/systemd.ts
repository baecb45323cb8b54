import { existsSync, readFileSync } from "node:fs";
import { childProcess } from "./child-process.ts";

/** What the gate asks of systemd. */
export interface Systemd {
  /** Whether systemd leaves the subtree of this unit's group to the unit. */
  readonly isDelegated: (unit: string, manager: "system" | "user") => boolean;
  /** Moves this process into a new scope whose subtree is delegated. False = that could not be done. */
  readonly moveToScope: () => boolean;
}

const FOLDER = "/usr/bin";
/** Only a bus that hangs takes so long, or a machine that is very busy. */
const TIMEOUT_MS = 10_000;
const POLL_MS = 2;

/**
 * By systemd's own programs, which are installed wherever systemd is: two short commands, once for each gate, instead of
 * a D-Bus client of our own.
 */
export const askSystemd: Systemd = {
  isDelegated: (unit, manager) => {
    const to = manager === "user" ? ["--user"] : [];
    return run("systemctl", [...to, "show", "--property=Delegate", "--value", "--", unit]) === "yes";
  },
  moveToScope: () => {
    const isRoot = process.getuid?.() === 0;
    const unit = `toolgate-${process.pid}.scope`;
    const properties = [
      ...["Description", "s", "Toolgate and its programs"],
      ...["PIDs", "au", "1", String(process.pid)],
      ...["Delegate", "b", "true"],
      ...["CollectMode", "s", "inactive-or-failed"],
    ];
    const answer = run("busctl", [
      ...(isRoot ? [] : ["--user"]),
      ...["call", "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager"],
      ...["StartTransientUnit", "ssa(sv)a(sa(sv))", unit, "fail", "4", ...properties, "0"],
    ]);
    return answer !== null && isMovedTo(unit);
  },
};

/** The answer is a job, which systemd does a moment later. */
function isMovedTo(unit: string): boolean {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; waited < TIMEOUT_MS; waited += POLL_MS) {
    if (readFileSync("/proc/self/cgroup", "utf8").includes(`/${unit}\n`)) return true;
    Atomics.wait(cell, 0, 0, POLL_MS);
  }
  return false;
}

/** What the program printed; null = it is not there, there is no bus, or it failed. */
function run(name: string, args: readonly string[]): string | null {
  const isRoot = process.getuid?.() === 0;
  const folder = `/run/user/${process.getuid?.()}`;
  if (!existsSync("/run/systemd/system") || (!isRoot && args.includes("--user") && !existsSync(`${folder}/bus`)))
    return null;
  const { status, stdout } = childProcess().spawnSync(`${FOLDER}/${name}`, args, {
    env: isRoot ? {} : { XDG_RUNTIME_DIR: folder },
    cwd: "/",
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: TIMEOUT_MS,
  });
  return status === 0 ? stdout.trim() : null;
}
