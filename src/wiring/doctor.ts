import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import type { SandboxReport } from "../domain/sandbox-report.ts";
import { plantListeners } from "../net/planted-listeners.ts";
import type { SandboxFault } from "../ports/sandbox.ts";
import { type Canary, tryCanaries } from "../sandbox/canaries.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { privateFolder } from "../sandbox/private-folder.ts";

/** What holds programs in on this machine, and whether that is what the configuration wants. */
export interface Examined {
  readonly minimum: Config["sandboxMinimum"];
  /** Tools that want more than that. */
  readonly containedTools: readonly string[];
  readonly isMet: boolean;
  readonly report: SandboxReport;
  readonly canaries: readonly Canary[];
  /** Why no program can be started at all; null = they can. */
  readonly fault: SandboxFault | null;
}

export async function examine(config: Config, { searchPath, home }: Environment): Promise<Examined> {
  const { sandboxMinimum: minimum, containedTools, toolchains, workspace } = config;
  const sandbox = openSandbox(minimum, { searchPath: [...searchPath, ...toolchains], workspace, home });
  using folder = privateFolder();
  using listeners = await plantListeners(join(folder.path, "socket"));
  const tried = await tryCanaries(sandbox, listeners);
  const report = sandbox.report();
  const wanted = { minimum, containedTools };
  if (tried.kind === "refused") return { ...wanted, isMet: false, report, canaries: [], fault: tried.fault };
  const { canaries } = tried;
  const isAnythingMet = minimum === "none" && containedTools.length === 0;
  return { ...wanted, isMet: isAnythingMet || canaries.every(({ held }) => held), report, canaries, fault: null };
}
