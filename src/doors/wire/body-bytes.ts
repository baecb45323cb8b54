import type { HttpBindings } from "@hono/node-server";
import { GatheredBytes } from "../../domain/gathered-bytes.ts";
import type { Held } from "./in-flight.ts";

/** Of a request, whatever door it came to. */
interface Incoming {
  readonly env: Pick<HttpBindings, "incoming">;
  readonly get: (name: "held") => Pick<Held, "take">;
}

/**
 * The body of a request. `no room`: whoever sent it has as much in memory as they may. Counted as it comes: what is said of
 * its length beforehand may be wrong. Read from the connection itself: as a stream of the web's it costs more than the rest of the request.
 */
export function bodyBytes(
  { env: { incoming }, get }: Incoming,
  bytesMax: number,
): Promise<Uint8Array | "too long" | "no room"> {
  const { take: hasRoomFor } = get("held");
  if (Number(incoming.headers["content-length"] ?? 0) > bytesMax) return Promise.resolve("too long");
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | "too long" | "no room">();
  const gathered = new GatheredBytes();
  let length = 0;
  const take = (chunk: Uint8Array) => {
    length += chunk.length;
    gathered.push(chunk);
    const isFit = length <= bytesMax;
    if (isFit && hasRoomFor(chunk.length)) return;
    incoming.off("data", take).pause();
    resolve(isFit ? "no room" : "too long");
  };
  incoming.on("data", take);
  incoming.once("end", () => resolve(gathered.whole()));
  incoming.once("error", reject);
  const closed = () => {
    if (!incoming.readableEnded) reject(new Error("whoever sent the request went away before its end"));
  };
  if (incoming.closed) closed();
  else incoming.once("close", closed);
  return promise;
}
