import { readFileSync } from "node:fs";
import { isWithin } from "../domain/is-within.ts";
import { errorCode } from "./system-error.ts";

/** One line of `/proc/self/mountinfo`: the part of a file system that is seen at a place. */
interface MountPoint {
  readonly device: string;
  /** The folder of the file system that is mounted. */
  readonly root: string;
  readonly at: string;
}

/**
 * Finds the other paths under which bind mounts show the same folder or file. A rule speaks about one path only, and
 * links are resolved before it is asked; a bind mount is not.
 */
export function mountAliases(text: string = mountInfo()): (path: string) => readonly string[] {
  const mounts = text.split("\n").flatMap(mountPointFrom);
  return (path) => {
    const seenAt = mounts.findLast(
      (one) =>
        isWithin(path, one.at) && !mounts.some((other) => other.at.length > one.at.length && isWithin(path, other.at)),
    );
    if (seenAt === undefined) return [];
    const inner = joined(seenAt.root, path.slice(seenAt.at === "/" ? 0 : seenAt.at.length));
    return mounts.flatMap((other) => {
      if (other === seenAt || other.device !== seenAt.device) return [];
      if (isWithin(inner, other.root))
        return [joined(other.at, inner.slice(other.root === "/" ? 0 : other.root.length))];
      // A part of the folder, by itself.
      return isWithin(other.root, inner) && !isWithin(other.at, path) ? [other.at] : [];
    });
  };
}

const joined = (folder: string, rest: string): string =>
  rest === "" ? folder : `${folder === "/" ? "" : folder}${rest}`;

function mountPointFrom(line: string): readonly MountPoint[] {
  const [, , device, root, at] = line.split(" ").map(unescaped);
  return device === undefined || root === undefined || at === undefined ? [] : [{ device, root, at }];
}

/** Spaces and the like are written as three octal digits. */
const unescaped = (field: string): string =>
  field.replaceAll(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Empty where the kernel has none. */
function mountInfo(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  }
}
