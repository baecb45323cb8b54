import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { readBody } from "../../src/net/read-body.ts";

afterEach(() => vi.restoreAllMocks());

/** The answer of a server that sends this body in chunks of one byte. */
async function dripped(body: string): Promise<IncomingMessage> {
  const chunks = [...body].map((letter) => `1\r\n${letter}\r\n`).join("");
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const [response] = await once(get({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" }), "response");
  server.close();
  return response as IncomingMessage;
}

const BODY = "0123456789".repeat(2000);

it("keeps a body that comes in pieces of one byte as a few objects", async () => {
  const joined = vi.spyOn(Buffer, "concat");
  const { bytes, end } = await readBody(await dripped(BODY), BODY.length);
  expect(end).toBe("whole");
  expect(Buffer.from(bytes).toString()).toBe(BODY);
  expect(Math.max(...joined.mock.calls.map(([pieces]) => pieces.length))).toBeLessThan(1000);
});

it("cuts it where it is too long, to the byte", async () => {
  const { bytes, end } = await readBody(await dripped(BODY), BODY.length - 1);
  expect(end).toBe("cut");
  expect(Buffer.from(bytes).toString()).toBe(BODY.slice(0, -1));
});
