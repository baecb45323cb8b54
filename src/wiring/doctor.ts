import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import type { SandboxReport } from "../domain/sandbox-report.ts";
import { openFiles } from "../files/open-files.ts";
import { plantListeners } from "../net/planted-listeners.ts";
import type { CheckedPath, Files, HeldPath } from "../ports/files.ts";
import type { Mount, SandboxFault } from "../ports/sandbox.ts";
import { type Canary, type CanaryPlace, tryCanaries } from "../sandbox/canaries.ts";
import { hasGroups, openSandbox } from "../sandbox/open-sandbox.ts";
import { folderInWorkspace, privateFolder } from "../sandbox/private-folder.ts";

/** What holds programs in on this machine, and whether that is what the configuration wants. */
export interface Examined {
  readonly minimum: Config["sandboxMinimum"];
  /** Tools that want more than the minimum. */
  readonly containedTools: readonly string[];
  readonly isMet: boolean;
  readonly report: SandboxReport;
  readonly canaries: readonly Canary[];
  /** In words: what holds by less than a cgroup. */
  readonly weaker: readonly string[];
  /** Why no program can be started at all; null = programs can be started. */
  readonly fault: SandboxFault | null;
}

export async function examine(config: Config, { searchPath, home }: Environment): Promise<Examined> {
  const { sandboxMinimum: minimum, containedTools, toolchains, workspace } = config;
  // Without groups everything else is tried all the same, so that the answer names all that is missing.
  const tried = minimum === "none" ? "none" : "namespaces";
  const sandbox = openSandbox(tried, { searchPath: [...searchPath, ...toolchains], workspace, home });
  using folder = privateFolder();
  using listeners = await plantListeners(join(folder.path, "socket"));
  using place = await openPlace(openFiles({ workspace }));
  const found = await tryCanaries(sandbox, listeners, place);
  const report = sandbox.report();
  const wanted = { minimum, containedTools, report, weaker: weakerThanGroups(report) };
  if (found.kind === "refused") return { ...wanted, isMet: false, canaries: [], fault: found.fault };
  const { canaries } = found;
  const isAnythingMet = minimum === "none" && containedTools.length === 0;
  const isHeld = canaries.every(({ held }) => held) && (minimum !== "groups" || hasGroups(report));
  return { ...wanted, isMet: isAnythingMet || isHeld, canaries, fault: null };
}

function weakerThanGroups({ memory, tasks }: SandboxReport): readonly string[] {
  return [
    ...(memory === "watched"
      ? [
          "no cgroup bounds memory: the gate adds it up and ends a program above its limit, which the program may exceed for a moment",
        ]
      : []),
    ...(tasks === "rlimit" ? ["no cgroup bounds tasks: a limit of the sandbox's own user namespace does"] : []),
  ];
}

/** The workspace as a call sees it, and a new folder in it that may be written. */
async function openPlace(files: Files): Promise<CanaryPlace & Disposable> {
  using stack = new DisposableStack();
  const { workspace } = files;
  const folder = folderInWorkspace(workspace, ".toolgate-doctor-");
  const writable = folder === null ? null : stack.use(folder).path;
  const mounts: Mount[] = [];
  for (const [path, access] of [
    [workspace, "read"],
    [writable, "write"],
  ] as const) {
    if (path === null) continue;
    const held = await files.hold(path as CheckedPath, "directory");
    if (!held.ok) throw new Error(`the workspace can't be opened: ${held.fault.message}`);
    mounts.push({ kind: "held", held: stack.use<HeldPath>(held.value), access });
  }
  const owned = stack.move();
  return { workspace, writable, mounts, [Symbol.dispose]: () => owned.dispose() };
}
