import type { Transport } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { SessionIds } from "../../../src/doors/mcp/session-ids.ts";

const transport = (): Transport => ({ start: async () => {}, send: async () => {}, close: async () => {} });
const call = (id: string | number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "a" } });

it("lets an id in once, until it is answered", async () => {
  const over = transport();
  const ids = new SessionIds(over);
  expect(ids.take(call(1))).toEqual([1]);
  const refused = ids.take(call(1));
  expect(refused).toMatchObject({ status: 400 });
  expect(await (refused as Response).json()).toMatchObject({ id: 1, error: { code: -32_600 } });
  expect(ids.take([call(2), call("1")])).toEqual([2, "1"]);
  await over.send({ jsonrpc: "2.0", id: 1, method: "roots/list" });
  expect(ids.take(call(1))).toBeInstanceOf(Response);
  await over.send({ jsonrpc: "2.0", id: 1, result: {} });
  expect(ids.take(call(1))).toEqual([1]);
});

it("lets in nothing of a body that brings one twice", () => {
  const ids = new SessionIds(transport());
  expect(ids.take([call(1), call(2), call(2)])).toBeInstanceOf(Response);
  expect(ids.take([call(1), call(2)])).toEqual([1, 2]);
});

it("forgets what was taken back, and what came to nothing", () => {
  const ids = new SessionIds(transport());
  ids.take([call(1), call(2)]);
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  ids.take(cancel);
  expect(ids.take(call(1))).toBeInstanceOf(Response);
  ids.taken({ ...cancel, id: 3 });
  ids.taken({ ...cancel, params: null });
  expect(ids.take(call(1))).toBeInstanceOf(Response);
  ids.taken(cancel);
  ids.release([2]);
  expect(ids.take([call(1), call(2)])).toEqual([1, 2]);
});

it.each([undefined, null, 1, "a", [], [null, 1], [[call(1)]], { id: 1, result: {} }, { method: "x" }])(
  "has nothing to say to %j",
  (body) => {
    expect(new SessionIds(transport()).take(body)).toEqual([]);
  },
);
