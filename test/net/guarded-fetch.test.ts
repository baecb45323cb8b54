import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Secret } from "../../src/domain/secret.ts";
import { openWeb } from "../../src/net/guarded-fetch.ts";
import type { Dial } from "../../src/net/open-connection.ts";
import { systemDial } from "../../src/net/system-net.ts";
import type { ConnectGrant } from "../../src/ports/egress.ts";
import type { WebAnswer, WebRequest, WebResponse } from "../../src/ports/web.ts";
import { handClock } from "../support/hand-clock.ts";
import { NEVER } from "../support/sample-calls.ts";
import { answering, EVERYTHING, grant, httpServer, rawServer, requestTo, type TestNet, testNet } from "./test-net.ts";

const fetched = (
  net: TestNet,
  url: string,
  more: Partial<WebRequest> = {},
  granted: ConnectGrant = EVERYTHING,
  signal = NEVER,
): Promise<WebAnswer> => openWeb(net).fetch(requestTo(url, more), granted, signal);

function responseOf(answer: WebAnswer): WebResponse {
  if (answer.kind !== "answered") throw new Error(JSON.stringify(answer));
  return answer.response;
}

const textOf = (answer: WebAnswer): string => Buffer.from(responseOf(answer).body).toString();

/** What became of it: the kind, or the code and message of the fault. */
const endOf = (answer: WebAnswer): string =>
  answer.kind === "failed" ? `${answer.fault.code}: ${answer.fault.message}` : answer.kind;

const NAMES = { "a.example": ["1.0.0.1"], "b.example": ["1.0.0.2"], "inside.example": ["10.0.0.1"] };

