import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import type { Dial, Resolve } from "./open-connection.ts";

/** As every other program of this machine finds names: its files and name servers. The answer is not trusted. */
export const systemResolve: Resolve = async (name) => {
  const found = await lookup(name, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
};

/** A literal address: nothing is looked up any more. */
export const systemDial: Dial = (address, port, signal) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, signal, noDelay: true, autoSelectFamily: false });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      // The signal was for connecting. Whoever has the socket hears of its errors, and nobody else has to.
      socket.on("error", () => {});
      resolve(socket);
    });
  });
