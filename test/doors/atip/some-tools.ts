import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AtipCommand,
  type AtipTool,
  createExecutor,
  type Executor,
  type ExecutorConfig,
} from "../../../src/doors/atip/index.ts";

export const SAFE = {
  destructive: false,
  reversible: true,
  network: false,
  filesystem: { write: false, delete: false },
};

export const text = (name: string, more: object = {}) => ({ name, type: "string", description: "d", ...more }) as const;
export const option = (name: string, flags: readonly string[], more: object = {}) =>
  ({ ...text(name, more), flags }) as const;

/** A program with one command. */
export const program = (name: string, command: Partial<AtipCommand>, more: Partial<AtipTool> = {}): AtipTool => ({
  atip: { version: "0.6" },
  name,
  version: "1",
  description: "A program for tests",
  trust: { source: "user" },
  commands: { "": { description: "Does what it does", effects: SAFE, ...command } },
  ...more,
});

export const ECHO = program("echo", { arguments: [text("words", { variadic: true })] });
export const CAT = program("cat", { arguments: [text("files", { type: "file", variadic: true })] });

export interface ScratchExecutor extends AsyncDisposable {
  readonly executor: Executor;
  readonly folder: string;
  readonly put: (name: string, content: string) => void;
}

/** An executor with a workspace and a ledger of its own. */
export function openExecutor({ execution, ...config }: ExecutorConfig): ScratchExecutor {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-executor-")));
  const executor = createExecutor({ ...config, execution: { cwd: folder, ...execution } });
  return {
    executor,
    folder,
    put: (name, content) => writeFileSync(join(folder, name), content),
    [Symbol.asyncDispose]: async () => {
      await executor.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const call = (name: string, given: Readonly<Record<string, unknown>> = {}, more: object = {}) => ({
  id: "c1",
  name,
  arguments: given as never,
  ...more,
});
