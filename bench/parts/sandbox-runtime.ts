import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { installedRipgrep } from "../../src/tools/builtin/search/ripgrep.ts";
import { keptFolder } from "./scratch.ts";

const PACKAGE = "@anthropic-ai/sandbox-runtime";
const VERSION = "0.0.83";

/** What of that package is used here. */
interface Manager {
  readonly initialize: (config: object) => Promise<void>;
  readonly wrapWithSandbox: (command: string) => Promise<string>;
  readonly reset: () => Promise<void>;
}

/** Another sandbox for agents, as its users use it: a command line is wrapped, and a shell runs what that gives. */
export interface SandboxRuntime {
  readonly run: (command: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Installed beside the machine's other temporary files, never into this project. A text says why it can't be had: no
 * registry, no `socat`.
 */
export async function openSandboxRuntime(workspace: string): Promise<SandboxRuntime | string> {
  if (!isOnPath("socat")) return `${PACKAGE} needs \`socat\`, which is not on the PATH`;
  const ripgrep = await installedRipgrep();
  if (ripgrep === null) return `${PACKAGE} needs ripgrep, which is not installed`;
  const folder = keptFolder(`sandbox-runtime-${VERSION}`);
  const entry = join(folder, "node_modules", PACKAGE, "dist/index.js");
  try {
    if (!existsSync(entry)) install(folder);
    const { SandboxManager } = (await import(pathToFileURL(entry).href)) as { SandboxManager: Manager };
    await SandboxManager.initialize({
      network: { allowedDomains: [], deniedDomains: [] },
      filesystem: { denyRead: [], allowWrite: [workspace], denyWrite: [] },
      ripgrep: { command: ripgrep },
    });
    return { run: (command) => ran(SandboxManager, command, workspace), close: () => SandboxManager.reset() };
  } catch (error) {
    return `${PACKAGE} could not be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const install = (folder: string): void => {
  const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", `${PACKAGE}@${VERSION}`];
  execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "ignore"], timeout: 300_000 });
};

async function ran(manager: Manager, command: string, cwd: string): Promise<void> {
  const line = await manager.wrapWithSandbox(command);
  const child = spawn(line, { shell: true, cwd, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${command} ended with ${code} in ${PACKAGE}`);
}

const isOnPath = (name: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
