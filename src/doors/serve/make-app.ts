import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import type { Refusal } from "../../domain/outcome.ts";
import { withinTrace } from "../../wiring/tracing.ts";
import { cookieOf } from "../wire/cookie.ts";
import { FairTurns } from "../wire/fair-turns.ts";
import { foreignRequest, type OwnNames } from "../wire/host-guard.ts";
import type { Identity } from "../wire/identity.ts";
import type { InFlight } from "../wire/in-flight.ts";
import { onceClosed } from "../wire/once-closed.ts";
import { OWN_HEADERS } from "../wire/own-headers.ts";
import { problem, problemFromRefusal } from "../wire/problem.ts";
import { headersOf, type RequestHeaders } from "../wire/request-headers.ts";
import type { Door, DoorParts, ServerApp, ServerEnv } from "../wire/server-env.ts";
import type { Tokens } from "../wire/tokens.ts";
import type { Log } from "./log.ts";

export interface AppParts extends DoorParts {
  readonly doors: readonly Door[];
  /** Known once the server listens. */
  readonly names: () => OwnNames;
  /** Told what went wrong inside. */
  readonly fault: (error: unknown) => void;
  readonly log: Log;
  readonly inFlight: InFlight;
}

/** All network doors behind the same guards, in this order: Host and Origin, token, then the door. */
export function makeApp({ doors, names, fault, log, inFlight, ...parts }: AppParts): ServerApp {
  const app = new Hono<ServerEnv>();
  const turns = new FairTurns();
  const isPublic = new Set(doors.flatMap(({ publicPaths }) => publicPaths));

  app.use(async (context, next) => {
    const startMs = performance.now();
    await next();
    const { method } = context.req;
    const labels = { method: METHODS.has(method) ? method : "other", route: context.get("route") ?? "none" };
    const status = context.get("sent") ?? context.res.status;
    parts.metrics.count("toolgate_http_requests_total", { ...labels, status: String(status) });
    parts.metrics.observe("toolgate_http_request_seconds", labels, (performance.now() - startMs) / 1000);
    const who = context.get("identity")?.actor ?? null;
    log("info", "request", { ...labels, status, who, duration_ms: Math.round(performance.now() - startMs) });
  });
  app.use(async (context, next) => {
    const { raw, path } = context.req;
    const headers = headersOf(context.env.incoming);
    const refused = foreignRequest(headers, names(), context.env.incoming.url);
    if (refused) return withHeaders(refused);
    if (!isPublic.has(path)) {
      const identity = await identify(headers, context.env.incoming, parts.tokens);
      if (identity instanceof Response) return withHeaders(withMetadata(identity, new URL(raw.url), doors));
      context.set("identity", identity);
      const held = inFlight.enter(identity.actor);
      if (held === null) return withHeaders(tooMany());
      context.set("held", held);
      onceClosed(context.env.outgoing, held.leave);
      const turn = turns.turn(identity.actor);
      if (turn !== null) await turn;
    }
    await withinTrace(() => raw.headers, next);
    if (context.get("sent") !== undefined) return context.res;
    if (!isPublic.has(path) && isStream(context.res)) parts.streams.add(context.get("identity"), context.env.outgoing);
    if (parts.stopping.aborted) context.res.headers.set("Connection", "close");
    return withHeaders(context.res);
  });
  for (const door of doors) door.mount(app, parts);
  app.notFound(() =>
    problem("ROUTE_UNKNOWN", { detail: "there is no such route", hint: "`/openapi.json` lists them" }),
  );
  app.onError((error) => {
    fault(error);
    if (isOutOfDescriptors(error))
      return withHeaders(
        problem("BUSY", { detail: "the server can open no more files for now", retryAfterSeconds: 1 }),
      );
    return withHeaders(problem("SERVER_FAULT", { detail: "the server made a mistake; it is in its log" }));
  });
  return app;
}

/** The machine's table of open files is full, or this process's own: it was nobody's mistake, and it passes (F06). */
function isOutOfDescriptors(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === "EMFILE" || code === "ENFILE" || isOutOfDescriptors(error.cause);
}

/** Whoever says something of its own, like the console about its scripts, is left with that. */
function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(OWN_HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

const isStream = ({ headers }: Response): boolean =>
  headers.get("Content-Type")?.startsWith("text/event-stream") === true;

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH"]);
/** RFC 9728, section 5.1. */
function withMetadata(refused: Response, url: URL, doors: readonly Door[]): Response {
  const place = doors.map(({ metadataFor }) => metadataFor?.(url) ?? null).find((found) => found !== null);
  const challenge = refused.headers.get("WWW-Authenticate");
  if (place !== undefined && challenge !== null)
    refused.headers.set("WWW-Authenticate", `${challenge}, resource_metadata="${place}"`);
  return refused;
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"]);

async function identify(
  headers: RequestHeaders,
  { method = "", socket }: IncomingMessage,
  tokens: Tokens,
): Promise<Identity | Response> {
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const token = BEARER.exec(authorization)?.[1];
    const identity = token === undefined ? null : await tokens.identify(token, socket.remoteAddress ?? "");
    if (identity === null) return unknown("the header has to be `Authorization: Bearer …`");
    return "refusal" in identity ? refused(identity.refusal) : identity;
  }
  const cookie = cookieOf(headers);
  const identity = cookie === null ? null : tokens.identifyCookie(cookie);
  if (cookie === null || identity === null) return unknown("send a token: `Authorization: Bearer …`");
  if (SAFE.has(method) || headers.get("x-csrf-token") === tokens.csrfOf(cookie)) return identity;
  return problem("CSRF_REQUIRED", { detail: "send the `csrf_token` of `POST /login` as `X-CSRF-Token`" });
}

const tooMany = (): Response =>
  problem("TOO_MANY_REQUESTS", { detail: "this token holds as many requests as it may", retryAfterSeconds: 1 });

/** A token that was right once is told what became of its session. */
const refused = (refusal: Refusal): Response =>
  refusal.code === "SESSION_UNKNOWN" ? unknown("nobody has this token", INVALID) : problemFromRefusal(refusal);

/** RFC 6750, section 3: who has sent a token is told that it is not good, and who has sent none is told nothing. */
const INVALID = ', error="invalid_token"';

const unknown = (detail: string, error = ""): Response =>
  problem("AUTH_REQUIRED", {
    detail,
    hint: "the administrator's is in `admin.token` of the state directory; `toolgate sessions open` makes an agent's",
    headers: { "WWW-Authenticate": `Bearer realm="toolgate"${error}` },
  });
