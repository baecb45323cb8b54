import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { testProgram } from "./test-program.ts";

/** A program of `test/programs` that runs beside the test. Disposing of it leaves no process behind. */
export interface StartedProgram extends AsyncDisposable {
  /** The next line that it prints. It is an error when it ends before. */
  readonly line: () => Promise<string>;
  readonly tell: (line: string) => void;
  /** Ends its input, waits for it, and gives the rest of what it printed. It is an error when it fails. */
  readonly ended: () => Promise<readonly string[]>;
  readonly kill: () => Promise<void>;
}

/** `wrapper` is put before the program: `["strace", "-f"]`. */
export function startProgram(
  name: `${string}.ts`,
  args: readonly string[],
  wrapper: readonly string[] = [],
): StartedProgram {
  const [command = "", ...rest] = [...wrapper, process.execPath, testProgram(name), ...args];
  // A process group of its own, so that a wrapper's children go with it.
  const child = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const exit = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.on("error", () => {}); // it may be gone already

  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      process.kill(-child.pid, "SIGKILL");
    }
    await exit;
  };
  return {
    line: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${name} ended and said nothing`);
      return value;
    },
    tell: (line) => void child.stdin.write(`${line}\n`),
    ended: async () => {
      child.stdin.end();
      const said: string[] = [];
      for (let next = await lines.next(); !next.done; next = await lines.next()) said.push(next.value);
      const [code] = await exit;
      if (code !== 0) throw new Error(`${name} ended with ${code}, having said: ${said.join("; ")}`);
      return said;
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
