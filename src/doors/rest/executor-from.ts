import type { Gate } from "../../wiring/gate.ts";
import type { FollowOptions, TellOne } from "../../wiring/live-feed.ts";
import { type Identity, mayUse } from "../wire/identity.ts";
import { rolesNow } from "../wire/roles-now.ts";

/** The stream of the Agent Tools seed, whose client knows of no acknowledgement. */
export const CHAT_PATH = "/my/projects/{project}/chat/stream";

interface Wanted {
  /** As it says itself; undefined = it does not. */
  readonly executes: string | undefined;
  readonly sessionId: string | undefined;
  readonly path: string;
}

/**
 * Who listens as an executor. On the seed's own stream that is everybody who was given the role by name: an administrator
 * who only looks on is none. Undefined: they are not.
 */
export function executorFrom(identity: Identity, wanted: Wanted, gate: Gate): FollowOptions["joined"] {
  const { executes, sessionId, path } = wanted;
  const isSeeds = executes === undefined && path === CHAT_PATH && identity.roles.includes("executor");
  if (executes === undefined && !isSeeds) return undefined;
  const tools = executes === undefined || executes === "*" ? null : new Set(executes.split(","));
  const { actor } = identity;
  return (tell: TellOne) =>
    gate.executors.connect({
      actor,
      tools,
      sessionId,
      acknowledges: !isSeeds,
      isAllowed: () => mayUse({ ...identity, roles: rolesNow(identity, gate) }, "executor"),
      tell,
    });
}
