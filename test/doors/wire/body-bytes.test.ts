import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { bodyBytes } from "../../../src/doors/wire/body-bytes.ts";

const MAX = 10;
/** What whoever sends it has left of their share. */
const ROOM = 12;

/** What becomes of a request that is sent as it stands, and then hung up or not. */
async function bytesOf(request: string, then: "wait" | "hang up" = "wait", max = MAX): Promise<string> {
  const read = Promise.withResolvers<Uint8Array | "too long" | "no room">();
  let left = ROOM;
  const take = (bytes: number) => {
    left -= bytes;
    return left >= 0;
  };
  await using server = createServer((incoming) =>
    bodyBytes({ env: { incoming }, get: () => ({ take }) }, max).then(read.resolve, read.reject),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {}); // it may be cut off first
  socket.write(request);
  if (then === "hang up") {
    await once(server, "request");
    socket.destroy();
  }
  try {
    const bytes = await read.promise;
    return typeof bytes === "string" ? bytes : Buffer.from(bytes).toString();
  } finally {
    socket.destroy();
    server.closeAllConnections();
  }
}

const head = (lines: string): string => `POST / HTTP/1.1\r\nHost: here\r\n${lines}\r\n\r\n`;

it.each([
  ["nothing", head("Content-Length: 0"), ""],
  ["as many bytes as it may have", `${head("Content-Length: 10")}0123456789`, "0123456789"],
  ["several pieces", `${head("Transfer-Encoding: chunked")}4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n`, "0123456789"],
])("reads %s", async (_, request, bytes) => {
  expect(await bytesOf(request)).toBe(bytes);
});

it.each([
  ["says that it is longer", head("Content-Length: 11")],
  ["turns out to be longer", `${head("Transfer-Encoding: chunked")}b\r\n01234567890\r\n`],
])("does not wait for the end of a body that %s", async (_, request) => {
  expect(await bytesOf(request)).toBe("too long");
});

it("does not take a part for the whole", async () => {
  await expect(bytesOf(`${head("Content-Length: 10")}01234`, "hang up")).rejects.toThrow();
});

it.each([
  ["fits", 12, "0".repeat(12)],
  ["does not", 13, "no room"],
])("takes what %s in with all else that its sender has under way", async (_, length, found) => {
  expect(await bytesOf(`${head(`Content-Length: ${length}`)}${"0".repeat(length)}`, "wait", 100)).toBe(found);
});
