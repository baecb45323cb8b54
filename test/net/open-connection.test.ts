import { describe, expect, it } from "vitest";
import { NET_LIMITS } from "../../src/domain/net-limits.ts";
import { type NetParts, openConnection } from "../../src/net/open-connection.ts";
import { systemDial, systemResolve } from "../../src/net/system-net.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { handClock } from "../support/hand-clock.ts";
import { NEVER } from "../support/sample-calls.ts";
import { EVERYTHING, grant, rawServer, testNet } from "./test-net.ts";

const opened = async (net: NetParts, host: string, port: number, ...patterns: string[]) => {
  const connection = await openConnection({ host, port }, grant(...patterns), net, NEVER);
  if (!connection.ok) return connection.fault.message;
  connection.socket.destroy();
  return connection.address;
};

describe("a connection", () => {
  it("goes to the address that was checked, which is asked for once: no rebinding", async () => {
    await using server = await rawServer((socket) => socket.end());
    let answers = 0;
    const rebinding = () => (answers++ === 0 ? ["93.184.216.34"] : ["127.0.0.1"]);
    const net = testNet({ names: { "a.example": rebinding }, internet: server.port });
    expect(await opened(net, "a.example", 80, "a.example:80")).toBe("93.184.216.34");
    expect(net.resolved).toEqual(["a.example"]);
    expect(net.dialed).toEqual(["93.184.216.34:80"]);
    expect(await opened(net, "a.example", 80, "a.example:80")).toContain("leads to `127.0.0.1`");
    expect(net.dialed).toEqual(["93.184.216.34:80"]);
  });

  it("is not tried at all where one of the addresses is not granted", async () => {
    const net = testNet({ names: { "a.example": ["93.184.216.34", "10.0.0.1"] } });
    expect(await opened(net, "a.example", 80, "*:80")).toContain("leads to `10.0.0.1`");
    expect(net.dialed).toEqual([]);
  });

  it("to a name that is not granted is not even looked up", async () => {
    const net = testNet({ names: { "a.example": ["93.184.216.34"] } });
    expect(await opened(net, "secret.a.example", 80, "a.example:80")).toContain("nothing grants");
    expect(net.resolved).toEqual([]);
  });

  it("tries the addresses in turn, four at the most", async () => {
    const many = ["1.0.0.1", "1.0.0.2", "1.0.0.3", "1.0.0.4", "1.0.0.5"];
    const net = testNet({ names: { "a.example": many } });
    expect(await opened(net, "a.example", 80, "*:80")).toBe(
      "`a.example:80` could not be reached: there is no way to that network",
    );
    expect(net.dialed).toEqual(many.slice(0, 4).map((address) => `${address}:80`));
  });

  it("to localhost asks no name server", async () => {
    await using server = await rawServer((socket) => socket.end());
    const net = testNet({ names: { localhost: ["93.184.216.34"] } });
    expect(await opened(net, "localhost", server.port, "localhost:*")).toBe("127.0.0.1");
    expect(net.resolved).toEqual([]);
  });

  it("fails where names can't be looked up, and goes nowhere else", async () => {
    const net = testNet();
    expect(await opened(net, "a.example", 80, "*:80")).toBe(
      "`a.example:80` could not be reached: its name is not known",
    );
    expect(net.dialed).toEqual([]);
  });

  it.each(["resolve", "dial"] as const)("gives up when its time is over while it waits to %s", async (stuck) => {
    const clock = handClock();
    const waiting = Promise.withResolvers<void>();
    const never = () => {
      waiting.resolve();
      return new Promise<never>(() => {});
    };
    const dial = (_address: string, _port: number, signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
        waiting.resolve();
      });
    const net = { ...testNet({ names: { "a.example": ["1.0.0.1", "1.0.0.2"] }, clock }) };
    const parts = stuck === "resolve" ? { ...net, resolve: never } : { ...net, dial };
    const opening = opened(parts, "a.example", 80, "*:80");
    await waiting.promise;
    clock.move(NET_LIMITS.connectMs.default);
    expect(await opening).toBe("`a.example:80` could not be reached: it took too long");
    expect(clock.waiting()).toBe(0);
  });

  it("is given up by whoever wanted it", async () => {
    const stop = new AbortController();
    const aborting = () => {
      stop.abort();
      return ["1.0.0.1"];
    };
    const net = testNet({ names: { "a.example": aborting } });
    const connection = await openConnection({ host: "a.example", port: 80 }, EVERYTHING, net, stop.signal);
    expect(connection.ok).toBe(false);
    expect(net.dialed).toEqual([]);
  });
});

describe("the system's own network", () => {
  it("finds names of this machine and connects to addresses", async () => {
    await using server = await rawServer((socket) => socket.end());
    const addresses = await systemResolve("localhost", NEVER);
    expect(["127.0.0.1", "::1"]).toEqual(expect.arrayContaining([...addresses]));
    const socket = await systemDial("127.0.0.1", server.port, NEVER);
    expect(socket.remoteAddress).toBe("127.0.0.1");
    socket.destroy();
  });
  it("says that nobody listens", async () => {
    const net = { clock: systemClock, resolve: systemResolve, dial: systemDial };
    let port = 0;
    {
      await using server = await rawServer((socket) => socket.end());
      port = server.port;
    }
    expect(await opened(net, "127.0.0.1", port, "127.0.0.1:*")).toContain("nobody listens there");
  });
  it("rejects a name that nobody knows", () => expect(systemResolve("no-such-name.invalid", NEVER)).rejects.toThrow());
});
