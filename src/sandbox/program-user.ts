import { readFileSync, statSync } from "node:fs";

export interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

/**
 * As whom programs run. `same`: as the gate's user. `root`: the gate is root and so is the workspace's owner; programs
 * are root without capabilities. `switched`: the gate is root, and programs run as the workspace's owner.
 */
export type ProgramUser = UserIds & { readonly kind: "same" | "root" | "switched" };

export function programUserOf(workspace: string): ProgramUser {
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (own.uid !== 0) return { kind: "same", ...own };
  const owner = ownerOf(workspace);
  if (owner === null || owner.uid === 0) return { kind: "root", ...own };
  return { kind: "switched", uid: owner.uid, gid: groupOf(owner) };
}

/** Null: the folder is not there, and nothing can be mounted from it. */
function ownerOf(folder: string): UserIds | null {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats === undefined ? null : { uid: stats.uid, gid: stats.gid };
}

const NOGROUP = 65_534;

/** The owner's own group. A folder may belong to any group, also to one that has more rights than the owner. */
function groupOf({ uid, gid }: UserIds): number {
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
  const [, , , group] = accounts.map((line) => line.split(":")).find((fields) => fields[2] === String(uid)) ?? [];
  if (group !== undefined && /^\d+$/.test(group)) return Number(group);
  return gid === 0 ? NOGROUP : gid;
}
