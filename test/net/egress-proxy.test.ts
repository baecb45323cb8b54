import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NET_LIMITS } from "../../src/domain/net-limits.ts";
import { openEgressProxies } from "../../src/net/egress-proxy.ts";
import type { ConnectGrant, EgressLog, EgressProxy, ProxyLimits } from "../../src/ports/egress.ts";
import { handClock } from "../support/hand-clock.ts";
import { answering, grant, httpServer, rawServer, spoken, type TestNet, testNet } from "./test-net.ts";

interface OpenedProxy extends AsyncDisposable {
  readonly path: string;
  readonly proxy: EgressProxy;
}

async function openProxy(net: TestNet, granted: ConnectGrant, limits: Partial<ProxyLimits> = {}): Promise<OpenedProxy> {
  const folder = mkdtempSync(join(tmpdir(), "tg-proxy-"));
  const path = join(folder, "proxy.sock");
  const proxy = await openEgressProxies(net).open({ socketPath: path, grant: granted, limits });
  return {
    path,
    proxy,
    [Symbol.asyncDispose]: async () => {
      await proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const NAMES = { "a.example": ["1.0.0.1"], "b.example": ["1.0.0.2"], "inside.example": ["10.0.0.1"] };

const get = (path: string, url: string, more = ""): Promise<string> =>
  spoken({ path }, `GET ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`);

/** What the proxy says, up to the end of its head, and the connection. */
function tunnel(path: string, authority: string): Promise<{ readonly head: string; readonly socket: Socket }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    socket.on("error", reject);
    let head = "";
    const collect = (chunk: Buffer) => {
      head += chunk.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      socket.off("data", collect);
      resolve({ head, socket });
    };
    socket.on("data", collect);
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n`);
  });
}

const echo = () => rawServer((socket) => socket.pipe(socket));
const said = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once("data", (chunk) => resolve(chunk.toString())));
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on("error", () => {});
    socket.resume();
    socket.once("close", () => resolve());
  });
const inWords = ({ connections }: EgressLog) =>
  connections.map(({ via, host, port, address, refused }) => `${via} ${host}:${port} ${refused ?? address}`);

describe("a tunnel", () => {
  it("is opened to what is granted, at the address that was checked", async () => {
    await using server = await echo();
    const net = testNet({ names: NAMES, internet: server.port });
    await using opened = await openProxy(net, grant("a.example:443"));
    const { head, socket } = await tunnel(opened.path, "a.example:443");
    expect(head).toBe("HTTP/1.1 200 Connection Established\r\n\r\n");
    socket.write("hello");
    expect(await said(socket)).toBe("hello");
    socket.destroy();
    const log = await opened.proxy.close();
    expect(inWords(log)).toEqual(["connect a.example:443 1.0.0.1"]);
    expect(log.connections[0]).toMatchObject({ sentBytes: 5, receivedBytes: 5 });
    expect(net.dialed).toEqual(["1.0.0.1:443"]);
  });

  it.each([
    ["b.example:443", 403],
    ["a.example:80", 403],
    ["a.example:22", 403],
    ["A.EXAMPLE.:444", 403],
    ["1.0.0.1:443", 403],
    ["inside.example:443", 403],
    ["127.0.0.1:443", 403],
    ["localhost:443", 403],
    ["[::1]:443", 403],
    ["[::ffff:127.0.0.1]:443", 403],
    ["2130706433:443", 403],
    ["0x7f.1:443", 403],
    ["169.254.169.254:80", 403],
    ["no.example:443", 403],
    ["a.example", 400],
    ["a.example:", 400],
    ["a.example:99999", 400],
    ["a.example:443@b.example:443", 400],
    ["user@a.example:443", 400],
    ["http://a.example:443", 400],
    ["a.example%00.b.example:443", 400],
    ["a..example:443", 400],
  ])("is not opened to %s", async (authority, status) => {
    const net = testNet({ names: NAMES });
    await using opened = await openProxy(net, grant("a.example:443", "*.example:444", "inside.example:443"));
    expect(await spoken({ path: opened.path }, `CONNECT ${authority} HTTP/1.1\r\nhost: a.example\r\n\r\n`)).toMatch(
      new RegExp(`^HTTP/1.1 ${status === 403 && authority.startsWith("A.") ? 502 : status} `),
    );
    expect(net.dialed.filter((to) => !to.startsWith("1.0.0."))).toEqual([]);
    expect(opened.proxy.log().connections).toHaveLength(authority === "" ? 0 : 1);
  });

  it("lets nothing out without a grant", async () => {
    const net = testNet({ names: NAMES });
    await using opened = await openProxy(net, grant());
    expect(await spoken({ path: opened.path }, "CONNECT a.example:443 HTTP/1.1\r\n\r\n")).toMatch(/^HTTP\/1.1 40[03] /);
    expect(await get(opened.path, "http://a.example/")).toMatch(/^HTTP\/1.1 403 /);
    expect(net.resolved).toEqual([]);
    expect(net.dialed).toEqual([]);
  });

  it("hands on what came together with the request", async () => {
    await using server = await echo();
    const net = testNet({ names: NAMES, internet: server.port });
    await using opened = await openProxy(net, grant("a.example:443"));
    const socket = connect({ path: opened.path });
    const all: string[] = [];
    const echoed = Promise.withResolvers<void>();
    socket.on("data", (chunk) => {
      all.push(chunk.toString());
      if (all.join("").endsWith("early")) echoed.resolve();
    });
    socket.write("CONNECT a.example:443 HTTP/1.1\r\nhost: a.example\r\n\r\nearly");
    await echoed.promise;
    socket.destroy();
  });

  it("ends on both sides when one ends", async () => {
    const serverSide = Promise.withResolvers<Socket>();
    await using server = await rawServer((socket) => serverSide.resolve(socket));
    const net = testNet({ names: NAMES, internet: server.port });
    await using opened = await openProxy(net, grant("a.example:443"));
    const one = await tunnel(opened.path, "a.example:443");
    (await serverSide.promise).destroy();
    await closed(one.socket);
  });
});

describe("a plain request", () => {
  const world = async () => {
    const asked: { line: string; headers: IncomingMessage["headers"]; body: string }[] = [];
    const server = await httpServer(async (incoming, response) => {
      const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Uint8Array>)).toString();
      asked.push({
        line: `${incoming.method} ${incoming.headers.host}${incoming.url}`,
        headers: incoming.headers,
        body,
      });
      response.writeHead(201, { "x-a": "1", "keep-alive": "x" }).end(`got ${body}`);
    });
    const net = testNet({ names: NAMES, internet: server.port });
    const opened = await openProxy(net, grant("a.example:80", "b.example:8080"));
    return {
      asked,
      net,
      ...opened,
      [Symbol.asyncDispose]: async () => {
        await opened[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  };

  it("is sent on, with the host of its URL and without what is between neighbours", async () => {
    await using one = await world();
    const answer = await get(
      one.path,
      "http://a.example/x?y",
      "x-b: 2\r\nproxy-authorization: Basic eA==\r\nproxy-connection: keep-alive\r\nx-hop: 1\r\nupgrade: x\r\nconnection: x-hop\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 201 /);
    expect(answer).toContain("x-a: 1");
    expect(answer).toContain("got ");
    const [seen] = one.asked;
    expect(seen).toMatchObject({ line: "GET a.example/x?y", headers: { host: "a.example", "x-b": "2" } });
    expect(Object.keys(seen?.headers ?? {}).sort()).toEqual(["connection", "host", "x-b"]);
  });

  it.each(["content-length", "chunked"])("has its body, framed by %s", async (framing) => {
    await using one = await world();
    const answer = await new Promise<string>((resolve, reject) => {
      const headers = framing === "chunked" ? { "transfer-encoding": "chunked" } : { "content-length": "4" };
      const sending = request({ socketPath: one.path, method: "POST", path: "http://b.example:8080/p", headers });
      sending.on("error", reject);
      sending.on("response", async (response) => {
        const chunks = await Array.fromAsync(response as AsyncIterable<Uint8Array>);
        resolve(Buffer.concat(chunks).toString());
      });
      sending.end("body");
    });
    expect(answer).toBe("got body");
    expect(one.asked[0]).toMatchObject({ line: "POST b.example:8080/p", body: "body" });
  });

  it("after another over the same connection is checked like the first", async () => {
    await using one = await world();
    const answer = await spoken(
      { path: one.path },
      "GET http://a.example/1 HTTP/1.1\r\nhost: a\r\n\r\nGET http://evil.example/2 HTTP/1.1\r\nhost: a.example\r\nconnection: close\r\n\r\n",
    );
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 201", "HTTP/1.1 403"]);
    expect(one.asked.map(({ line }) => line)).toEqual(["GET a.example/1"]);
  });

  it.each<[name: string, text: string]>([
    ["an origin form", "GET / HTTP/1.1\r\nhost: a.example\r\n\r\n"],
    ["https", "GET https://a.example/ HTTP/1.1\r\nhost: a.example\r\n\r\n"],
    ["another scheme", "GET ftp://a.example/ HTTP/1.1\r\nhost: a.example\r\n\r\n"],
    ["a user", "GET http://a.example@b.example/ HTTP/1.1\r\nhost: a.example\r\n\r\n"],
    ["no host", "GET http:///x HTTP/1.1\r\nhost: a.example\r\n\r\n"],
    ["another host", "GET http://c.example/ HTTP/1.1\r\nhost: a.example\r\n\r\n"],
    ["another port", "GET http://a.example:81/ HTTP/1.1\r\nhost: a.example\r\n\r\n"],
    ["this machine", "GET http://127.0.0.1/ HTTP/1.1\r\nhost: a.example\r\n\r\n"],
    ["two lengths", "POST http://a.example/ HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    [
      "length and chunks",
      "POST http://a.example/ HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET http://b.example/ HTTP/1.1\r\n\r\n",
    ],
    ["odd chunks", "POST http://a.example/ HTTP/1.1\r\nhost: a\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n"],
    ["a blank before the colon", "GET http://a.example/ HTTP/1.1\r\nhost : a\r\n\r\n"],
    ["a folded header", "GET http://a.example/ HTTP/1.1\r\nhost: a\r\nx: 1\r\n y\r\n\r\n"],
    ["a bare line feed", "GET http://a.example/ HTTP/1.1\nhost: a\n\n"],
    ["a NUL", "GET http://a.example/ HTTP/1.1\r\nhost: a\r\nx: \0\r\n\r\n"],
    ["a carriage return in its URL", "GET http://a.example/\rx HTTP/1.1\r\nhost: a\r\n\r\n"],
    ["a huge head", `GET http://a.example/ HTTP/1.1\r\nx: ${"y".repeat(70_000)}\r\n\r\n`],
    ["no HTTP", "hello\r\n\r\n"],
    ["an unknown method", "FROB http://a.example/ HTTP/1.1\r\nhost: a\r\n\r\n"],
  ])("with %s goes nowhere", async (_, text) => {
    await using one = await world();
    const answer = await spoken({ path: one.path }, text.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"));
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d |^$/);
    expect(one.asked).toEqual([]);
    expect(one.net.dialed).toEqual([]);
  });

  it("random bytes go nowhere", async () => {
    await using one = await world();
    for (let i = 0; i < 50; i++) {
      const socket = connect({ path: one.path });
      const gone = closed(socket);
      socket.end(randomBytes(100));
      await gone;
    }
    expect(one.net.dialed).toEqual([]);
  });

  it.each([
    ["no HTTP", "hello\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    ["nothing", ""],
    ["another protocol", "HTTP/1.1 101 Switch\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
  ])("whose server answers with %s is a bad gateway", async (_, bytes) => {
    await using server = await answering(bytes);
    const net = testNet({ names: NAMES, internet: server.port });
    await using opened = await openProxy(net, grant("a.example:80"));
    expect(await get(opened.path, "http://a.example/")).toMatch(/^HTTP\/1.1 502 /);
  });
});

describe("SOCKS", () => {
  const hello = [5, 1, 0];
  const named = (name: string, port: number, command = 1) =>
    Buffer.from([...hello, 5, command, 0, 3, name.length, ...Buffer.from(name, "latin1"), port >> 8, port & 255]);

  it("reaches what is granted, by name", async () => {
    await using server = await rawServer((socket) => socket.end("served"));
    const net = testNet({ names: NAMES, internet: server.port });
    await using opened = await openProxy(net, grant("a.example:22"));
    const answer = await spoken({ path: opened.path }, named("a.example", 22));
    expect(answer).toBe(`\x05\x00${"\x05\x00\x00\x01"}${"\0".repeat(6)}served`);
    expect(inWords(opened.proxy.log())).toEqual(["socks a.example:22 1.0.0.1"]);
  });

  it.each<[name: string, bytes: Uint8Array, reply: number]>([
    ["another host", named("b.example", 22), 2],
    ["another port", named("a.example", 23), 2],
    ["an address inside", Buffer.from([...hello, 5, 1, 0, 1, 127, 0, 0, 1, 0, 22]), 2],
    ["an IPv6 address", Buffer.from([...hello, 5, 1, 0, 4, ...Array<number>(15).fill(0), 1, 0, 22]), 2],
    [
      "a wrapped address",
      Buffer.from([...hello, 5, 1, 0, 4, ...Array<number>(10).fill(0), 255, 255, 127, 0, 0, 1, 0, 22]),
      2,
    ],
    ["a name with a NUL", named("a.example\0.b.example", 22), 8],
    ["a name with a port", named("a.example:22", 22), 8],
    ["a decimal address", named("2130706433", 22), 2],
    ["port 0", named("a.example", 0), 8],
    ["an unknown kind", Buffer.from([...hello, 5, 1, 0, 9, 0, 0]), 8],
    ["listening", named("a.example", 22, 2), 7],
    ["UDP", named("a.example", 22, 3), 7],
  ])("does not reach %s", async (_, bytes, reply) => {
    const net = testNet({ names: NAMES });
    await using opened = await openProxy(net, grant("a.example:22"));
    const answer = Buffer.from(await spoken({ path: opened.path }, bytes), "latin1");
    expect([...answer.subarray(0, 4)]).toEqual([5, 0, 5, reply]);
    expect(net.dialed).toEqual([]);
  });

  it("wants no password", async () => {
    await using opened = await openProxy(testNet(), grant());
    expect(await spoken({ path: opened.path }, Buffer.from([5, 1, 2]))).toBe("\x05\xff");
  });
});

describe("limits", () => {
  it("of connections at a time", async () => {
    await using server = await echo();
    const net = testNet({ names: NAMES, internet: server.port });
    await using opened = await openProxy(net, grant("a.example:443"), { connections: 2 });
    const first = await tunnel(opened.path, "a.example:443");
    await tunnel(opened.path, "a.example:443");
    expect((await tunnel(opened.path, "a.example:443")).head).toMatch(/^HTTP\/1.1 403 /);
    const gone = closed(first.socket);
    first.socket.destroy();
    await gone;
    await expect.poll(async () => (await tunnel(opened.path, "a.example:443")).head).toMatch(/^HTTP\/1.1 200 /);
  });

  it("of bytes in all", async () => {
    await using server = await echo();
    const net = testNet({ names: NAMES, internet: server.port });
    await using opened = await openProxy(net, grant("a.example:443"), { bytes: 10_000 });
    const { socket } = await tunnel(opened.path, "a.example:443");
    const gone = closed(socket);
    socket.write(Buffer.alloc(20_000));
    await gone;
    expect((await tunnel(opened.path, "a.example:443")).head).toMatch(/^HTTP\/1.1 403 /);
  });

  it("of silence", async () => {
    const clock = handClock();
    await using server = await echo();
    const net = testNet({ names: NAMES, internet: server.port, clock });
    await using opened = await openProxy(net, grant("a.example:443"), { idleMs: 1000 });
    const { socket } = await tunnel(opened.path, "a.example:443");
    const gone = closed(socket);
    clock.move(1000);
    await gone;
    expect(clock.waiting()).toBe(0);
  });

  it("of what is remembered", async () => {
    await using opened = await openProxy(testNet(), grant());
    const wanted = NET_LIMITS.proxyRecords.default + 5;
    for (let i = 0; i < wanted; i++) await get(opened.path, `http://h${i}.example/`);
    const log = opened.proxy.log();
    expect(log.connections).toHaveLength(NET_LIMITS.proxyRecords.default);
    expect(log.unlisted).toBe(5);
  });

  it("of what is shown of a host", async () => {
    await using opened = await openProxy(testNet(), grant());
    await get(opened.path, `http://${"a".repeat(5000)}/`);
    expect(opened.proxy.log().connections[0]?.host.length).toBeLessThan(400);
  });
});

describe("its socket", () => {
  it("is for its owner only, and gone with it", async () => {
    await using opened = await openProxy(testNet(), grant());
    expect(statSync(opened.path).mode & 0o022).toBe(0);
    await opened.proxy.close();
    expect(() => statSync(opened.path)).toThrow();
  });

  it("that can't be made is an error, and not an open door", async () => {
    await using opened = await openProxy(testNet(), grant());
    const again = openEgressProxies(testNet()).open({ socketPath: opened.path, grant: grant() });
    await expect(again).rejects.toThrow();
  });

  it("takes all connections with it, also those that only wait", async () => {
    await using server = await echo();
    const net = testNet({ names: NAMES, internet: server.port });
    await using opened = await openProxy(net, grant("a.example:443"));
    const { socket } = await tunnel(opened.path, "a.example:443");
    const waiting = connect({ path: opened.path });
    await new Promise<void>((resolve) => waiting.once("connect", () => resolve()));
    const gone = Promise.all([closed(socket), closed(waiting)]);
    const log = await opened.proxy.close();
    await gone;
    expect(inWords(log)).toEqual(["connect a.example:443 1.0.0.1"]);
    await expect(get(opened.path, "http://a.example/")).rejects.toThrow();
  });
});
