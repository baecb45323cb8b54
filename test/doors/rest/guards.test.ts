import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import { ROUTES } from "../../../src/doors/rest/routes.ts";
import { ADMIN, openTestServer, rawRequest, type TestServer } from "../../support/test-server.ts";

const path = (route: { readonly path: string }) =>
  route.path.replace("{project}", "default").replaceAll(/\{\w+\}/g, "some_0");
const TOKEN = { Authorization: `Bearer ${ADMIN}` };
const all = ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);
const closed = all.filter(([, { access }]) => access !== "public");

let shared: TestServer;
beforeAll(async () => {
  shared = await openTestServer();
});
afterAll(() => shared[Symbol.asyncDispose]());

describe.each(all)("%s refuses", (_, route) => {
  const send = async (headers: Record<string, string>) =>
    await rawRequest(shared.url, {
      method: route.method,
      path: path(route),
      headers: { ...(route.access === "public" ? {} : TOKEN), ...headers },
      ...(route.body && { body: "{}" }),
    });

  it.each([
    ["another host", { Host: "evil.example" }, "HOST_FORBIDDEN"],
    ["another port of this host", { Host: "127.0.0.1:1" }, "HOST_FORBIDDEN"],
    ["a rebound name", { Host: "rebind.evil.example:7420" }, "HOST_FORBIDDEN"],
    ["another site's origin", { Origin: "https://evil.example" }, "ORIGIN_FORBIDDEN"],
    ["no site's origin", { Origin: "null" }, "ORIGIN_FORBIDDEN"],
    ["another site's request", { "Sec-Fetch-Site": "cross-site" }, "ORIGIN_FORBIDDEN"],
  ])("%s", async (_name, headers, code) => {
    const { status, body, headers: given } = await send(headers);
    expect([status, body.code]).toEqual([403, code]);
    expect(given.get("access-control-allow-origin")).toBeNull();
  });

  it("a body that says it is too long", async () => {
    const length = (route.bytes?.max ?? route.bodyBytesMax ?? LIMITS.smallRequestBytes.default) + 1;
    const { status, body } = await send({ "Content-Type": "application/json", "Content-Length": String(length) });
    expect([status, body.code]).toEqual([413, "BODY_TOO_LARGE"]);
  });
});

describe.each(closed)("%s refuses", (_, route) => {
  let own: TestServer;
  beforeAll(async () => {
    own = await openTestServer();
  });
  afterAll(() => own[Symbol.asyncDispose]());

  it.each([
    ["no token", {}],
    ["a wrong token", { Authorization: "Bearer nobody" }],
    ["no bearer", { Authorization: `Basic ${ADMIN}` }],
    ["a cookie that is none", { Cookie: "toolgate=x" }],
  ])("%s", async (_name, headers) => {
    const {
      status,
      body,
      headers: given,
    } = await rawRequest(own.url, { method: route.method, path: path(route), headers });
    expect([status, body.code]).toEqual([401, "AUTH_REQUIRED"]);
    expect(given.get("www-authenticate")).toContain("Bearer");
  });
});

it("refuses bodies of very many values, each of which holds up everybody else, and no long ones", async () => {
  await using server = await openTestServer();
  const execute = (params: object) => server.execute("no_such_tool", params);
  // Beside these: the body, its two members, and what holds them.
  const values = (count: number) => execute({ list: Array.from({ length: count - 4 }, () => 1) });
  expect((await values(50_000)).status).toBe(404);
  expect(await values(50_001)).toMatchObject({ status: 400, body: { code: "JSON_INVALID" } });
  expect((await execute({ content: "x".repeat(1_000_000) })).status).toBe(404);
});

describe.each(all.filter(([, { body }]) => body))("%s refuses", (_, route) => {
  const send = (body: string, headers = {}) =>
    rawRequest(shared.url, { method: route.method, path: path(route), headers: { ...TOKEN, ...headers }, body });

  it.each(["application/xml", "multipart/form-data; boundary=x", "application/octet-stream"])("%s", async (type) => {
    const { status, body } = await send("{}", { "Content-Type": type });
    expect([status, body.code]).toEqual([415, "MEDIA_TYPE_UNSUPPORTED"]);
  });

  it("compressed bodies, which may be bombs", async () => {
    expect((await send("{}", { "Content-Encoding": "gzip" })).status).toBe(415);
  });

  it("what is no JSON", async () => {
    for (const bad of ["{", '{"a":1,"a":2}', '{"__proto__":{}}', "[".repeat(1000), '{"a":1e400}']) {
      expect(await send(bad)).toMatchObject({ status: 400, body: { code: "JSON_INVALID" } });
    }
  });
});

