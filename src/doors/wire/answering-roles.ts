import { type Identity, mayUse } from "./identity.ts";
import { rolesNow } from "./roles-now.ts";
import type { DoorParts } from "./server-env.ts";

/**
 * The roles in which somebody answers a question; null = they may not any more. INVARIANT (the right of this moment): a
 * body may come slowly, and whoever was let in with its first byte may have been taken out before its last.
 */
export async function answeringRoles(
  identity: Identity,
  { gate, tokens }: Pick<DoorParts, "gate" | "tokens">,
): Promise<readonly string[] | null> {
  if ((identity.user !== null || identity.login !== undefined) && !(await tokens.isStill(identity))) return null;
  const roles = rolesNow(identity, gate);
  return mayUse({ ...identity, roles }, "approver") ? roles : null;
}
