import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Secret } from "../../../../src/domain/secret.ts";
import { openWeb } from "../../../../src/net/guarded-fetch.ts";
import { knownSecretIn } from "../../../../src/redact/known-secret-in.ts";
import { webRequestTool } from "../../../../src/tools/builtin/web/web-request.ts";
import { httpServer, rawServer, type TestNet, testNet } from "../../../net/test-net.ts";
import { codeOf, contentOf, messageOf, textOf, useTool } from "../use-tool.ts";

const SECRETS = [{ name: "API_KEY", value: new Secret("k3y-of-the-gate-0815") }];
const tool = (net: TestNet = testNet()) => webRequestTool({ web: openWeb(net), secretIn: knownSecretIn(SECRETS) });
const use = (input: object, net?: TestNet, signal?: AbortSignal) =>
  useTool(tool(net), input, signal === undefined ? {} : { signal });

describe("the plan", () => {
  it.each([
    ["http://example.com/x", [{ kind: "connect", host: "example.com", port: 80, scheme: "http" }]],
    ["https://EXAMPLE.com.:8443", [{ kind: "connect", host: "example.com", port: 8443, scheme: "https" }]],
    ["http://0x7f.1/", [{ kind: "connect", host: "127.0.0.1", port: 80, scheme: "http" }]],
    ["http://[::ffff:169.254.169.254]/", [{ kind: "connect", host: "169.254.169.254", port: 80, scheme: "http" }]],
  ])("of %s touches what it connects to", async (url, touches) =>
    expect((await use({ url })).plan?.touches).toEqual(touches),
  );

  it("touches where redirects may lead, each once", async () => {
    const redirectsTo = ["https://example.com", "http://example.com", "https://example.com/"];
    expect((await use({ url: "http://example.com/x", redirectsTo })).plan?.touches).toEqual([
      { kind: "connect", host: "example.com", port: 80, scheme: "http" },
      { kind: "connect", host: "example.com", port: 443, scheme: "https" },
    ]);
  });

  it("looks nothing up: names are told to nobody before they are judged", async () => {
    const net = testNet();
    const draft = await tool(net).plan({ input: { url: "http://secret.example/" } } as never, AbortSignal.abort());
    expect(draft.kind).toBe("drafted");
    expect(net.resolved).toEqual([]);
  });

  it.each([
    [{ url: "file:///etc/passwd" }, "`file:///etc/passwd` can't be asked for: its scheme is `file`"],
    [{ url: "http://u:p@example.com/" }, "it holds a user name or password"],
    [{ url: "example.com" }, "it is no URL"],
    [{ url: "http://example.com/", redirectsTo: ["gopher://x"] }, "its scheme is `gopher`"],
  ])("of %j is refused", async (input, message) => {
    const used = await use(input);
    expect(codeOf(used)).toBe("EGRESS_BLOCKED");
    expect(messageOf(used)).toContain(message);
  });

  it.each([
    { url: "http://example.com/?k=k3y-of-the-gate-0815" },
    { url: "http://example.com/", headers: { "x-key": "k3y-of-the-gate-0815" } },
    { url: "http://example.com/", method: "POST", body: "a k3y-of-the-gate-0815 b" },
    { url: "http://example.com/", method: "POST", body: Buffer.from("k3y-of-the-gate-0815").toString("base64") },
  ])("of %j is refused for the secret in it", async (input) => {
    const used = await use(input);
    expect(codeOf(used)).toBe("EGRESS_BLOCKED");
    expect(messageOf(used)).toBe("the request holds the value of the secret `API_KEY`, which no tool may send");
  });
});

