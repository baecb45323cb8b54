import type { Identity } from "./identity.ts";
import { problem } from "./problem.ts";
import type { Tokens } from "./tokens.ts";

/**
 * Why somebody is not told what came of their call: they were taken out while it was on its way. Null: they were not.
 * INVARIANT (no longer than the right): asked behind each call, before its answer goes out.
 */
export async function takenOut(identity: Identity, tokens: Tokens): Promise<Response | null> {
  const { session, user } = identity;
  if ((user === null && session === null) || (await tokens.isStill(identity))) return null;
  const hint = "the call was made, and its record tells what came of it";
  return session === null
    ? problem("AUTH_REQUIRED", { detail: "this token is not known any more", hint })
    : problem("LEASE_REVOKED", { detail: "the session has ended while the call was on its way", hint });
}
