import type { JsonObject } from "../../domain/json.ts";
import type { FromSchema } from "../wire/from-schema.ts";
import type { Access, Identity } from "../wire/identity.ts";
import type { RequestHeaders } from "../wire/request-headers.ts";
import type { JsonAnswer } from "../wire/send-json.ts";
import type { DoorParts, ServerContext } from "../wire/server-env.ts";

export type ObjectSchema = JsonObject & {
  readonly type: "object";
  readonly properties: Readonly<Record<string, JsonObject>>;
};

/** What a handler is given: all of it has been checked against the route's schemas. */
export interface RouteRequest<Query, Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Of a route that takes bytes: as they come in. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly identity: Identity;
  readonly headers: RequestHeaders;
  /** Aborts when whoever asked is gone. */
  readonly gone: AbortSignal;
  readonly context: ServerContext;
}

export type Answer = JsonAnswer | Response;

/** How a route may answer; problems are the same everywhere. */
export interface AnswerHelp {
  readonly means: string;
  /** Of `components.schemas`, or one in place. Left out: no JSON. */
  readonly schema?: JsonObject;
  readonly mediaType?: string;
}

/** One row of the table that the router, the checks, the OpenAPI document and the client are made from. */
export interface Route {
  /** The client's name for it. */
  readonly id: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** As OpenAPI writes it: `/my/projects/{project}/approvals`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access | "public";
  /** A stream that a browser may also open with the cookie of its login. */
  readonly byCookie?: true;
  readonly query?: ObjectSchema;
  /** Headers that it looks at, and what they mean. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ObjectSchema;
  readonly bodyBytesMax?: number;
  /** It takes bytes, and no JSON. */
  readonly bytes?: { readonly max: number };
  readonly answers: Readonly<Record<number, AnswerHelp>>;
  readonly handle: (request: RouteRequest<never, never>, parts: DoorParts) => Promise<Answer> | Answer;
}

type Handle<Query, Body> = (
  request: RouteRequest<FromSchema<Query>, FromSchema<Body>>,
  parts: DoorParts,
) => Promise<Answer> | Answer;

interface RouteWith<Query, Body> extends Omit<Route, "handle" | "query" | "body"> {
  readonly query?: Query;
  readonly body?: Body;
  readonly handle: Handle<Query, Body>;
}

/** Lets the handler know what its schemas let through. */
export const route = <
  const Query extends ObjectSchema = { type: "object"; properties: Record<never, never> },
  const Body extends ObjectSchema = { type: "object"; properties: Record<never, never> },
>(
  given: RouteWith<Query, Body>,
): Route => given as unknown as Route;

export const json = (status: number, body: unknown): JsonAnswer => ({ status, body });
