import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const isRoot = process.getuid?.() === 0;

/** What turns a command of root into one of an ordinary user, who may not write where root keeps compiled code. */
const AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "-u", "NODE_COMPILE_CACHE"];

/** As whom a program of `test/programs` is run: as the user of the tests, or, where that is root, as an ordinary one. */
export type As = "this user" | "an ordinary user";

export function ranAs<T>(as: As, program: string, ...args: readonly string[]): Promise<T> {
  return ranBehind(as === "this user" ? [] : AS_NOBODY, program, ...args);
}

/** Behind programs that change something for it, such as `prlimit`. */
export async function ranBehind<T>(
  wrapper: readonly string[],
  program: string,
  ...args: readonly string[]
): Promise<T> {
  const path = fileURLToPath(new URL(`../programs/${program}`, import.meta.url));
  const [command = "", ...rest] = [...wrapper, process.execPath, path, ...args];
  const { stdout } = await promisify(execFile)(command, rest, { timeout: 15 * 60_000, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout);
}
