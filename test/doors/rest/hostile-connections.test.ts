import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN, openTestServer, rawRequest, type TestServer } from "../../support/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

function socketTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port) }).on("error", () => {});
}

const head = (lines: readonly string[]) => {
  const { host } = new URL(server.url);
  return [
    `POST /my/projects/default/tools/execute HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${ADMIN}`,
    ...lines,
    "",
    "",
  ].join("\r\n");
};

/** What the server says before it hangs up. */
async function said(bytes: string): Promise<string> {
  const socket = socketTo(server.url);
  socket.write(bytes);
  return await text(socket).catch(() => "");
}

describe("connections that mean harm", () => {
  it("have their headers cut off", async () => {
    expect(await said(head([`X-Bomb: ${"x".repeat(20_000)}`]))).toMatch(/^HTTP\/1.1 431/);
    expect(await said(head(Array.from({ length: 2000 }, (_, n) => `X-${n}: ${"x".repeat(20)}`)))).toMatch(
      /^HTTP\/1.1 431/,
    );
  });

  it.each([
    ["two lengths", ["Content-Length: 2", "Content-Length: 3"]],
    ["a length and chunks", ["Content-Length: 2", "Transfer-Encoding: chunked"]],
    ["an unknown encoding", ["Transfer-Encoding: gzip, nothing"]],
    ["two hosts", ["Host: evil.example"]],
  ])("are refused for %s", async (_, lines) => {
    expect(await said(`${head(lines)}{}`)).toMatch(/^HTTP\/1.1 (400|403|501)/);
  });

  it.each(["a b", "127.0.0.1:99999999", "[::1", "x".repeat(300), ""])(
    "hear why of a host that is none: `%s`",
    async (host) => {
      const answer = await said(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 40[03]/);
      expect(answer.toLowerCase()).toContain("content-type: application/problem+json");
      expect(answer.toLowerCase()).toContain("x-content-type-options: nosniff");
    },
  );

  it("don't hold up others while they send nothing", async () => {
    const slow = Array.from({ length: 50 }, () => socketTo(server.url));
    await Promise.all(slow.map((socket) => once(socket, "connect")));
    for (const socket of slow) socket.write("POST /my/projects/default/tools/execute HTTP/1.1\r\nHost:");
    expect((await server.get("approvals")).status).toBe(200);
    for (const socket of slow) socket.destroy();
  });

  it.each([
    ["deep nesting", `{"tool_name":"t","tool_params":${"[".repeat(100_000)}`],
    ["many values", `{"tool_name":"t","tool_params":[${"0,".repeat(300_000)}0]}`],
    ["many names", `{"tool_name":"t","tool_params":{${Array.from({ length: 260_000 }, (_, n) => `"${n}":0`).join()}}}`],
  ])("are refused for %s", async (_, body) => {
    const answer = await rawRequest(server.url, {
      method: "POST",
      path: "/my/projects/default/tools/execute",
      headers: { Authorization: `Bearer ${ADMIN}`, "Content-Type": "application/json" },
      body,
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "JSON_INVALID" } });
  });
});
