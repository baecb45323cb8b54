import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import type { Gate } from "../../wiring/gate.ts";
import type { CallRate } from "./call-rate.ts";
import type { Identity } from "./identity.ts";
import type { Held } from "./in-flight.ts";
import type { Metrics } from "./metrics.ts";
import type { OpenStreams } from "./open-streams.ts";
import type { Tokens } from "./tokens.ts";

/** What the guards leave behind for the doors. */
export interface ServerEnv {
  Bindings: HttpBindings;
  Variables: {
    /** Absent on public routes only. */
    identity: Identity;
    /** Of its caller's share. Absent on public routes only, which have no bodies. */
    held: Held;
    /** As the table of routes writes it: what the log and the metrics name. */
    route: string;
    /** The status of an answer that has gone out by `sendJson`. */
    sent?: number;
  };
}

export type ServerContext = Context<ServerEnv>;
export type ServerApp = Hono<ServerEnv>;

/** What tests make shorter. */
export interface ServerTimes {
  readonly heartbeatMs: number;
  readonly stalledReaderMs: number;
}

/** What a door on the network gets. */
export interface DoorParts {
  readonly gate: Gate;
  readonly tokens: Tokens;
  readonly metrics: Metrics;
  readonly callRate: CallRate;
  readonly streams: OpenStreams;
  /** Aborts when the server begins to stop. */
  readonly stopping: AbortSignal;
  readonly times: ServerTimes;
}

/** A door that is mounted on the server. Guards have passed whatever reaches it. */
export interface Door {
  readonly name: string;
  /** Paths that need no token; all others do. */
  readonly publicPaths: readonly string[];
  /** Paths of event streams, which a browser may open with the cookie of its login: `/my/projects/{project}/events`. */
  readonly streamPaths?: readonly string[];
  readonly mount: (app: ServerApp, parts: DoorParts) => void;
}
