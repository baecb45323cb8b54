import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { openServer } from "../../../src/doors/serve/open-server.ts";
import type { Door } from "../../../src/doors/wire/server-env.ts";
import { openVictim } from "../../pipeline/history.ts";
import { ADMIN } from "../../support/admin-token.ts";
import { needs } from "../../support/parts.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";
import { startProgram } from "../../support/started-program.ts";

const CLIENTS = 200;

/** Asks for events and listens; gives back the first that is said, or "" where the connection is closed instead. */
async function listen(url: string, sockets: Socket[]): Promise<string> {
  const { host, hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  const ended = Promise.withResolvers<string>();
  socket.on("error", () => ended.resolve(""));
  socket.on("close", () => ended.resolve(""));
  socket.on("data", (bytes) => ended.resolve(bytes.toString("latin1")));
  socket.write(`GET /events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${ADMIN}\r\n\r\n`);
  return ended.promise;
}

const call = (url: string): Promise<Response> =>
  fetch(`${url}/my/projects/default/tools/execute`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN}`, "content-type": "application/json", connection: "close" },
    body: JSON.stringify({ tool_name: "count", tool_params: { n: 1 } }),
  });

needs("prlimit")("a server that has no more descriptors (F06)", () => {
  it("turns callers away or leaves them waiting, and goes on when there are again", async () => {
    using victim = openVictim("allowed");
    await using program = startProgram("serves-and-dies.ts", [victim.folder, "never", "0"], ["prlimit", "--nofile=96"]);
    const url = await program.line();
    const sockets: Socket[] = [];
    const heard = Array.from({ length: CLIENTS }, () => listen(url, sockets));
    // Some are heard, and there is a moment when nobody else can be.
    await Promise.any(heard.map(async (text) => expect(await text).not.toBe("")));
    await Promise.any(heard.map(async (text) => expect(await text).toBe("")));
    for (const socket of sockets) socket.destroy();
    for (const text of await Promise.all(heard)) expect(text).toMatch(/^$|^HTTP\/1\.1 (?:200|429|503) /);
    await expect.poll(async () => (await call(url).catch(() => null))?.status ?? 0).toBe(200);
  });
});

it.each([
  ["EMFILE", 503, "BUSY"],
  ["ENFILE", 503, "BUSY"],
  ["EACCES", 500, "SERVER_FAULT"],
])("what ends in %s is answered with %i %s", async (code, status, said) => {
  await using scratch = openScratchGate();
  const door: Door = {
    name: "full",
    publicPaths: ["/full"],
    mount: (app) =>
      void app.get("/full", () => {
        throw new Error("outer", { cause: Object.assign(new Error("inner"), { code }) });
      }),
  };
  const server = await openServer({ gate: scratch.gate, adminToken: ADMIN, doors: [door], log: () => {}, port: 0 });
  const answer = await fetch(`${server.url}/full`);
  expect([answer.status, await answer.json()]).toMatchObject([status, { code: said }]);
  await server.close();
});
