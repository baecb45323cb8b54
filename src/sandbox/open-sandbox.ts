import type { Sandbox } from "../ports/sandbox.ts";
import { openBubblewrap } from "./bubblewrap.ts";
import { childProcess } from "./child-process.ts";
import { findProgram } from "./find-program.ts";
import type { BubblewrapOptions } from "./launch-machine.ts";
import { openUncontained } from "./uncontained.ts";

/** The best that this machine has, if that is at least what the operator wants. Looked for when it is first asked for. */
export function openSandbox(minimum: "namespaces" | "none", options: BubblewrapOptions): Sandbox {
  let contained: Sandbox | null = null;
  let chosen: Sandbox | null = null;
  const sandbox = (): Sandbox => {
    contained ??= openBubblewrap(options);
    if (minimum === "namespaces") return contained;
    chosen ??= contained.missing() === null && canContain(options) ? contained : openUncontained(options);
    return chosen;
  };
  return {
    missing: () => sandbox().missing(),
    report: () => sandbox().report(),
    start: (command, signal) => sandbox().start(command, signal),
    close: async () => contained?.close?.(),
  };
}

/** Tried once: that bubblewrap is there does not say that the kernel lets it do anything. */
function canContain(options: BubblewrapOptions): boolean {
  const bwrap = findProgram("bwrap", options);
  if (bwrap.kind !== "found") return false;
  const args = ["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--", "/bin/true"];
  return childProcess().spawnSync(bwrap.path, args, { env: {}, cwd: "/", stdio: "ignore", timeout: 5000 }).status === 0;
}