/** A server that stands for the whole internet, and remembers what it was asked. */
async function internet(redirects: Readonly<Record<string, readonly [number, string]>> = {}) {
  const asked: { line: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  const server = await httpServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Uint8Array>)).toString();
    const line = `${request.method} ${request.headers.host}${request.url}`;
    asked.push({ line, headers: request.headers, body });
    const [status, location] = redirects[`${request.headers.host}${request.url}`] ?? [200, ""];
    response.writeHead(status, location === "" ? {} : { location }).end(`from ${line}`);
  });
  const net = testNet({ names: NAMES, internet: server.port });
  return { net, asked, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe("a request", () => {
  it("comes back with status, headers, body and its URL", async () => {
    await using server = await httpServer((_, response) =>
      response.writeHead(404, { "x-a": ["1", "2"], "set-cookie": ["c=1", "d=2"] }).end("none"),
    );
    const answer = responseOf(await fetched(testNet(), `http://127.0.0.1:${server.port}/x?y#z`));
    expect(answer).toMatchObject({ status: 404, urls: [`http://127.0.0.1:${server.port}/x?y`], isCut: false });
    expect(answer.headers).toMatchObject({ "x-a": "1, 2", "set-cookie": "c=1, d=2" });
    expect(Buffer.from(answer.body).toString()).toBe("none");
  });

  it("says by itself whom it means and how long it is", async () => {
    await using world = await internet();
    await fetched(world.net, "http://a.example:8080/x", {
      method: "POST",
      headers: { host: "b.example", "content-length": "99", "x-a": "1" },
      body: Buffer.from("body"),
    });
    expect(world.asked[0]).toMatchObject({
      line: "POST a.example:8080/x",
      headers: { "content-length": "4", connection: "close", "x-a": "1", "user-agent": "toolgate" },
      body: "body",
    });
  });

  it("is not made to what is not granted, nor to what can't be asked for", async () => {
    const net = testNet({ names: NAMES });
    const only = grant("a.example:80");
    expect(endOf(await fetched(net, "http://b.example/", {}, only))).toContain("EGRESS_BLOCKED: nothing grants");
    expect(endOf(await fetched(net, "http://a.example:81/", {}, only))).toContain("EGRESS_BLOCKED: nothing grants");
    expect(endOf(await fetched(net, "file:///etc/passwd", {}))).toContain("EGRESS_BLOCKED: `file:///etc/passwd`");
    expect(endOf(await fetched(net, "http://inside.example/", {}, grant("*:*")))).toContain("leads to `10.0.0.1`");
    expect(net.dialed).toEqual([]);
  });

  it("that nobody answers is told so", async () => {
    const net = testNet({ names: NAMES });
    expect(endOf(await fetched(net, "http://a.example/"))).toContain("CONNECT_FAILED: `a.example:80` could not");
    expect(endOf(await fetched(net, "http://no.example/"))).toContain("its name is not known");
  });

  it("carries a secret that nothing else sees", async () => {
    await using world = await internet();
    const secretHeader = { name: "x-key", prefix: "Key ", secret: new Secret("s3cret") };
    await fetched(world.net, "http://a.example/", { secretHeader });
    expect(world.asked[0]?.headers["x-key"]).toBe("Key s3cret");
  });
});

describe("redirects", () => {
  it("are followed one by one, each checked", async () => {
    await using world = await internet({
      "a.example/": [302, "/two"],
      "a.example/two": [301, "http://b.example/three"],
      "b.example/three": [308, "//a.example/four"],
    });
    const answer = await fetched(world.net, "http://a.example/", {}, grant("a.example:80", "b.example:80"));
    expect(responseOf(answer).urls).toEqual([
      "http://a.example/",
      "http://a.example/two",
      "http://b.example/three",
      "http://a.example/four",
    ]);
    expect(textOf(answer)).toBe("from GET a.example/four");
    expect(world.net.dialed).toEqual(["1.0.0.1:80", "1.0.0.1:80", "1.0.0.2:80", "1.0.0.1:80"]);
  });

  it.each([
    [
      "http://b.example/",
      "EGRESS_BLOCKED: the server redirects to `http://b.example/`, which this call was not judged",
    ],
    ["http://a.example:81/", "EGRESS_BLOCKED: the server redirects to `http://a.example:81/`, which this call was not"],
    ["https://a.example/", "EGRESS_BLOCKED: the server redirects to `https://a.example/`, which this call was not"],
    ["http://127.0.0.1/", "EGRESS_BLOCKED: the server redirects to `http://127.0.0.1/`, which this call was not"],
    ["http://2852039166/", "EGRESS_BLOCKED: the server redirects to `http://169.254.169.254/`, which this call was"],
    ["file:///etc/passwd", "EGRESS_BLOCKED: the server redirects to `file:///etc/passwd`: its scheme is `file`"],
    ["http://x:y@a.example/", "EGRESS_BLOCKED: the server redirects to `http://x:y@a.example/`: it holds a user name"],
    ["http://a.example\\@b.example/", "EGRESS_BLOCKED: the server redirects to"],
    ["http://", "EGRESS_BLOCKED: the server redirects to `http://`: it is no URL"],
  ])("to %s end there", async (location, end) => {
    await using world = await internet({ "a.example/": [302, location] });
    const answer = await fetched(world.net, "http://a.example/", {}, grant("a.example:80"));
    expect(endOf(answer)).toContain(end);
    expect(world.net.dialed).toEqual(["1.0.0.1:80"]);
  });

  it("to a granted name that leads inside are blocked at the address", async () => {
    await using world = await internet({ "a.example/": [302, "http://inside.example/"] });
    const answer = await fetched(world.net, "http://a.example/", {}, grant("*:80"));
    expect(endOf(answer)).toContain("`inside.example:80` leads to `10.0.0.1`");
    expect(world.net.dialed).toEqual(["1.0.0.1:80"]);
  });

  it("carry no header to another host that could be a key, and all of them to the same", async () => {
    await using world = await internet({
      "a.example/": [307, "/two"],
      "a.example/two": [307, "http://b.example/"],
      "b.example/": [307, "http://a.example/back"],
    });
    const headers = { authorization: "Bearer x", cookie: "a=b", "x-api-key": "k", accept: "text/plain" };
    const secretHeader = { name: "x-key", prefix: "", secret: new Secret("s3cret") };
    await fetched(world.net, "http://a.example/", { headers, secretHeader });
    const [first, second, third, fourth] = world.asked.map((one) => one.headers);
    expect(first).toMatchObject({ ...headers, "x-key": "s3cret" });
    expect(second).toMatchObject({ ...headers, "x-key": "s3cret" });
    for (const other of [third, fourth]) {
      expect(other).toMatchObject({ accept: "text/plain" });
      expect(Object.keys(other ?? {})).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/authorization|cookie|key/)]),
      );
    }
  });

  it.each<[status: number, method: string, second: string]>([
    [301, "POST", "GET a.example/two "],
    [302, "POST", "GET a.example/two "],
    [303, "POST", "GET a.example/two "],
    [303, "PUT", "GET a.example/two "],
    [307, "POST", "POST a.example/two body"],
    [308, "POST", "POST a.example/two body"],
    [301, "PUT", "PUT a.example/two body"],
  ])("%s of a %s", async (status, method, second) => {
    await using world = await internet({ "a.example/": [status, "/two"] });
    const headers = { "content-type": "text/plain" };
    await fetched(world.net, "http://a.example/", { method, headers, body: Buffer.from("body") });
    expect(world.asked.map(({ line, body }) => `${line} ${body}`)[1]).toBe(second);
    expect(world.asked[1]?.headers["content-type"]).toBe(second.endsWith("body") ? "text/plain" : undefined);
  });

  it("take no body to another host", async () => {
    await using world = await internet({ "a.example/": [307, "http://b.example/"] });
    const answer = await fetched(world.net, "http://a.example/", { method: "POST", body: Buffer.from("body") });
    expect(endOf(answer)).toContain("EGRESS_BLOCKED: the server redirects a POST to `http://b.example`");
    expect(world.asked).toHaveLength(1);
  });

  it("end after as many as are wanted", async () => {
    await using world = await internet({ "a.example/": [302, "/"] });
    expect(endOf(await fetched(world.net, "http://a.example/", { redirectsMax: 3 }))).toBe(
      "BAD_RESPONSE: the server redirects more than 3 times",
    );
    expect(world.asked).toHaveLength(4);
  });

  it("are answers where none is wanted", async () => {
    await using world = await internet({ "a.example/": [302, "http://b.example/"] });
    const answer = responseOf(await fetched(world.net, "http://a.example/", { redirectsMax: 0 }));
    expect(answer).toMatchObject({ status: 302, headers: { location: "http://b.example/" } });
  });
});

