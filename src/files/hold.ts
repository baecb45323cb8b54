import { fstatSync } from "node:fs";
import { type CheckedPath, type FileResult, fault, type HeldPath, ok } from "../ports/files.ts";
import { Cursor } from "./cursor.ts";
import { changed, missing, notRegular } from "./faults.ts";
import { isKernelMade } from "./kernel-files.ts";
import { descend, holdOrNull } from "./open-regular.ts";

/** Throws what the operating system says. What is given back has to be disposed of. */
export function hold(path: CheckedPath, kind: HeldPath["kind"], label: string): FileResult<HeldPath> {
  if (path === "/") return fault("NOT_DIRECTORY", "the whole machine can't be held", "name a directory in it");
  using cursor = new Cursor();
  const name = descend(cursor, path, label);
  if (!name.ok) return name;
  using stack = new DisposableStack();
  const held = holdOrNull(cursor, name.value);
  if (held === null) return missing(label);
  stack.use(held);

  const stats = fstatSync(held.fd);
  if (kind === "directory" ? !stats.isDirectory() : !stats.isFile()) return changed(label);
  if (isKernelMade(held.path)) return notRegular(label);
  stack.move();
  return ok({ path, kind, fd: held.fd, [Symbol.dispose]: held[Symbol.dispose] });
}