describe("arguments", () => {
  const ERRORS: [object, string][] = [
    [{ headers: { Host: "x" } }, "the header `Host` is set by the gate"],
    [{ headers: { "Content-Length": "1" } }, "the header `Content-Length` is set by the gate"],
    [{ headers: { "transfer-encoding": "chunked" } }, "the header `transfer-encoding` is set by the gate"],
    [{ headers: { "Proxy-Authorization": "x" } }, "the header `Proxy-Authorization` is set by the gate"],
    [{ headers: { "a b": "x" } }, "the header `a b` has a name that no header can have"],
    [{ headers: { "": "x" } }, "the header `` has a name that no header can have"],
    [{ headers: { "a\r\nb": "x" } }, "the header `a\\u{d}\\u{a}b` has a name that no header can have"],
    [{ headers: { a: "x\r\nhost: y" } }, "the header `a` has a value with characters that no header can hold"],
    [{ headers: { a: "x\0" } }, "the header `a` has a value with characters that no header can hold"],
    [{ headers: { a: "ü" } }, "the header `a` has a value with characters that no header can hold"],
    [{ headers: { a: " x" } }, "the header `a` has a value with characters that no header can hold"],
    [{ headers: { a: "1", A: "2" } }, "the header `A` is given twice"],
    [{ body: "x" }, "a GET has no `body`"],
    [{ method: "HEAD", body: "" }, "a HEAD has no `body`"],
    [{ method: "POST", body: "\ud800" }, "`body` is not well-formed Unicode"],
    [{ method: "POST", body: "ü".repeat(6 * 1024 * 1024) }, "`body` has more than 10485760 bytes"],
  ];
  it.each(ERRORS)("%# are refused", async (more, message) => {
    const used = await use({ url: "http://example.com/", ...more });
    expect([codeOf(used), messageOf(used)]).toEqual(["INVALID_ARGUMENTS", message]);
  });
  it.each([
    { method: "TRACE" },
    { method: "CONNECT" },
    { method: "get" },
    { timeoutMs: 1 },
    { redirects: 11 },
    { x: 1 },
  ])("%j are refused by the schema", async (more) =>
    expect(codeOf(await use({ url: "http://example.com/", ...more }))).toBe("INVALID_ARGUMENTS"),
  );
});

