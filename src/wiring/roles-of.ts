import { LOCAL_ROLES } from "../approval/eligible.ts";
import type { User } from "../config/server-settings.ts";

const USER = "user:";

/**
 * The roles of somebody who has answered, by the users of now. Null: they are none of them any more, or may not answer
 * questions. Who came by no token was at this machine.
 */
export function rolesOf(who: string, users: readonly User[]): readonly string[] | null {
  if (who === "admin") return ["admin"];
  if (!who.startsWith(USER)) return LOCAL_ROLES;
  const roles = users.find(({ name }) => name === who.slice(USER.length))?.roles ?? [];
  return roles.includes("approver") || roles.includes("admin") ? roles : null;
}
