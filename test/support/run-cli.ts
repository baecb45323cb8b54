import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { readEnvironment } from "../../src/config/environment.ts";
import { acceptConfig } from "../../src/wiring/settings.ts";
import { ENVIRONMENT } from "../../vitest.base.config.ts";
import { BUILT_PROGRAM } from "./built-program.ts";
import { rowsIn } from "./scratch-gate.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface CliOptions {
  readonly stdin?: string | Uint8Array;
  /** `gone`: nobody reads what the program prints. */
  readonly reader?: "gone";
  /** Below the workspace. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A workspace, a home and a state of their own, and the real program in them. */
export interface Cli extends Disposable {
  readonly workspace: string;
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly put: (path: string, content?: string | Uint8Array) => string;
  readonly text: (path: string) => string;
  readonly has: (path: string) => boolean;
  /** The last state in the table of calls. */
  readonly lastState: () => string | undefined;
  readonly start: (args: readonly string[], options?: CliOptions) => ChildProcessWithoutNullStreams;
  readonly run: (args: readonly string[], options?: CliOptions) => Promise<Ended>;
  /** With `--json`: a list, one question a line. */
  readonly lines: (args: readonly string[]) => Promise<readonly { readonly approvalId: string }[]>;
  /** With `--json`: exactly one line on stdout. */
  readonly json: (args: readonly string[], options?: CliOptions) => Promise<unknown>;
}

/** `config`: the text of a `toolgate.yaml` that is trusted; without one there is none. */
export function openCli(config?: string): Cli {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-cli-")));
  const workspace = join(folder, "ws");
  const home = join(folder, "home");
  mkdirSync(workspace);
  mkdirSync(home);
  const env = {
    HOME: home,
    XDG_STATE_HOME: join(home, "state"),
    PATH: process.env["PATH"] ?? "",
    TERM: "xterm",
    TMPDIR: tmpdir(),
    ...ENVIRONMENT,
  };
  const start: Cli["start"] = (args, { cwd = ".", env: more } = {}) =>
    spawn(process.execPath, [BUILT_PROGRAM, ...args], { cwd: join(workspace, cwd), env: { ...env, ...more } });
  const run: Cli["run"] = async (args, options = {}) => {
    const child = start(args, options);
    child.stdin.on("error", () => {}).end(options.stdin ?? "");
    if (options.reader === "gone") child.stdout.destroy();
    return await endOf(child);
  };
  const cli: Cli = {
    workspace,
    stateDir: join(workspace, ".toolgate"),
    env,
    put: (path, content = path) => {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), content);
      return join(workspace, path);
    },
    text: (path) => readFileSync(join(workspace, path), "utf8"),
    has: (path) => existsSync(join(workspace, path)),
    lastState: () => rowsIn(cli.stateDir).at(-1)?.state,
    start,
    run,
    lines: async (args) => {
      const { out } = await run([...args, "--json"]);
      return out
        .trimEnd()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
    json: async (args, options) => {
      const { out } = await run([...args, "--json"], options);
      expect(out).toMatch(/^[^\n]+\n$/);
      return JSON.parse(out);
    },
    [Symbol.dispose]: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
  if (config !== undefined) trusted(cli, config);
  return cli;
}

/** What `toolgate trust` would write, without a process for it. */
function trusted(cli: Cli, config: string): void {
  const path = cli.put("toolgate.yaml", config);
  acceptConfig({ path, text: config }, readEnvironment(cli.env), 0);
}

export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const exited = new Promise<Pick<Ended, "code" | "signal">>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const [out, err, { code, signal }] = await Promise.all([
    child.stdout.destroyed ? "" : text(child.stdout),
    text(child.stderr),
    exited,
  ]);
  return { code, signal, out, err };
}
