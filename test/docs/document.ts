import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUILT_PROGRAM } from "../support/built-program.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What a program of the guide imports. */
const SOURCES: Readonly<Record<string, string>> = {
  toolgate: "src/index.ts",
  "toolgate/client": "src/client/index.ts",
  "toolgate/atip": "src/doors/atip/index.ts",
  "toolgate/apm2": "src/doors/rpc/index.ts",
};
/** As it is published: loading the sources takes longer than most of these programs run. */
const built = (source: string): string =>
  join(dirname(BUILT_PROGRAM), "..", source.replace(/^src/, "dist").replace(/\.ts$/, ".js"));

/** What stands in a page's code blocks, in its order. */
export type Step =
  /** ```lang name: a file. */
  | { readonly kind: "file"; readonly name: string; readonly text: string }
  /** A line of ```console that begins with `$ `, and what is printed. */
  | { readonly kind: "command"; readonly command: string; readonly expected: string };

export function stepsIn(page: string): readonly Step[] {
  return [...page.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].flatMap(([, language, name, text = ""]): Step[] => {
    if (name !== undefined) return [{ kind: "file", name, text }];
    return language === "console" ? commandsIn(text) : [];
  });
}

const commandsIn = (block: string): Step[] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = "", ...output] = step.trimEnd().split("\n");
      return { kind: "command", command, expected: output.join("\n") };
    });

/** `…` stands for anything; as a line of its own, for any lines. */
export const pattern = (expected: string): RegExp =>
  new RegExp(`^${expected.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", "[^]*?")}\\s*$`);

/** A folder to try a page in. */
export interface Sandpit extends Disposable {
  readonly put: (name: string, text: string) => void;
  /** What is printed, on stdout and stderr. */
  readonly run: (command: string) => string;
}

interface SandpitOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly parts?: "built" | "sources";
}

const PROGRAMS = 'npx() { shift; "$NODE" "$TOOLGATE" "$@"; }; node() { "$NODE" "$@"; };';

/** `environment`: what its programs find there. `parts`: of Toolgate, where only the sources have types. */
export function openSandpit({ environment = {}, parts = "built" }: SandpitOptions = {}): Sandpit {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-docs-"));
  const workspace = join(folder, "ws");
  mkdirSync(workspace);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  // The providers' packages, which readers of the guide have installed.
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const env = {
    ...process.env,
    ...environment,
    XDG_STATE_HOME: join(folder, "state"),
    NO_COLOR: "1",
    NODE: process.execPath,
    TOOLGATE: BUILT_PROGRAM,
  };
  return {
    put: (name, text) => {
      mkdirSync(dirname(join(workspace, name)), { recursive: true });
      const importable = text.replaceAll(/from "(toolgate[^"]*)"/g, (all, from: string) => {
        const source = SOURCES[from];
        if (source === undefined) return all;
        return `from ${JSON.stringify(parts === "sources" ? join(ROOT, source) : built(source))}`;
      });
      writeFileSync(join(workspace, name), importable);
    },
    run: (command) =>
      spawnSync("bash", ["-c", `${PROGRAMS} ${command} 2>&1`], { cwd: workspace, encoding: "utf8", env }).stdout,
    [Symbol.dispose]: () => {
      untilNoneWorksIn(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * An example tells its server to stop and does not wait for it. A server that still writes its last files would make the
 * removed folder again.
 */
function untilNoneWorksIn(folder: string): void {
  const untilMs = performance.now() + WAIT_MS;
  while (readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && workingFolderOf(pid)?.startsWith(folder))) {
    if (performance.now() > untilMs) throw new Error(`a program of an example still works in ${folder}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}

const WAIT_MS = 60_000;

/** Null: the process has ended, or is another user's. */
function workingFolderOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ESRCH" && code !== "EACCES") throw error;
    return null;
  }
}
