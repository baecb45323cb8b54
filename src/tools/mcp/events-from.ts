import { Buffer } from "node:buffer";

/** The code of an answer that we put where a stream broke off before the upstream's own. */
export const BROKEN_OFF = -31_001;

const ID = "id:";
const NEWLINE = 10;
const RETURN = 13;

/**
 * A stream of server-sent events, as it comes. INVARIANT (answered): whoever waits for the answer to `requestId` hears of
 * the end of the stream at once, whether it ended, broke off or brought an event longer than anybody would keep. A stream
 * whose events have ids may be taken up again (2025-11-25), and says so by having them: there the SDK does that.
 */
export function eventsFrom(
  chunks: AsyncIterable<Uint8Array>,
  requestId: string | number | null,
  eventBytesMax: number,
): { readonly body: ReadableStream<Uint8Array>; readonly ended: Promise<void> } {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const source = chunks[Symbol.asyncIterator]();
  const length = new EventLength();
  let isOver = false;
  const next = async (): Promise<Uint8Array | null> => {
    const { value, done } = await source.next();
    isOver = done !== true && length.longest(value) > eventBytesMax;
    return done === true || isOver ? null : value;
  };
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const chunk = await next().catch(() => null);
      if (chunk !== null) return controller.enqueue(chunk);
      if (requestId !== null && (isOver || !length.hasIds)) controller.enqueue(lastEvent(requestId));
      controller.close();
      end();
    },
    cancel: end,
  });
  return { body, ended };
}

function lastEvent(id: string | number): Uint8Array {
  const error = { code: BROKEN_OFF, message: "the upstream's answer broke off" };
  return Buffer.from(`\n\nevent: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, error })}\n\n`);
}

/** How long the event is that is being read. An empty line ends one. */
class EventLength {
  #bytes = 0;
  #line = "";
  #isLineEmpty = true;
  #hasIds = false;

  get hasIds(): boolean {
    return this.#hasIds;
  }

  /** The most that it was in this piece. */
  longest(chunk: Uint8Array): number {
    let most = 0;
    for (const byte of chunk) {
      this.#bytes++;
      if (byte === NEWLINE) {
        if (this.#isLineEmpty) this.#bytes = 0;
        this.#isLineEmpty = true;
        this.#line = "";
      } else if (byte !== RETURN) {
        this.#isLineEmpty = false;
        if (this.#line.length < ID.length) this.#line += String.fromCharCode(byte);
        this.#hasIds ||= this.#line === ID;
      }
      if (this.#bytes > most) most = this.#bytes;
    }
    return most;
  }
}