describe("a body", () => {
  /** Its best takes seconds, and packs a bomb no smaller. */
  const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
  const PACK = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: (data: string | Uint8Array) => brotliCompressSync(data, QUICKLY),
    zstd: zstdCompressSync,
  };

  it.each(Object.entries(PACK))("in %s is unpacked", async (encoding, pack) => {
    await using server = await httpServer((_, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(pack("some text")),
    );
    const answer = await fetched(testNet(), `http://127.0.0.1:${server.port}/`);
    expect(textOf(answer)).toBe("some text");
    expect(responseOf(answer).headers).not.toHaveProperty("content-encoding");
  });

  it.each(Object.entries(PACK))("that is a bomb in %s goes off within its limit", async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(64 * 1024 * 1024));
    await using server = await httpServer((_, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(bomb),
    );
    const answer = await fetched(testNet(), `http://127.0.0.1:${server.port}/`, { bytesMax: 100_000 });
    expect(responseOf(answer)).toMatchObject({ isCut: true, body: { length: 100_000 } });
  });

  it("that is packed twice stays packed", async () => {
    await using server = await httpServer((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip, gzip" }).end(gzipSync(gzipSync("x"))),
    );
    const { body, headers } = responseOf(await fetched(testNet(), `http://127.0.0.1:${server.port}/`));
    expect(headers["content-encoding"]).toBe("gzip, gzip");
    expect(Buffer.from(body)).toEqual(gzipSync(gzipSync("x")));
  });

  it("of empty parts without end is cut by what came over the wire", async () => {
    const nothing = gzipSync("");
    await using server = await httpServer((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      const more = () => {
        while (response.write(Buffer.concat(Array<Uint8Array>(1000).fill(nothing))));
      };
      response.on("drain", more);
      more();
    });
    expect(responseOf(await fetched(testNet(), `http://127.0.0.1:${server.port}/`, { bytesMax: 1000 }))).toMatchObject({
      isCut: true,
    });
  });

  it("without end is cut, and the connection with it", async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await httpServer((_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(65_536, "x")));
      };
      response.on("drain", more);
      response.on("close", () => closed.resolve());
      more();
    });
    const answer = await fetched(testNet(), `http://127.0.0.1:${server.port}/`, { bytesMax: 1_000_000 });
    expect(responseOf(answer)).toMatchObject({ isCut: true, body: { length: 1_000_000 } });
    await closed.promise;
  });

  it.each([
    [9, true],
    [10, false],
    [11, false],
  ])("of ten bytes with a limit of %s is cut: %s", async (bytesMax, isCut) => {
    await using server = await httpServer((_, response) => response.end("0123456789"));
    const answer = await fetched(testNet(), `http://127.0.0.1:${server.port}/`, { bytesMax });
    expect(responseOf(answer)).toMatchObject({ isCut, body: { length: Math.min(bytesMax, 10) } });
  });

  it("that is not what it says to be packed in is a fault", async () => {
    await using server = await httpServer((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip"),
    );
    expect(endOf(await fetched(testNet(), `http://127.0.0.1:${server.port}/`))).toContain("BAD_RESPONSE: the answer");
  });
});

