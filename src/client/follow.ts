import { eventBlocks, type ServerEvent } from "./event-blocks.ts";
import { ProblemError } from "./problem-error.ts";

const RETRY_MS = 2000;

/**
 * Events for as long as somebody takes them. A connection that breaks is opened again behind the last event that had a
 * number, so none is missed and none comes twice; what the server refuses is thrown.
 */
export async function* follow(
  open: (lastEventId: string | null) => Promise<Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerEvent, void, void> {
  let last: string | null = null;
  let retryMs = RETRY_MS;
  while (!signal?.aborted) {
    const response = await opened(open, last);
    for await (const event of response?.body ? untilBroken(eventBlocks(response.body)) : []) {
      if ("retryMs" in event) retryMs = event.retryMs;
      else {
        last = event.id ?? last;
        yield event;
      }
    }
    if (!signal?.aborted) await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

/** Null: the server can't be reached now. */
async function opened(
  open: (lastEventId: string | null) => Promise<Response>,
  last: string | null,
): Promise<Response | null> {
  try {
    return await open(last);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    return null;
  }
}

/** However a connection ends, it is only its end. */
async function* untilBroken<T>(events: AsyncGenerator<T, void, void>): AsyncGenerator<T, void, void> {
  try {
    yield* events;
  } catch {
    // it broke, or was given up
  }
}
