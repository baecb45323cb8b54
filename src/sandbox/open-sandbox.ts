import type { SandboxMinimum, SandboxReport } from "../domain/sandbox-report.ts";
import type { Sandbox, SandboxFault } from "../ports/sandbox.ts";
import { notStarted, openBubblewrap } from "./bubblewrap.ts";
import { childProcess } from "./child-process.ts";
import { findProgram } from "./find-program.ts";
import type { BubblewrapOptions } from "./machine.ts";
import { openUncontained } from "./uncontained.ts";

/** The best sandbox of this machine, if it is at least what the operator wants. Opened when it is first asked for. */
export function openSandbox(minimum: SandboxMinimum, options: BubblewrapOptions): Sandbox {
  let contained: Sandbox | null = null;
  let chosen: Sandbox | null = null;
  const sandbox = (): Sandbox => {
    contained ??= openBubblewrap(options);
    if (minimum !== "none") return contained;
    chosen ??= contained.missing() === null && canContain(options) ? contained : openUncontained(options);
    return chosen;
  };
  const missing = (): SandboxFault | null =>
    sandbox().missing() ?? (minimum === "groups" && !hasGroups(sandbox().report()) ? NO_GROUPS : null);
  return {
    missing,
    report: () => sandbox().report(),
    start: (command, signal) => {
      const fault = minimum === "groups" ? missing() : null;
      return fault === null ? sandbox().start(command, signal) : notStarted({ kind: "refused", fault });
    },
  };
}

/** Whether cgroups bound both memory and tasks. */
export const hasGroups = ({ memory, tasks }: SandboxReport): boolean => memory === "cgroup" && tasks === "cgroup";

const NO_GROUPS: SandboxFault = {
  code: "SANDBOX_UNAVAILABLE",
  message: "the configuration wants programs in cgroups (`sandbox.minimum: groups`), and the gate can't make any",
  hint: "run the gate in a systemd unit with `Delegate=yes`, or with a user manager: `loginctl enable-linger`",
};

/** Tried once: even if bubblewrap is installed, the kernel may not let it make namespaces. */
function canContain(options: BubblewrapOptions): boolean {
  const bwrap = findProgram("bwrap", options);
  if (bwrap.kind !== "found") return false;
  const args = ["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--", "/bin/true"];
  return childProcess().spawnSync(bwrap.path, args, { env: {}, cwd: "/", stdio: "ignore", timeout: 5000 }).status === 0;
}
