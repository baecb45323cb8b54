// An agent that speaks ACP by the official SDK. A prompt is a list of steps as JSON; what comes of each is told as a message.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { type AgentContext, agent, type McpServerStdio, methods, ndJsonStream } from "@agentclientprotocol/sdk";

type Params = Record<string, unknown>;
type Step = {
  readonly ask?: readonly [string, Params];
  readonly tell?: readonly [string, Params];
  /** At the same time. */
  readonly all?: readonly Step[];
  readonly raw?: string;
  readonly dies?: number;
  readonly waits?: "cancelled";
  readonly reads?: string;
  readonly writes?: string;
  readonly fetches?: string;
  readonly mcp?: readonly object[];
  readonly env?: string;
};

const [, , protocol = "1"] = process.argv;
let sessions = 0;
const servers = new Map<string, readonly unknown[]>();
const cancels = new Map<string, () => void>();

const modes = {
  currentModeId: "default",
  availableModes: [
    { id: "default", name: "Default" },
    { id: "plan", name: "Plan" },
    { id: "bypassPermissions", name: "Bypass" },
  ],
};
const configOptions = [
  {
    ...{ id: "model", name: "Model", type: "select" as const, category: "model" as const, currentValue: "a" },
    options: ["a", "b"].map((value) => ({ value, name: value })),
  },
  {
    ...{ id: "approvals", name: "Approvals", type: "select" as const, currentValue: "ask" },
    options: ["ask", "never"].map((value) => ({ value, name: value })),
  },
];

async function taken(step: Step, sessionId: string, client: AgentContext, signal: AbortSignal): Promise<unknown> {
  if (step.ask) return await client.request(step.ask[0], { sessionId, ...step.ask[1] });
  if (step.tell) return await client.notify(step.tell[0], { sessionId, ...step.tell[1] });
  if (step.all) return await Promise.all(step.all.map((one) => tried(one, sessionId, client, signal)));
  if (step.raw !== undefined) return process.stdout.write(step.raw);
  if (step.dies !== undefined) process.exit(step.dies);
  if (step.waits) return await new Promise((resolve) => signal.addEventListener("abort", () => resolve("cancelled")));
  if (step.reads) return readFileSync(step.reads, "utf8");
  if (step.writes) return writeFileSync(step.writes, "written by the agent itself");
  if (step.fetches) return (await fetch(step.fetches)).status;
  if (step.env) return process.env[step.env] ?? null;
  if (step.mcp) return await mcp(servers.get(sessionId)?.[0] as McpServerStdio, step.mcp);
  return null;
}

const tried = (step: Step, sessionId: string, client: AgentContext, signal: AbortSignal) =>
  taken(step, sessionId, client, signal).then(
    (value) => ({ value: value ?? null }),
    (error) => ({ error: { code: error.code, message: error.message, data: error.data } }),
  );

/** Speaks to the first of its MCP servers, a message after the other. */
async function mcp({ command, args, env }: McpServerStdio, messages: readonly object[]): Promise<unknown> {
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...variables } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answers: unknown[] = [];
  for (const message of messages) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    if (!("id" in message)) continue;
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error("the server has gone");
      const said = JSON.parse(value as string) as { readonly id?: unknown };
      if (said.id !== message.id) continue;
      answers.push(said);
      break;
    }
  }
  child.stdin.end();
  child.kill();
  return answers;
}

const app = agent({ name: "fixture" })
  .onRequest(methods.agent.initialize, ({ params }) => ({
    protocolVersion: Number(protocol),
    agentCapabilities: { loadSession: true, _meta: { heard: params } },
    authMethods: [],
  }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    const sessionId = `session-${++sessions}`;
    servers.set(sessionId, params.mcpServers);
    return { sessionId, modes, configOptions, _meta: { heard: params } };
  })
  .onRequest(methods.agent.session.load, ({ params }) => {
    servers.set(params.sessionId, params.mcpServers);
    return { modes };
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => ({ _meta: { heard: params } }))
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => ({ configOptions, _meta: { heard: params } }))
  .onNotification(methods.agent.session.cancel, ({ params }) => cancels.get(params.sessionId)?.())
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const stop = new AbortController();
    cancels.set(sessionId, () => stop.abort());
    const text = prompt.map((block) => (block.type === "text" ? block.text : "")).join("");
    for (const step of JSON.parse(text) as readonly Step[]) {
      const came = await tried(step, sessionId, client, stop.signal);
      const content = { type: "text" as const, text: JSON.stringify(came) };
      await client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content },
      });
    }
    return { stopReason: stop.signal.aborted ? "cancelled" : "end_turn" };
  })
  .onRequest("*", ({ method, params }) => ({ method, params }));

const stream = ndJsonStream(
  Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
  Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
);
await app.connect(stream).closed;
