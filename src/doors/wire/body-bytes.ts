import type { IncomingMessage } from "node:http";

/**
 * The body of a request; null: it is longer than it may be. Counted as it comes: what is said of its length beforehand may
 * be wrong. Read from the connection itself: as a stream of the web's it costs more than the rest of the request.
 */
export function bodyBytes(incoming: IncomingMessage, bytesMax: number): Promise<Uint8Array | null> {
  if (Number(incoming.headers["content-length"] ?? 0) > bytesMax) return Promise.resolve(null);
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | null>();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const take = (chunk: Uint8Array) => {
    length += chunk.length;
    chunks.push(chunk);
    if (length <= bytesMax) return;
    incoming.off("data", take).pause();
    resolve(null);
  };
  incoming.on("data", take);
  incoming.once("end", () => resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)));
  incoming.once("error", reject);
  const closed = () => {
    if (!incoming.readableEnded) reject(new Error("whoever sent the request went away before its end"));
  };
  if (incoming.closed) closed();
  else incoming.once("close", closed);
  return promise;
}
