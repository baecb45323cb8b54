import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import type { Refusal } from "../../domain/outcome.ts";
import { withinTrace } from "../../wiring/tracing.ts";
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
  const streams = doors.flatMap(({ streamPaths = [] }) => streamPaths);
  const isStream = new Set(streams.map((path) => path.replace("{project}", parts.gate.project)));

  // RFC 8615: clients look for metadata there before they have a token, and need to hear that there is none.
  const isOpen = (path: string) => isPublic.has(path) || path.startsWith("/.well-known/");

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
    if (!isOpen(path)) {
      const identity = await identify(headers, context.env.incoming, parts.tokens, {
        isLogin: context.req.method === "POST" && path === LOGIN_PATH,
        isStream: context.req.method === "GET" && isStream.has(path),
      });
      if (identity instanceof Response) return withHeaders(identity);
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
    if (context.get("identity") !== undefined && isEventStream(context.res))
      parts.streams.add(context.get("identity"), context.env.outgoing);
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

const isEventStream = ({ headers }: Response): boolean =>
  headers.get("Content-Type")?.startsWith("text/event-stream") === true;

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH"]);

const LOGIN_PATH = "/login";
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const CODE = /^Code +([A-Za-z0-9_-]{1,128})$/i;

/** What a request is for, as far as its proof depends on it. */
interface Purpose {
  readonly isLogin: boolean;
  readonly isStream: boolean;
}

/**
 * INVARIANT (least proof): a code is good for a login, a cookie for an event stream, and for nothing else. Every other
 * request carries a token, which no page of another site or port can send.
 */
async function identify(
  headers: RequestHeaders,
  { socket }: IncomingMessage,
  tokens: Tokens,
  { isLogin, isStream }: Purpose,
): Promise<Identity | Response> {
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const code = isLogin ? CODE.exec(authorization)?.[1] : undefined;
    if (code !== undefined) return tokens.identifyCode(code) ?? unknown("this link was used before, or is too old");
    const token = BEARER.exec(authorization)?.[1];
    const identity = token === undefined ? null : await tokens.identify(token, socket.remoteAddress ?? "");
    if (identity === null) return unknown("the header has to be `Authorization: Bearer …`");
    return "refusal" in identity ? refused(identity.refusal) : identity;
  }
  const identity = isStream ? tokens.identifyCookie(headers) : null;
  return identity ?? unknown("send a token: `Authorization: Bearer …`");
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
