import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type ListenOptions, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Listeners of this machine that a program in a sandbox must not get to. */
export interface Planted extends Disposable {
  readonly port: number;
  readonly socketPath: string;
}

export async function plantListeners(): Promise<Planted> {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-planted-"));
  const [loopback, socket] = [createServer(), createServer()];
  const socketPath = join(folder, "socket");
  await listening(loopback, { host: "127.0.0.1", port: 0 });
  await listening(socket, { path: socketPath });
  return {
    port: (loopback.address() as AddressInfo).port,
    socketPath,
    [Symbol.dispose]: () => {
      for (const server of [loopback, socket]) server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whoever gets here is let in and shown the door. */
const listening = (server: Server, where: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.on("connection", (client) => client.destroy());
    server.once("error", reject).listen(where, () => resolve());
  });
