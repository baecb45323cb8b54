import { expect, it } from "vitest";
import { EVERYTHING } from "../../../src/domain/lease.ts";
import type { HttpCaller } from "../../../src/doors/mcp/http-handler.ts";
import { McpHttpServer } from "../../support/mcp-http.ts";
import { ENVELOPE, openLines } from "../../support/mcp-lines.ts";
import { needs } from "../../support/parts.ts";
import { openUpstreamGate } from "../../support/upstream-gate.ts";

/** No upstream has the first; the second is of a template, and the upstream says that it has none. */
const MISSING = ["file:///etc/passwd", "note://of/never"];
const open = () => openUpstreamGate({ upstream: { env: { OFFERS: "yes" } } });
const read = (uri: string, more: object = {}) => ({
  jsonrpc: "2.0",
  id: uri,
  method: "resources/read",
  params: { uri, ...more },
});
const hello = (protocolVersion: string) => ({
  ...{ jsonrpc: "2.0", id: 0, method: "initialize" },
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "a", version: "1" } },
});
const caller: HttpCaller = {
  actor: "a",
  roles: [],
  session: { id: "s", project: "default", lease: EVERYTHING },
  ask: "desk",
};

needs("bwrap", "node")("a resource that is not there", () => {
  it.each(["2025-11-25", "2025-06-18", "2024-11-05"])("is -32002 until %s", async (version) => {
    await using scratch = open();
    await scratch.gate.upstreams.ready();
    await using lines = openLines(scratch);
    await lines.ask(hello(version));
    for (const uri of MISSING)
      expect(await lines.ask(read(uri))).toMatchObject({ id: uri, error: { code: -32_002, data: { uri } } });
  });

  it("is an invalid parameter in 2026-07-28", async () => {
    await using scratch = open();
    await scratch.gate.upstreams.ready();
    await using lines = openLines(scratch);
    for (const uri of MISSING)
      expect(await lines.ask(read(uri, { _meta: ENVELOPE }))).toMatchObject({
        error: { code: -32_602, data: { uri } },
      });
  });

  it("is -32002 over HTTP, too", async () => {
    await using scratch = open();
    const server = new McpHttpServer(scratch.gate, caller);
    try {
      const url = await server.listen();
      const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
      const post = (body: object, more: object = {}) =>
        fetch(url, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });
      const greeted = await post(hello("2025-06-18"));
      const session = { "Mcp-Session-Id": greeted.headers.get("mcp-session-id") ?? "" };
      for (const uri of MISSING) expect(await (await post(read(uri), session)).text()).toContain('"code":-32002');
    } finally {
      await server.close();
    }
  });
});