describe("an answer", () => {
  it.each<[name: string, bytes: string, end: string]>([
    ["no HTTP at all", "hello\r\n\r\n", "BAD_RESPONSE: `http://127.0.0.1:PORT` answers with something"],
    ["nothing", "", "BAD_RESPONSE: `http://127.0.0.1:PORT` ended the connection"],
    ["half a head", "HTTP/1.1 200 OK\r\nx: ", "BAD_RESPONSE: `http://127.0.0.1:PORT` ended the connection"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", "BAD_RESPONSE"],
    [
      "length and chunks",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      "BAD_R",
    ],
    ["a bad length", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nab", "BAD_RESPONSE"],
    ["a folded header", "HTTP/1.1 200 OK\r\nx: 1\r\n y\r\n\r\n", "BAD_RESPONSE"],
    ["a bare line feed", "HTTP/1.1 200 OK\nx: 1\n\n", "BAD_RESPONSE"],
    ["a huge head", `HTTP/1.1 200 OK\r\n${`x: ${"y".repeat(1000)}\r\n`.repeat(100)}\r\n`, "BAD_RESPONSE"],
    ["interim ones without end", "HTTP/1.1 103 Early\r\n\r\n".repeat(100), "BAD_RESPONSE"],
    ["another protocol", "HTTP/1.1 101 Switch\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", "BAD_RESPONSE"],
    [
      "a bad chunk",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
      "BAD_RESPONSE: the answer broke off",
    ],
    ["too little", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", "BAD_RESPONSE: the answer broke off"],
    ["chunks that break off", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab", "BAD_RESPONSE: the ans"],
  ])("of %s is a fault", async (_, bytes, end) => {
    await using server = await answering(bytes);
    const answer = await fetched(testNet(), `http://127.0.0.1:${server.port}/`);
    expect(endOf(answer)).toContain(end.replace("PORT", String(server.port)));
  });

  it("that breaks off hands on what came", async () => {
    await using server = await answering("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc");
    const answer = await fetched(testNet(), `http://127.0.0.1:${server.port}/`);
    expect(answer.kind === "failed" && Buffer.from(answer.response?.body ?? []).toString()).toBe("abc");
  });

  it("with more behind it than it says is as long as it says", async () => {
    await using server = await answering(
      "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nxyz",
    );
    expect(textOf(await fetched(testNet(), `http://127.0.0.1:${server.port}/`))).toBe("abc");
  });

  it("that never comes ends with the time", async () => {
    const clock = handClock();
    const heard = Promise.withResolvers<void>();
    await using server = await rawServer((socket) => socket.on("data", () => heard.resolve()));
    const fetching = fetched(testNet({ clock }), `http://127.0.0.1:${server.port}/`, { timeoutMs: 500 });
    await heard.promise;
    clock.move(500);
    expect(endOf(await fetching)).toBe("TIMEOUT: the answer did not come in time");
    expect(clock.waiting()).toBe(0);
  });

  it("that drips ends with the time, and hands on what came", async () => {
    const clock = handClock();
    const heard = Promise.withResolvers<void>();
    await using server = await answering("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab", () => {});
    const dial: Dial = async (address, port, signal) => {
      const socket = await systemDial(address, port, signal);
      socket.on("data", () => setImmediate(heard.resolve));
      return socket;
    };
    const fetching = fetched(testNet({ clock, dial }), `http://127.0.0.1:${server.port}/`, { timeoutMs: 500 });
    await heard.promise;
    clock.move(500);
    const answer = await fetching;
    expect(endOf(answer)).toBe("TIMEOUT: the answer did not come in time");
    expect(answer.kind === "failed" && Buffer.from(answer.response?.body ?? []).toString()).toBe("ab");
  });

  it("that is given up was stopped", async () => {
    const stop = new AbortController();
    await using server = await rawServer((socket) => socket.on("data", () => stop.abort()));
    const answer = await fetched(testNet(), `http://127.0.0.1:${server.port}/`, {}, EVERYTHING, stop.signal);
    expect(endOf(answer)).toBe("stopped");
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"])(
    "that never comes to a %s leaves open whether it happened",
    async (method) => {
      await using server = await rawServer((socket) => socket.on("data", () => socket.destroy()));
      expect(endOf(await fetched(testNet(), `http://127.0.0.1:${server.port}/`, { method }))).toBe("lost");
      const stop = new AbortController();
      await using silent = await rawServer((socket) => socket.on("data", () => stop.abort()));
      const given = fetched(testNet(), `http://127.0.0.1:${silent.port}/`, { method }, EVERYTHING, stop.signal);
      expect(endOf(await given)).toBe("lost");
    },
  );

  it("to a POST that could not be sent is a failure and nothing worse", async () => {
    const net = testNet({ names: NAMES });
    expect(endOf(await fetched(net, "http://a.example/", { method: "POST" }))).toContain("CONNECT_FAILED");
  });
});

it("random bytes for an answer are never a crash", async () => {
  for (let i = 0; i < 30; i++) {
    await using server = await answering(Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n"), randomBytes(200)]));
    const answer = await fetched(testNet(), `http://127.0.0.1:${server.port}/`);
    expect(["failed", "answered"]).toContain(answer.kind);
  }
});
