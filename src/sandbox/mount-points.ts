import { readFileSync } from "node:fs";

/** A mount as a process sees it. */
export interface MountPoint {
  readonly id: string;
  readonly path: string;
  /** Which device, and which place on it. */
  readonly device: string;
  readonly root: string;
  readonly isReadOnly: boolean;
  readonly fileSystem: string;
}

/** `man 5 proc_pid_mountinfo`, in the order in which they were mounted. None where the process has gone. */
export function mountPoints(pid: number | "self"): readonly MountPoint[] {
  try {
    return readFileSync(`/proc/${pid}/mountinfo`, "utf8").split("\n").filter(Boolean).map(mountPointFrom);
  } catch {
    return [];
  }
}

function mountPointFrom(line: string): MountPoint {
  const fields = line.split(" ");
  const [id = "", , device = "", root = "", path = "", options = ""] = fields;
  return {
    id,
    device,
    root: unescaped(root),
    path: unescaped(path),
    isReadOnly: `,${options},`.includes(",ro,"),
    // Behind what may be told of it, which is between its options and a dash.
    fileSystem: fields[fields.indexOf("-", 6) + 1] ?? "",
  };
}

/** Blanks and the like are written in octal. The bytes behind may be UTF-8, which the file holds as it is. */
const unescaped = (text: string): string =>
  !text.includes("\\")
    ? text
    : text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
