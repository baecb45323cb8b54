import type { KeptLogins } from "../../wiring/admin-token.ts";
import type { Gate } from "../../wiring/gate.ts";
import { a2aDoor } from "../a2a/a2a-door.ts";
import { consoleDoor } from "../console/console-door.ts";
import { mcpDoor } from "../mcp/mcp-door.ts";
import { restDoor } from "../rest/rest-door.ts";
import { rpcDoor } from "../rpc/rpc-door.ts";
import { type Log, logTo } from "./log.ts";
import { type OpenServer, openServer } from "./open-server.ts";

export interface ServeOptions {
  readonly gate: Gate;
  readonly adminToken: string;
  readonly logins?: KeptLogins;
  readonly log: Log;
  readonly host?: string;
  readonly port?: number;
}

export { logTo };

/** Every network door on one server. This folder is the only place that knows them all. */
export const serve = (options: ServeOptions): Promise<OpenServer> =>
  openServer({ ...options, doors: [restDoor, mcpDoor, a2aDoor, rpcDoor, consoleDoor] });
