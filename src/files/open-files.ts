import { LIMITS } from "../domain/limits.ts";
import { shownPath } from "../domain/shown-path.ts";
import { type FileFault, type FileResult, type Files, fault, ok } from "../ports/files.ts";
import { change } from "./change.ts";
import type { DraftRecords } from "./draft-records.ts";
import { faultFromError, labelFrom } from "./faults.ts";
import { hold } from "./hold.ts";
import { isProcfs } from "./kernel-files.ts";
import { list } from "./list.ts";
import { locate } from "./locate.ts";
import { missingFolders } from "./missing-folders.ts";
import { digest, read } from "./read.ts";

export interface FilesOptions {
  /** Absolute. May be reached through links, which are resolved once, here. */
  readonly workspace: string;
  readonly drafts?: DraftRecords;
  readonly limits?: { readonly readBytes?: number; readonly writeBytes?: number };
}

/** The files of this machine, seen from `workspace`. Where they can't be used safely, every answer is a fault. */
export function openFiles({ workspace: rawWorkspace, limits = {}, drafts }: FilesOptions): Files {
  const found = workspaceFrom(rawWorkspace);
  if (!found.ok) return closedFiles(rawWorkspace, found.fault);

  const workspace = found.value;
  const bytesMax = {
    read: limits.readBytes ?? LIMITS.readBytes.default,
    write: limits.writeBytes ?? LIMITS.writeBytes.default,
  };
  const about = async <T>(
    path: string,
    operation: (label: string) => Promise<FileResult<T>>,
  ): Promise<FileResult<T>> => {
    const label = labelFrom(workspace, path);
    return await operation(label).catch((error: unknown) => faultFromError(error, label));
  };
  return {
    workspace,
    shown: (path) => shownPath(workspace, path),
    locate: async (rawPath) => locate(workspace, rawPath),
    read: (path, range) => about(path, (label) => read(path, range, { label, bytesMax: bytesMax.read })),
    digest: (path) => about(path, (label) => digest(path, label)),
    missingFolders: (path) => about(path, async () => ok(missingFolders(workspace, path))),
    list: (path) => {
      drafts?.sweep();
      return about(path, (label) => list(path, label));
    },
    hold: (path, kind) => about(path, async (label) => hold(path, kind, label)),
    change: (changes) =>
      change(changes, { labelOf: (path) => labelFrom(workspace, path), bytesMax: bytesMax.write, drafts }),
  };
}

function workspaceFrom(rawWorkspace: string): FileResult<string> {
  if (!canAnchor()) {
    return fault("ACCESS_DENIED", "files are not supported on this platform yet", "use Linux with `/proc` mounted");
  }
  const found = rawWorkspace.startsWith("/") ? locate("/", rawWorkspace) : undefined;
  return found?.ok && found.value.kind === "directory"
    ? ok(found.value.path)
    : fault("IO_ERROR", "the workspace can't be used", "set it to the absolute path of a directory");
}

/** Holding directories open rests on `/proc/self/fd`. Other platforms have other means, none of them written yet. */
function canAnchor(): boolean {
  try {
    return process.platform === "linux" && isProcfs("/proc/self/fd");
  } catch {
    return false;
  }
}

function closedFiles(workspace: string, why: FileFault): Files {
  const closed = async () => ({ ok: false, fault: why }) as const;
  const shown = (path: string) => shownPath(workspace, path);
  const looking = { locate: closed, read: closed, digest: closed, missingFolders: closed, list: closed };
  return { workspace, shown, ...looking, hold: closed, change: closed };
}
