import type { JsonObject } from "../domain/json.ts";

/** Something that happened, as those hear it who listen. */
export interface GateEvent {
  /** The number of the entry that it tells of; null = live only, and not told again to who comes back. */
  readonly id: number | null;
  readonly name: string;
  readonly project: string;
  readonly sessionId: string;
  readonly data: JsonObject;
}
