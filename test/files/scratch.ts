import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Digest } from "../../src/domain/digest.ts";
import { type FilesOptions, openFiles } from "../../src/files/open-files.ts";
import type { CheckedPath, FileResult, Files } from "../../src/ports/files.ts";

export const SENTINEL = "sentinel-outside-the-workspace";

/** A workspace, and beside it a file that no test may get at through a judged path. */
export interface Scratch extends Disposable {
  readonly files: Files;
  readonly workspace: string;
  readonly outside: string;
  /** Creates the file with its directories and returns its absolute path. */
  readonly put: (path: string, content?: string | Uint8Array) => string;
  readonly text: (path: string) => string;
  /** What `locate` answers, for paths that it must find. */
  readonly checked: (rawPath: string) => Promise<CheckedPath>;
  readonly names: () => string[];
  /** A change of one file. */
  readonly write: (path: CheckedPath, content: Uint8Array | null, before: Digest | null) => Promise<FileResult<null>>;
}

export function openScratch(limits: FilesOptions["limits"] = {}): Scratch {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-files-")));
  chmodSync(folder, 0o755);
  const [workspace, outside] = [join(folder, "ws"), join(folder, "outside")];
  mkdirSync(workspace);
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), SENTINEL);
  const files = openFiles({ workspace, limits });
  return {
    files,
    workspace,
    outside,
    put: (path, content = path) => {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), content);
      return join(workspace, path);
    },
    text: (path) => readFileSync(join(workspace, path), "utf8"),
    checked: async (rawPath) => unwrap(await files.locate(rawPath)).path,
    names: () => readdirSync(workspace).sort(),
    write: (path, content, before) => files.change([{ path, before, content }]),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function unwrap<T>(result: FileResult<T>): T {
  if (!result.ok) throw new Error(`${result.fault.code}: ${result.fault.message}`);
  return result.value;
}

/** The code of a fault, or `ok`: what the tables compare. */
export const codeOf = (result: FileResult<unknown>): string => (result.ok ? "ok" : result.fault.code);

/** A checked path that nobody checked. */
export const unsafeChecked = (path: string): CheckedPath => path as CheckedPath;

export const WHOLE = { offset: 0, limit: Number.MAX_SAFE_INTEGER };

/** Without the places of pipes that are ready for programs (`src/sandbox/pipes.ts`): a program uses some up, and they are made 32 at a time. */
export const openDescriptors = (): number => readdirSync("/proc/self/fd").filter((fd) => !isReadyPipe(fd)).length;

const O_PATH = 0o10000000;

function isReadyPipe(fd: string): boolean {
  try {
    if (!/\/toolgate-\w+\/\d+ \(deleted\)$/.test(readlinkSync(`/proc/self/fd/${fd}`))) return false;
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & O_PATH) !== 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // the one that read the folder
    return false;
  }
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
