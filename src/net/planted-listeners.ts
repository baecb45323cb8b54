import { type AddressInfo, createServer, type ListenOptions, type Server } from "node:net";

/** Listeners of this machine that a program in a sandbox must not get to. */
export interface Planted extends Disposable {
  readonly port: number;
  readonly socketPath: string;
}

export async function plantListeners(socketPath: string): Promise<Planted> {
  const [loopback, socket] = [createServer(), createServer()];
  await listening(loopback, { host: "127.0.0.1", port: 0 });
  await listening(socket, { path: socketPath });
  return {
    port: (loopback.address() as AddressInfo).port,
    socketPath,
    [Symbol.dispose]: () => {
      for (const server of [loopback, socket]) server.close();
    },
  };
}

/** Whoever gets here is let in and shown the door. */
const listening = (server: Server, where: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.on("connection", (client) => client.destroy());
    server.once("error", reject).listen(where, () => resolve());
  });
