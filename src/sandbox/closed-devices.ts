import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { childProcess } from "./child-process.ts";

/**
 * A mount namespace in which the machine's devices are read-only: they can be read and written, and nobody can change
 * their modes. Root owns them, with or without capabilities, so a program of root could `chmod` them for the whole
 * machine. bubblewrap can't do this itself: what it remounts read-only can't be used as a device any more.
 */
export interface ClosedDevices {
  /** The beginning of a command line: what follows is started in the namespace. */
  readonly enter: readonly [string, ...string[]];
  /** `/dev/null`, opened there: also by its descriptor a program can't change it. */
  readonly nothing: number;
}

interface NamespacePrograms {
  readonly unshare: string;
  readonly nsenter: string;
  readonly mount: string;
}

/** The devices that bubblewrap's `--dev` binds. */
const DEVICES = ["null", "zero", "full", "random", "urandom", "tty"];

/** Waits until its input ends, so that the namespace can be opened. `$0` is the program `mount`. */
const CLOSES = `for one; do
  "$0" --bind "/dev/$one" "/dev/$one" && "$0" -o remount,bind,ro "/dev/$one" || exit 1
done
echo closed
read -r _`;

/** Kept for as long as this process lives. */
let known: Promise<ClosedDevices | null> | null = null;

/**
 * Null if the kernel does not let this process make such a namespace. Root without `CAP_SYS_ADMIN`, as in some
 * containers, may still make one in a user namespace of its own.
 */
export async function closedDevices(programs: NamespacePrograms): Promise<ClosedDevices | null> {
  known ??= closeDevices(programs);
  const found = await known;
  if (found === null) known = null; // the machine may have been too busy
  return found;
}

const closeDevices = async (programs: NamespacePrograms): Promise<ClosedDevices | null> =>
  (await closedIn("the machine's user namespace", programs)) ?? closedIn("its own user namespace", programs);

async function closedIn(
  where: "the machine's user namespace" | "its own user namespace",
  { unshare, nsenter, mount }: NamespacePrograms,
): Promise<ClosedDevices | null> {
  const isOwn = where === "its own user namespace";
  const args = [
    ...(isOwn ? ["--user", "--map-root-user"] : []),
    ...["--mount", "--propagation", isOwn ? "private" : "slave"],
    ...["--", "/bin/sh", "-c", CLOSES, mount, ...DEVICES],
  ];
  const child = childProcess().spawn(unshare, args, { env: {}, cwd: "/", stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("close", () => resolve());
  });
  try {
    const isClosed = await Promise.race([saysClosed(child), ended]);
    if (isClosed !== true) return null;
    using opened = new DisposableStack();
    const open = (path: string, flags = "r"): number => opened.adopt(openSync(path, flags), closeSync);
    const namespaces = [...(isOwn ? ["user"] : []), "mnt"].map((name) => open(`/proc/${child.pid}/ns/${name}`));
    const nothing = open(`/proc/${child.pid}/root/dev/null`, "r+");
    opened.move();
    const [mounts, user] = namespaces.toReversed().map((fd) => `/proc/${process.pid}/fd/${fd}`);
    return {
      enter: [
        nsenter,
        ...(user === undefined ? [] : [`--user=${user}`, "--preserve-credentials"]),
        `--mount=${mounts}`,
        "--",
      ],
      nothing,
    };
  } finally {
    child.stdin.end();
    await ended;
  }
}

async function saysClosed({ stdout }: ChildProcess): Promise<boolean> {
  if (stdout === null) return false;
  const [text] = (await Promise.race([once(stdout, "data"), once(stdout, "end")])) as [Buffer?];
  return text?.toString() === "closed\n";
}
