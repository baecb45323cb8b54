import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Case } from "../harness.ts";
import { CHECKOUT } from "./published-package.ts";

export const ECHO = fileURLToPath(new URL("./echo-server.ts", import.meta.url));
export const ECHO_HTTP = fileURLToPath(new URL("./echo-http.ts", import.meta.url));
export const RELAY = fileURLToPath(new URL("./relay.ts", import.meta.url));

/** Something to speak to, with the name of its echo. */
export interface Peer {
  readonly client: Client;
  readonly tool: string;
  readonly close: () => Promise<void>;
  readonly pid: number | null;
  /** Where it is, if it is reached by HTTP. */
  readonly url: string;
}

export interface Program {
  readonly args: readonly string[];
  readonly cwd: string;
}

/** `legacy`: for those that start their server anew for each request of 2026. */
type Mode = "auto" | "legacy";

const newClient = (mode: Mode): Client =>
  new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode } });

export async function onPipes({ args, cwd }: Program, tool: string): Promise<Peer> {
  const client = newClient("auto");
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], cwd, stderr: "ignore" });
  await client.connect(transport);
  return { client, tool, close: () => client.close(), pid: transport.pid, url: "" };
}

/** A program that serves MCP by HTTP: at an address that it prints, or at one that it was told. */
export async function byHttp(
  { args, cwd }: Program,
  tool: string,
  where: "printed" | { readonly url: string },
  mode: Mode = "auto",
): Promise<Peer> {
  const child = spawn(process.execPath, [...args], { cwd, stdio: ["ignore", "pipe", "ignore"] });
  const { url, token } = where === "printed" ? addressIn(await firstLine(child), cwd) : { ...where, token: "" };
  if (where === "printed") child.stdout?.resume();
  const client = newClient(mode);
  const requestInit = token === "" ? {} : { headers: { Authorization: `Bearer ${token}` } };
  await patiently(() => client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit })));
  const close = async () => {
    await client.close();
    child.kill();
    if (child.exitCode === null) await once(child, "exit");
  };
  return { client, tool, close, pid: child.pid ?? null, url };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) return "";
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return String(line);
}

/** An address, or what `toolgate serve --json` says: its token is in its state directory. */
function addressIn(line: string, cwd: string): { readonly url: string; readonly token: string } {
  if (!line.startsWith("{")) return { url: line, token: "" };
  const { mcp } = JSON.parse(line) as { readonly mcp: string };
  return { url: mcp, token: readFileSync(join(cwd, ".toolgate", "admin.token"), "utf8").trim() };
}

/** Foreign programs don't say when they listen. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 100) throw error;
      await delay(100);
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Where the packages of the echo really lie. */
const MODULES = realpathSync(join(CHECKOUT, "node_modules"));

/** A gate with the echo behind it, judged by a rule and recorded. */
export function gateWith(
  folder: string,
  command: string,
  durability: "full" | "normal",
  words: readonly string[],
): Program {
  const config = {
    tools: {
      mcp: { up: { command: "node", args: [ECHO], grant: { read: [`${CHECKOUT}**`, `${MODULES}/**`] } } },
    },
    rules: [{ id: "echo", effect: "allow", touch: { tool: ["up_echo"] } }],
    ledger: { durability },
  };
  const path = join(folder, "toolgate.yaml");
  writeFileSync(path, JSON.stringify(config));
  return { args: [command, ...words, "--config", path], cwd: folder };
}

export const CALLS = 64;

/** `after`: what follows the calls that were made at once. */
export const calls = (name: string, { client, tool }: Peer, atOnce: number, after: () => void = () => {}): Case => ({
  name: atOnce === 1 ? name : `${name}, ${atOnce} at once`,
  unitsPerRound: CALLS,
  round: async () => {
    for (let done = 0; done < CALLS; done += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, () => echoed(client, tool)));
      after();
    }
  },
});

/** A refusal is quick: it must not look like speed. */
async function echoed(client: Client, tool: string): Promise<void> {
  const { isError, content } = await client.callTool({ name: tool, arguments: { text: "hello" } });
  if (isError) throw new Error(JSON.stringify(content));
}

/** What a process has in memory right now. */
export function residentMb(pid: number | null): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
