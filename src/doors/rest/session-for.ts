import { EVERYTHING, type Session } from "../../domain/lease.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { Identity } from "../wire/identity.ts";

/** The session of somebody's calls: one of their own, or the conversation that they name. */
export const sessionFor = (identity: Identity, gate: Gate, named: string | undefined): Session => ({
  id: named ?? `rest:${identity.actor}`,
  project: gate.project,
  lease: EVERYTHING,
});
