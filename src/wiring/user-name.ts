import { userInfo } from "node:os";

/** A container may run as a user id that has no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
    return `uid-${process.getuid?.() ?? "unknown"}`;
  }
}
