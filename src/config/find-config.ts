import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export const CONFIG_NAME = "toolgate.yaml";

/** The nearest `toolgate.yaml`, upward from a folder; null = there is none. */
export function findConfig(from: string): string | null {
  const folder = resolve(from);
  const candidate = join(folder, CONFIG_NAME);
  if (isThere(candidate)) return candidate;
  const parent = dirname(folder);
  return parent === folder ? null : findConfig(parent);
}

/** What can't be looked at counts as there: reading it says why, while walking on would take another config for it. */
function isThere(candidate: string): boolean {
  try {
    return statSync(candidate, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return true;
  }
}
