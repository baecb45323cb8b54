import type { ServerTimes } from "./server-env.ts";

export interface StreamOptions extends ServerTimes {
  /** Sent before all pages. */
  readonly first?: string;
  /** Whether something that was sent has not been taken yet: being late ourselves is nobody else's fault. */
  readonly isStuck: () => boolean;
  /** Cuts the connection of somebody who takes nothing. */
  readonly cut: () => void;
}

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // What is heard is for who listens: it is kept nowhere, and no proxy holds it up to make it smaller.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
} as const;

/**
 * Server-sent events, a page of them as one text. The next page is asked for only when the last one has gone out, so that
 * nothing piles up for a slow reader: it falls behind in the ledger, and who takes nothing for too long is cut off, and may
 * come back.
 */
export function eventStream(pages: AsyncGenerator<string>, options: StreamOptions): Response {
  const { heartbeatMs, stalledReaderMs, isStuck, cut } = options;
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string>> | null = null;
  let stalled: NodeJS.Timeout | undefined;
  let text = options.first ?? "";
  const end = async () => {
    clearTimeout(stalled);
    await pages.return(undefined);
  };
  const look = () => {
    if (!isStuck()) {
      stalled = setTimeout(look, stalledReaderMs).unref();
      return;
    }
    void end();
    cut();
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        clearTimeout(stalled);
        if (text === "") {
          next ??= pages.next();
          const page = await orHeartbeat(next, heartbeatMs);
          if (page !== null) next = null;
          if (page?.done) return controller.close();
          text = page === null ? ": heartbeat\n\n" : page.value;
        }
        controller.enqueue(encoder.encode(text));
        text = "";
        stalled = setTimeout(look, stalledReaderMs).unref();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { headers: HEADERS });
}

/** Null: it was quiet for so long that the other side should hear that somebody is there. */
async function orHeartbeat<T>(next: Promise<T>, heartbeatMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const quiet = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), heartbeatMs);
    timer.unref();
  });
  try {
    return await Promise.race([next, quiet]);
  } finally {
    clearTimeout(timer);
  }
}
