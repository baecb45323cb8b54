import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openEgressProxies } from "../../src/net/egress-proxy.ts";
import { forwardsOf, hostAddresses, relayPorts } from "../../src/net/forwards.ts";
import { proxyEnvironment, RELAY_PORT } from "../../src/net/proxy-environment.ts";
import { RELAY_PROGRAM } from "../../src/net/relay-program.ts";
import { needs } from "../support/parts.ts";
import { grant, httpServer, testNet } from "./test-net.ts";

const NODE = realpathSync(process.execPath);

/** A program in a namespace without a network but for the proxy's socket, as the sandbox would start it. */
const sandboxed = (folder: string, ...argv: readonly string[]) => sandboxedWith(String(RELAY_PORT), folder, ...argv);

const sandboxedWith = (
  ports: string,
  folder: string,
  ...argv: readonly string[]
): Promise<{ code: number; out: string }> => {
  const environment = Object.entries(proxyEnvironment()).flatMap(([name, value]) => ["--setenv", name, value]);
  const links = ["/bin", "/lib", "/lib64"].flatMap((link) => ["--symlink", `usr${link}`, link]);
  const mounts = [
    "--ro-bind",
    "/usr",
    "/usr",
    ...links,
    "--ro-bind",
    NODE,
    "/node",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
  ];
  const bwrap = [
    "--unshare-all",
    "--die-with-parent",
    "--clearenv",
    ...environment,
    ...mounts,
    "--bind",
    folder,
    folder,
  ];
  const relay = ["/node", "-e", RELAY_PROGRAM, "--", ports, join(folder, "p.sock")];
  return new Promise((resolve) => {
    execFile("bwrap", [...bwrap, ...relay, ...argv], { timeout: 60_000 }, (error, out) =>
      resolve({ code: error === null ? 0 : Number(error.code), out }),
    );
  });
};

needs("bwrap", "curl")("the relay", () => {
  it("brings programs to the proxy, which lets them out where it is granted, and there is no other way", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tg-relay-"));
    await using server = await httpServer((request, response) => response.end(`served ${request.headers.host}`));
    const net = testNet({ names: { "a.example": ["1.0.0.1"], "b.example": ["1.0.0.2"] }, internet: server.port });
    const opening = { socketPath: join(folder, "p.sock"), grant: grant("a.example:80", "a.example:81") };
    const proxy = await openEgressProxies(net).open(opening);
    try {
      const curl = (...args: string[]) => sandboxed(folder, "/usr/bin/curl", "-sS", "--max-time", "20", ...args);
      expect(await curl("http://a.example/")).toEqual({ code: 0, out: "served a.example" });
      expect(await curl("--proxytunnel", "http://a.example:81/")).toEqual({ code: 0, out: "served a.example:81" });
      expect((await curl("http://b.example/")).out).toContain("nothing grants a connection to `b.example:80`");
      expect((await curl("--proxytunnel", "http://b.example/")).code).toBe(56);
      expect((await curl("-x", `socks5h://127.0.0.1:${RELAY_PORT}`, "http://a.example/")).out).toBe("served a.example");
      // Without the proxy: the machine's own loopback, where the server really is, is not this one.
      expect((await curl("--noproxy", "*", `http://127.0.0.1:${server.port}/`)).code).toBe(7);
      expect((await curl("--noproxy", "*", "http://1.0.0.1/")).code).toBe(7);
      // A proxy that has died is no open door.
      await proxy.close();
      expect((await curl("http://a.example/")).code).not.toBe(0);
    } finally {
      await proxy.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("takes programs that know no proxies to hosts of its list, if the proxy says yes, and to no others", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tg-relay-"));
    await using server = await httpServer((request, response) => response.end(`served ${request.headers.host}`));
    const net = testNet({ names: { "a.example": ["1.0.0.1"], "b.example": ["1.0.0.2"] }, internet: server.port });
    const opening = { socketPath: join(folder, "p.sock"), grant: grant("a.example:5432") };
    const proxy = await openEgressProxies(net).open(opening);
    const forwards = forwardsOf([
      "a.example:5432",
      "b.example:5432",
      "a.example:443",
      "*.c.example:5432",
      "1.0.0.1:5432",
    ]);
    try {
      expect(forwards).toEqual([
        { host: "a.example", address: "127.0.1.1", port: 5432 },
        { host: "b.example", address: "127.0.1.2", port: 5432 },
      ]);
      expect(hostAddresses(forwards)).toEqual({ "a.example": "127.0.1.1", "b.example": "127.0.1.2" });
      const curl = (url: string) =>
        sandboxedWith(relayPorts(forwards), folder, "/usr/bin/curl", "-sS", "--max-time", "20", "--noproxy", "*", url);
      expect(await curl("http://127.0.1.1:5432/")).toEqual({ code: 0, out: "served 127.0.1.1:5432" });
      expect((await curl("http://127.0.1.2:5432/")).code).not.toBe(0);
      expect((await curl("http://127.0.1.1:5433/")).code).toBe(7);
      expect(proxy.log().connections).toMatchObject([
        { host: "a.example", port: 5432, refused: null },
        { host: "b.example", port: 5432, refused: expect.stringContaining("nothing grants") },
      ]);
    } finally {
      await proxy.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each<[program: readonly string[], code: number]>([
    [["/bin/sh", "-c", "exit 7"], 7],
    [["/bin/sh", "-c", "kill -9 $$"], 137],
    [["/no/such/program"], 127],
  ])("ends as %j ended", async (program, code) => {
    const folder = mkdtempSync(join(tmpdir(), "tg-relay-"));
    try {
      expect((await sandboxed(folder, ...program)).code).toBe(code);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

it("tells every program that reads the usual variables", () => {
  const { no_proxy, NO_PROXY, NODE_USE_ENV_PROXY, ...proxies } = proxyEnvironment(4000);
  expect(new Set(Object.values(proxies))).toEqual(new Set(["http://127.0.0.1:4000"]));
  expect(Object.keys(proxies)).toHaveLength(6);
  expect([no_proxy, NO_PROXY, NODE_USE_ENV_PROXY]).toEqual(["", "", "1"]);
});

it("finds what is on this machine at its own place, but for the proxy's", () => {
  const places = forwardsOf([
    "localhost:5432",
    "127.0.0.1:5432",
    "[::1]:6379",
    `127.0.0.1:${RELAY_PORT}`,
    "localhost:80",
  ]);
  expect(places).toEqual([
    { host: "localhost", address: "127.0.0.1", port: 5432 },
    { host: "::1", address: "127.0.0.1", port: 6379 },
  ]);
  expect(relayPorts(places)).toBe("3128,127.0.0.1:5432=localhost:5432,127.0.0.1:6379=[::1]:6379");
  expect(hostAddresses(places)).toEqual({});
});
