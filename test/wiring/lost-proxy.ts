import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import type { ApprovedCall } from "../../src/domain/call.ts";
import { NO_GRANT } from "../../src/domain/plan.ts";
import { openEgressProxies } from "../../src/net/egress-proxy.ts";
import { systemDial, systemResolve } from "../../src/net/system-net.ts";
import { COMMAND_LIMITS, runProgram } from "../../src/tools/sandboxed/run-program.ts";
import { programNetwork } from "../../src/wiring/program-network.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { openScratch } from "../files/scratch.ts";
import { NEVER } from "../support/sample-calls.ts";
import { runningPorts } from "../tools/sandboxed/running-ports.ts";

/** So many calls, each of which loses its proxy between two requests: the first one got out, the second does not. */
export async function loseTheProxy(times: number): Promise<void> {
  let [requests, lose] = [0, async (): Promise<void> => {}];
  const server = createServer((request, response) => {
    requests++;
    if (request.url === "/last") void lose().then(() => response.end());
    else response.end("reached\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  using scratch = openScratch();
  const real = programNetwork(openEgressProxies({ clock: systemClock, dial: systemDial, resolve: systemResolve }));
  const ports = {
    ...runningPorts(scratch.files, { resolve: async () => null } as never),
    network: {
      open: async (...asked: Parameters<typeof real.open>) => {
        const way = await real.open(...asked);
        lose = async () => way[Symbol.asyncDispose]();
        return { ...way, [Symbol.asyncDispose]: async () => {} };
      },
    },
  };
  const url = `http://127.0.0.1:${port}`;
  const script = `curl -sS ${url}/first; curl -sS ${url}/last; curl -sS ${url}/never || curl -sS --noproxy '*' ${url}/never`;
  const call = {
    plan: { workspace: scratch.workspace, touches: [], operands: [], sandbox: { report: ports.sandbox.report() } },
    session: { id: "s" },
    seal: { grant: { ...NO_GRANT, connect: [`127.0.0.1:${port}`] } },
  } as unknown as ApprovedCall;
  const run = { argv: ["/bin/bash", "-c", script], cwd: "/tmp", env: {}, limits: COMMAND_LIMITS } as const;
  try {
    for (let i = 0; i < times; i++) {
      requests = 0;
      const running = runProgram(call, run, ports, NEVER);
      let next = await running.next();
      while (!next.done) next = await running.next();
      const content = "content" in next.value ? JSON.stringify(next.value.content) : "";
      expect([next.value.kind, requests, content.includes("reached")]).toEqual(["failed", 2, true]);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