describe("guards", () => {
  it("count bytes that come without a length", async () => {
    const body = JSON.stringify({ reason: "x".repeat(LIMITS.smallRequestBytes.default) });
    const answer = await rawRequest(shared.url, {
      method: "POST",
      path: "/my/projects/default/approvals/approval_0/reject",
      headers: { ...TOKEN, "Transfer-Encoding": "chunked" },
      body,
    });
    expect(answer).toMatchObject({ status: 413, body: { code: "BODY_TOO_LARGE" } });
  });

  it("let the own names pass", async () => {
    await using server = await openTestServer();
    const { port } = new URL(server.url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) {
      const { status } = await rawRequest(server.url, { path: "/healthz", headers: { Host: host } });
      expect([host, status]).toEqual([host, 200]);
    }
    const origin = { ...TOKEN, Origin: server.url, "Sec-Fetch-Site": "same-origin" };
    expect((await rawRequest(server.url, { path: "/openapi.json", headers: origin })).status).toBe(200);
  });

  it("let names of the configuration pass, and no others", async () => {
    await using server = await openTestServer({ config: { server: { hosts: ["gate.example"] } } });
    const ask = (Host: string, Origin: string) =>
      rawRequest(server.url, { path: "/healthz", headers: { Host, Origin } });
    expect((await ask("gate.example", "https://gate.example")).status).toBe(200);
    expect((await ask("gate.example:81", "https://gate.example")).status).toBe(403);
    expect((await ask("gate.example", "https://gate.example.evil.example")).status).toBe(403);
  });

  it("take a whole address, as proxies are sent, for theirs only if it is", async () => {
    await using server = await openTestServer();
    const ask = (origin: string) => rawRequest(server.url, { path: `${origin}/healthz` });
    expect((await ask(server.url)).status).toBe(200);
    for (const origin of [
      "http://evil.example",
      server.url.replace("http", "https"),
      "http://127.0.0.1.evil.example",
    ]) {
      expect(await ask(origin), origin).toMatchObject({ status: 403, body: { code: "HOST_FORBIDDEN" } });
    }
  });

  it("have other methods refused, and say which there are", async () => {
    await using server = await openTestServer();
    const answer = await rawRequest(server.url, {
      method: "DELETE",
      path: "/my/projects/default/approvals",
      headers: TOKEN,
    });
    expect(answer).toMatchObject({ status: 405, body: { code: "METHOD_NOT_ALLOWED" } });
    expect(answer.headers.get("allow")).toBe("GET");
    expect(
      (
        await rawRequest(server.url, {
          method: "OPTIONS",
          path: "/healthz",
          headers: { Origin: "https://evil.example" },
        })
      ).status,
    ).toBe(403);
  });

  it("tell nobody without a token which routes there are", async () => {
    await using server = await openTestServer();
    expect((await rawRequest(server.url, { path: "/nope" })).status).toBe(401);
    expect(await rawRequest(server.url, { path: "/nope", headers: TOKEN })).toMatchObject({
      status: 404,
      body: { code: "ROUTE_UNKNOWN" },
    });
  });

  it("know one project", async () => {
    await using server = await openTestServer();
    expect(await server.get("/my/projects/other/approvals")).toMatchObject({
      status: 404,
      body: { code: "PROJECT_UNKNOWN" },
    });
  });

  it("slow down who tries tokens, let the right one pass all the same, and log no token", async () => {
    await using server = await openTestServer();
    const max = LIMITS.wrongTokens.default;
    const wrong = await Promise.all(Array.from({ length: 3 * max }, (_, i) => server.get("approvals", `guess-${i}`)));
    expect(wrong.map(({ status }) => status)).toContain(429);
    expect((await server.get("approvals")).status).toBe(200);
    const told = JSON.stringify(server.scratch.entries());
    expect(told).toContain("wrong token");
    expect(told + server.logged.join()).not.toContain("guess");
  });

  it("frame nothing and keep nothing", async () => {
    await using server = await openTestServer();
    const { headers } = await server.get("approvals");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
});
