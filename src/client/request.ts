import { ProblemError } from "./problem-error.ts";

/** Where an operation is found: a row of the generated table. */
export interface RouteRow {
  readonly method: string;
  readonly path: string;
  readonly kind: "json" | "events" | "text" | "bytes";
  readonly queries: readonly string[];
  readonly hasBody: boolean;
}

export interface ClientSettings {
  /** `http://127.0.0.1:7420` */
  readonly url: string;
  /** The administrator's, a user's, or that of an agent's session. */
  readonly token: string;
  /** Default: `default`. */
  readonly project?: string;
  /** Default: the one that is there. */
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Of a stream: told each time that it is open, also when it was opened again. */
  readonly opened?: () => void;
  readonly signal?: AbortSignal;
  /** A name for this very call: made again under it, it is not made twice. */
  readonly idempotencyKey?: string;
}

/** Sends one request. Throws a `ProblemError` where the answer is a problem, and what `fetch` throws. */
export async function send(
  row: RouteRow,
  input: Readonly<Record<string, unknown>>,
  { url, token, project = "default", fetch: send = fetch }: ClientSettings,
  { signal, idempotencyKey, headers = {} }: RequestOptions & { readonly headers?: Record<string, string> },
): Promise<Response> {
  const rest = { ...input };
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = name === "project" ? project : rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const target = new URL(path, url);
  for (const name of row.queries) {
    if (rest[name] !== undefined) target.searchParams.set(name, String(rest[name]));
    delete rest[name];
  }
  const response = await send(target, {
    method: row.method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(row.hasBody && { "Content-Type": "application/json" }),
      ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
      ...headers,
    },
    ...(row.hasBody && { body: JSON.stringify(rest) }),
    ...(signal && { signal }),
  });
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json");
  if (isProblem) throw new ProblemError((await response.json()) as ProblemError["problem"]);
  // Of what stands in between: a page that says that the server is gone is no stream of its events.
  if (row.kind === "events" && !response.headers.get("content-type")?.startsWith("text/event-stream")) {
    await response.body?.cancel();
    throw new TypeError(`no stream of events, but an answer with the status ${response.status}`);
  }
  return response;
}
