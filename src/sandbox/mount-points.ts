import { readFileSync } from "node:fs";
import { nameFromBytes } from "../domain/byte-names.ts";

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
    return readFileSync(`/proc/${pid}/mountinfo`, "latin1").split("\n").filter(Boolean).map(mountPointFrom);
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

/** Blanks and the like are written in octal. All other bytes are as they are in the name. */
function unescaped(text: string): string {
  const bytes = !text.includes("\\")
    ? text
    : text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  if (!NOT_ASCII.test(bytes)) return bytes;
  return bytes
    .split("/")
    .map((name) => nameFromBytes(Buffer.from(name, "latin1")))
    .join("/");
}

const NOT_ASCII = /[\u0080-\u00ff]/;
