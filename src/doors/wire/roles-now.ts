import type { Gate } from "../../wiring/gate.ts";
import type { Identity } from "./identity.ts";

/** The roles of somebody who was let in a while ago, by the users of now. */
export const rolesNow = ({ user, roles }: Identity, { inForce }: Pick<Gate, "inForce">): readonly string[] =>
  user === null ? roles : (inForce.server.users.find(({ name }) => name === user)?.roles ?? []);
