import type { Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { addressKind } from "../domain/address.ts";

/** TLS over a connection that is there already. Null = the other side can't prove to be this host. */
export function secureSocket(
  socket: Socket,
  host: string,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<TLSSocket | null> {
  return new Promise((resolve) => {
    const servername = addressKind(host) === null ? { servername: host } : {};
    const secure = connect({
      socket,
      host,
      ...servername,
      ...(ca !== undefined && { ca }),
      ALPNProtocols: ["http/1.1"],
      minVersion: "TLSv1.2",
      rejectUnauthorized: true,
    });
    const give = (result: TLSSocket | null) => {
      signal.removeEventListener("abort", abort);
      if (result === null) socket.destroy();
      resolve(result);
    };
    const abort = () => {
      secure.destroy();
      give(null);
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    secure.once("secureConnect", () => give(secure));
    // Stays: an error after the handshake is told by the request that uses the socket.
    secure.on("error", () => give(null));
    secure.once("close", () => give(null));
  });
}