describe("the result", () => {
  const serve = async (headers: Record<string, string>, body: string | Uint8Array, more: object = {}) => {
    await using server = await httpServer((_, response) => response.writeHead(200, headers).end(body));
    return await use({ url: `http://127.0.0.1:${server.port}/`, ...more });
  };

  it.each<[type: string, body: Uint8Array, text: string]>([
    ["text/plain", Buffer.from("grüße"), "grüße"],
    ["text/plain; charset=iso-8859-1", Buffer.from("grüße", "latin1"), "grüße"],
    ['text/html; charset="windows-1252"', Buffer.from([0x80]), "€"],
    ["text/html", Buffer.from("<meta charset=iso-8859-15>\xa4", "latin1"), "<meta charset=iso-8859-15>€"],
    ["text/plain", Buffer.from("\ufeffx", "utf16le"), "x"],
    ["text/plain; charset=shift_jis", Buffer.from([0x83, 0x65]), "テ"],
    ["text/plain; charset=no-such", Buffer.from("ü"), "ü"],
    ["application/json", Buffer.from('{"a":1}'), '{"a":1}'],
    ["application/problem+json", Buffer.from("{}"), "{}"],
    ["application/atom+xml", Buffer.from("<a/>"), "<a/>"],
    ["image/svg+xml", Buffer.from("<svg/>"), "<svg/>"],
    ["", Buffer.from("plain"), "plain"],
    ["application/octet-stream", Buffer.from("plain"), "plain"],
    ["text/plain", Buffer.from([0x61, 0xff]), "a\ufffd"],
  ])("of %s is text", async (type, body, text) =>
    expect(textOf(await serve(type === "" ? {} : { "content-type": type }, body))).toBe(text),
  );

  it("of pictures is a picture, of the rest bytes", async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]);
    expect(contentOf(await serve({ "content-type": "image/png" }, png))).toEqual([
      { type: "image", mediaType: "image/png", data: png.toString("base64") },
    ]);
    expect(contentOf(await serve({ "content-type": "application/pdf" }, png))).toMatchObject([
      { type: "resource", mediaType: "application/pdf", blob: png.toString("base64") },
    ]);
    expect(contentOf(await serve({ "content-type": "image/png" }, png, { limitBytes: 3 }))).toMatchObject([
      { type: "resource", mediaType: "image/png", blob: png.subarray(0, 3).toString("base64") },
    ]);
    expect(contentOf(await serve({}, Buffer.from([0xff, 0xfe + 1, 0])))).toMatchObject([{ type: "resource" }]);
    const packed = gzipSync(gzipSync("x"));
    const twice = { "content-type": "text/plain", "content-encoding": "gzip, gzip" };
    expect(contentOf(await serve(twice, packed))).toMatchObject([{ type: "resource", mediaType: "text/plain" }]);
    expect(contentOf(await serve({}, ""))).toEqual([]);
  });

  it("tells status, headers and the way, and whether it was cut", async () => {
    const { result } = await serve({ "content-type": "text/plain", "x-a": "1" }, "aü", { limitBytes: 2 });
    expect(result).toMatchObject({
      kind: "completed",
      content: [{ type: "text", text: "a" }],
      structured: { status: 200, bytes: 2, truncated: true, headers: { "x-a": "1" } },
    });
  });

  it("of a redirect that is not covered says what to do", async () => {
    await using server = await httpServer((_, response) =>
      response.writeHead(302, { location: "https://other.example/x" }).end(),
    );
    const { result } = await use({ url: `http://127.0.0.1:${server.port}/` });
    expect(result).toMatchObject({
      kind: "failed",
      error: {
        code: "EGRESS_BLOCKED",
        message: "the server redirects to `https://other.example/x`, which this call was not judged for",
        detail: "make a call of its own to that URL, or name its host in `redirectsTo`",
      },
    });
  });

  it("of a redirect that is covered is its answer", async () => {
    await using second = await httpServer((_, response) => response.end("there"));
    await using first = await httpServer((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${second.port}/x` }).end(),
    );
    const used = await use({
      url: `http://127.0.0.1:${first.port}/`,
      redirectsTo: [`http://127.0.0.1:${second.port}`],
    });
    expect(textOf(used)).toBe("there");
  });

  it("of a POST says what was sent, with a type if none is given", async () => {
    await using server = await httpServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Uint8Array>)).toString();
      response.end(`${request.method} ${request.headers["content-type"]} ${body}`);
    });
    const url = `http://127.0.0.1:${server.port}/`;
    expect(textOf(await use({ url, method: "POST", body: "ü" }))).toBe("POST text/plain; charset=utf-8 ü");
    const headers = { "Content-Type": "application/json" };
    expect(textOf(await use({ url, method: "PUT", body: "{}", headers }))).toBe("PUT application/json {}");
  });

  it("is lost, failed or stopped where no answer comes", async () => {
    await using dead = await rawServer((socket) => socket.on("data", () => socket.destroy()));
    const url = `http://127.0.0.1:${dead.port}/`;
    expect(codeOf(await use({ url }))).toBe("BAD_RESPONSE");
    expect(codeOf(await use({ url, method: "POST" }))).toBe("lost");
    const stop = new AbortController();
    await using silent = await rawServer((socket) => socket.on("data", () => stop.abort()));
    expect(codeOf(await use({ url: `http://127.0.0.1:${silent.port}/` }, testNet(), stop.signal))).toBe("stopped");
  });

  it("of a name that leads inside is blocked, though the name was judged", async () => {
    const net = testNet({ names: { "a.example": ["10.0.0.1"] } });
    expect(codeOf(await use({ url: "http://a.example/" }, net))).toBe("EGRESS_BLOCKED");
    expect(net.dialed).toEqual([]);
  });
});
