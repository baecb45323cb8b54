import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Case, Suite } from "../harness.ts";
import { CHECKOUT, publishedCommand } from "../parts/published-package.ts";

const ECHO = fileURLToPath(new URL("../parts/echo-server.ts", import.meta.url));
const AT_ONCE = 16;
const CALLS = 64;

/** An echo behind the gate, with rules and ledger, against the same echo spoken to directly. On pipes, both. */
export const mcp: Suite = {
  name: "mcp",
  rounds: 15,
  warmUpRounds: 3,
  aims: [
    {
      says: "one by one, power-safe ledger / direct",
      value: (usOf) => usOf("toolgate mcp") / usOf("direct"),
      unit: "ratio",
      bound: { atMost: 5 },
    },
    {
      says: "one by one, `normal` ledger / direct",
      value: (usOf) => usOf("toolgate mcp, normal ledger") / usOf("direct"),
      unit: "ratio",
      bound: { atMost: 1.5 },
    },
    {
      says: "start to the first list / bare SDK server",
      value: (usOf) => usOf("toolgate mcp, start to list") / usOf("direct, start to list"),
      unit: "ratio",
      bound: { atMost: 1.2 },
    },
  ],
  open: async ({ scratch }) => {
    const command = publishedCommand(scratch);
    const direct = { args: [ECHO], cwd: CHECKOUT };
    const full = gateWith(scratch.makeFolder("mcp-full"), command, "full");
    const normal = gateWith(scratch.makeFolder("mcp-normal"), command, "normal");
    const [plain, governed, quick] = await Promise.all([connect(direct), connect(full), connect(normal)]);
    await Promise.all([plain, governed, quick].map((client) => client.listTools()));
    return {
      note: `whole processes on pipes, client and server on SDK 2.4; ${AT_ONCE} at once where it says so`,
      cases: [
        calls("direct", plain, "echo", 1),
        calls("toolgate mcp", governed, "up_echo", 1),
        calls("toolgate mcp, normal ledger", quick, "up_echo", 1),
        calls(`direct, ${AT_ONCE} at once`, plain, "echo", AT_ONCE),
        calls(`toolgate mcp, ${AT_ONCE} at once`, governed, "up_echo", AT_ONCE),
        starts("direct, start to list", direct),
        starts("toolgate mcp, start to list", full),
      ],
      close: async () => void (await Promise.all([plain, governed, quick].map((client) => client.close()))),
    };
  },
};

interface Program {
  readonly args: readonly string[];
  readonly cwd: string;
}

function gateWith(folder: string, command: string, durability: "full" | "normal"): Program {
  const config = {
    tools: {
      mcp: { up: { command: "node", args: [ECHO], grant: { read: [`${CHECKOUT}**`, "/**/node_modules/**"] } } },
    },
    rules: [{ id: "echo", effect: "allow", touch: { tool: ["up_echo"] } }],
    ledger: { durability },
  };
  const path = join(folder, "toolgate.yaml");
  writeFileSync(path, JSON.stringify(config));
  return { args: [command, "mcp", "--config", path], cwd: folder };
}

async function connect({ args, cwd }: Program): Promise<Client> {
  const client = new Client(
    { name: "bench", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], cwd, stderr: "ignore" }));
  return client;
}

const calls = (name: string, client: Client, tool: string, atOnce: number): Case => ({
  name,
  unitsPerRound: CALLS,
  round: async () => {
    for (let done = 0; done < CALLS; done += atOnce)
      await Promise.all(Array.from({ length: atOnce }, () => echoed(client, tool)));
  },
});

/** A refusal is quick: it must not look like speed. */
async function echoed(client: Client, tool: string): Promise<void> {
  const { isError, content } = await client.callTool({ name: tool, arguments: { text: "hello" } });
  if (isError) throw new Error(JSON.stringify(content));
}

const starts = (name: string, program: Program): Case => ({
  name,
  unitsPerRound: 1,
  round: async () => {
    const client = await connect(program);
    await client.listTools();
    await client.close();
  },
});
