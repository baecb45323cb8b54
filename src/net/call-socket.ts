import { createServer, type Socket } from "node:net";

const CONNECTIONS_MAX = 64;

/** Listens on a unix socket that a sandbox is given. Who connects is handed on; with the end of it all of them end. */
export async function openCallSocket(path: string, connected: (socket: Socket) => void): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: false }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
    connected(socket);
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path, readableAll: false, writableAll: false }, resolve);
  });
  // A server that can't accept any more takes nothing in: fails closed.
  server.on("error", () => {});
  return {
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
