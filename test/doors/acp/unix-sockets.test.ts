import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AgentSpec } from "../../../src/domain/agent.ts";
import { needs } from "../../support/parts.ts";
import { ALLOW_ALL, openScratchGate } from "../../support/scratch-gate.ts";

const DIAL = `require("net").connect(process.argv[1])
  .on("connect", () => { console.log("connected"); process.exit(); })
  .on("error", ({ code }) => { console.log(code); process.exit(); });`;

/** What an agent hears that connects to a socket which somebody of this machine listens on. */
async function dialled(path: (workspace: string) => string): Promise<string> {
  const rules = [
    ...ALLOW_ALL,
    { id: "closed", effect: "deny" as const, touch: { read: ["./closed.sock", "./closed/**"] } },
  ];
  await using scratch = openScratchGate({ rules });
  const gate = scratch.again({ agents: "judged" });
  scratch.put("closed/a.txt");
  const socket = path(scratch.workspace);
  const server = createServer(() => {}).listen(socket);
  await new Promise((resolve) => server.once("listening", resolve));
  const args = ["-e", DIAL, socket];
  const way = { kind: "stdio", command: "node", args, cwd: scratch.workspace, env: {} } as const;
  const spec: AgentSpec = { name: "dials", way, missing: [], grant: { read: [], write: [], connect: [] } };
  const running = await gate.agentPrograms.start(spec, () => {}, new AbortController().signal);
  if ("code" in running) throw new Error(running.message);
  let said = "";
  for await (const { bytes } of running.program.chunks) said += Buffer.from(bytes).toString();
  await running.ended;
  server.close();
  return said.trim();
}

needs("bwrap")("unix sockets, in an agent's sandbox", () => {
  it.each([
    ["outside of what it sees", (workspace: string) => join(workspace, "../outside.sock"), "ENOENT"],
    [
      "that a rule closes",
      (workspace: string) => join(workspace, "closed.sock"),
      /ECONNREFUSED|EACCES|ENOENT|ENOTSOCK/,
    ],
    ["in a folder that a rule closes", (workspace: string) => join(workspace, "closed/a.sock"), /EACCES|ENOENT/],
    ["in what it sees", (workspace: string) => join(workspace, "open.sock"), /ECONNREFUSED|EACCES|ENOENT|ENOTSOCK/],
  ])("%s", async (_, path, expected) => {
    expect(await dialled(path)).toMatch(expected);
  });
});
