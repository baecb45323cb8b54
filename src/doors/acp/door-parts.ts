import type { AcpSettings } from "../../domain/agent.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { AcpSession } from "./acp-session.ts";
import type { Peer } from "./peer.ts";

/** What of the files and commands of an agent goes through here. */
export interface Offered {
  /** By the editor, where its unsaved buffers are; else by the gate's own tools. Null: not at all. */
  readonly read: "editor" | "gate" | null;
  readonly write: "editor" | "gate" | null;
  readonly terminal: boolean;
}

/** What every part of the door needs. */
export interface DoorParts {
  readonly gate: Gate;
  /** Makes a call of the gate that is waited for in the end. */
  readonly call: Gate["call"];
  /** As the operator named it. */
  readonly agentName: string;
  readonly editor: Peer;
  readonly agent: Peer;
  readonly settings: Pick<AcpSettings, "editorServers" | "modes">;
  /** What the agent starts to have the gate's tools in a session. */
  readonly serverFor: (session: AcpSession) => JsonObject;
  /** Told what a person should know; the wire is not for that. */
  readonly alarm: (message: string) => void;
}
