import { ADMIN } from "./test-server.ts";

export interface HeardEvent {
  readonly id: string | null;
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is what the tests look at
  readonly data: any;
}

/** Somebody who listens. */
export interface EventReader extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** The next one; null when the stream has ended. */
  readonly next: () => Promise<HeardEvent | null>;
  /** The first of this name from now on. */
  readonly until: (name: string) => Promise<HeardEvent>;
  /** All that was sent, as it was sent, comments too. */
  readonly text: () => string;
  readonly close: () => Promise<void>;
}

export interface ReaderOptions {
  readonly path?: string;
  readonly lastEventId?: string | number;
  readonly token?: string;
}

export async function openEvents(url: string, options: ReaderOptions = {}): Promise<EventReader> {
  const { path = "/events", lastEventId, token = ADMIN } = options;
  const stop = new AbortController();
  const response = await fetch(`${url}${path}`, {
    signal: stop.signal,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { "Last-Event-ID": String(lastEventId) }),
    },
  });
  const chunks = response.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let all = "";
  let rest = "";
  const next = async (): Promise<HeardEvent | null> => {
    for (;;) {
      const end = rest.indexOf("\n\n");
      if (end >= 0) {
        const event = parsed(rest.slice(0, end));
        rest = rest.slice(end + 2);
        if (event !== null) return event;
        continue;
      }
      const { value, done } = (await chunks?.next().catch(() => ({ value: undefined, done: true }))) ?? { done: true };
      if (done || value === undefined) return null;
      all += value;
      rest += value;
    }
  };
  const close = async () => {
    stop.abort();
    await chunks?.return?.().catch(() => {});
  };
  return {
    status: response.status,
    headers: response.headers,
    next,
    until: async (name) => {
      for (;;) {
        const event = await next();
        if (event === null) throw new Error(`the stream ended before ${name}: ${all}`);
        if (event.name === name) return event;
      }
    },
    text: () => all,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** By the standard's rules, as far as the server uses them. Null: a comment. */
function parsed(block: string): HeardEvent | null {
  const fields = block.split("\n").map((line) => line.split(/: (.*)/s));
  const of = (field: string) => fields.find(([name]) => name === field)?.[1];
  const data = of("data");
  return data === undefined ? null : { id: of("id") ?? null, name: of("event") ?? "message", data: JSON.parse(data) };
}
