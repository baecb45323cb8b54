import { createHash } from "node:crypto";
import { ProblemError } from "../../client/problem-error.ts";
import { isOfThisMachine } from "../../domain/host.ts";
import type { ToolDefinition } from "../../domain/tool.ts";
import { visibleLine } from "../../domain/visible.ts";
import { type AdminToken, adminToken, loginFiles, newToken } from "../../wiring/admin-token.ts";
import type { Gate } from "../../wiring/gate.ts";
import { readSettings } from "../../wiring/settings.ts";
import type { OpenServer } from "../serve/open-server.ts";
import { type Command, type Invocation, noWords, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { interruptible } from "./interruptible.ts";
import { showRefusal } from "./show-refusal.ts";
import { tellOutOfUse } from "./tell-out-of-use.ts";
import type { Terminal } from "./terminal.ts";
import { refuseAll, settingsFlags, withGate } from "./with-gate.ts";

export const serve: Command = {
  name: "serve",
  usage: "serve [--host HOST] [--port PORT] [--link] [--make-token]",
  summary: "answer calls and questions over HTTP, MCP and A2A, with a web console",
  details:
    "Listens on what `server` in the configuration says, by default on 127.0.0.1:7420, and prints where, the console's link, and a first call to try.\n" +
    "The link signs in once, within ten minutes; `serve --link` gets another one from the server that runs.\n" +
    "The administrator's token is made at the first start, in `admin.token` of the state directory.\n" +
    "SIGTERM and Ctrl-C let calls that run end, for at most 30 s. Questions stay open for the next start.",
  examples: ["toolgate serve", "toolgate serve --port 0", "toolgate serve --link", "toolgate serve --make-token"],
  flags: {
    host: { type: "string", means: "the address to listen on" },
    port: { type: "string", means: "the port to listen on; 0 takes one that is free" },
    link: { type: "boolean", means: "print a new link to the console of the server that runs, and end" },
    "make-token": { type: "boolean", means: "print a new token and the line of it for `server.users`, and end" },
  },
  run: async (invocation) => {
    noWords(invocation.words);
    if (invocation.flags["make-token"]) return makeToken(invocation);
    const settings = readSettings(settingsFlags(invocation));
    if (settings.kind !== "ready") return refuseAll(settings, invocation);
    const made = adminToken(settings.config.stateDir);
    if (!made.ok) {
      showRefusal({ code: "CONFIG_INVALID", stage: "resolve", ...made }, invocation.flags, invocation.terminal);
      return OUTCOME_EXIT.refused;
    }
    if (invocation.flags["link"]) return await printLink(made.token.reveal(), settings.config.server, invocation);
    const parts = { token: made, stateDir: settings.config.stateDir };
    return interruptible((signal) =>
      withGate(invocation, undefined, (gate) => serveUntil(signal, gate, parts, invocation)),
    );
  },
};

interface ServeParts {
  readonly token: Extract<AdminToken, { ok: true }>;
  readonly stateDir: string;
}

async function serveUntil(
  signal: AbortSignal,
  gate: Gate,
  { token, stateDir }: ServeParts,
  invocation: Invocation,
): Promise<number> {
  const { flags, terminal } = invocation;
  const { serve: open, logTo } = await import("../serve/serve.ts");
  const refusal = await gate.begin();
  if (refusal !== null) {
    showRefusal(refusal, flags, terminal);
    return OUTCOME_EXIT.refused;
  }
  const where = listenOn(invocation);
  const logins = loginFiles(stateDir);
  const adminToken = token.token.reveal();
  const server = await open({ gate, adminToken, logins, log: logTo(terminal.err), ...where }).catch(cantListen);
  printAddresses(server, token.path, gate.tools(), invocation);
  tellIfOpen(server.url, terminal);
  tellOutOfUse(gate, terminal);
  await aborted(signal);
  terminal.err("stopping: calls that run may end, questions stay open\n");
  await server.close();
  return EXIT.ok;
}

/** The token itself is not printed: output of a service is kept in logs that others may read. */
function printAddresses(
  { url, consoleLink }: Pick<OpenServer, "url" | "consoleLink">,
  tokenPath: string,
  tools: readonly ToolDefinition[],
  { flags, terminal }: Invocation,
): void {
  if (flags["json"]) {
    terminal.out(
      `${JSON.stringify({ url, console: `${url}/`, openapi: `${url}/openapi.json`, mcp: `${url}/mcp`, a2a: `${url}/a2a`, pid: process.pid })}\n`,
    );
    return;
  }
  const path = `'${visibleLine(tokenPath).replaceAll("'", "'\\''")}'`;
  terminal.out(
    `toolgate listens on ${url}\n  console: ${consoleLink()}\n           (signs in once, within ten minutes)\n  routes:  ${url}/openapi.json\n  MCP:     ${url}/mcp\n  A2A:     ${url}/a2a\n  token:   in ${visibleLine(tokenPath)}\n\ntry it:\n\n` +
      `  curl -s -H "Authorization: Bearer $(cat ${path})" ${firstRequest(url, tools)}\n\n`,
  );
}

/** A call that the catalog has: of `list_directory`, or of the first tool that needs no input. Else the list of tools. */
function firstRequest(url: string, tools: readonly ToolDefinition[]): string {
  const needsNothing = ({ inputSchema }: ToolDefinition) => ((inputSchema["required"] ?? []) as unknown[]).length === 0;
  const tool = tools.find(({ name }) => name === "list_directory") ?? tools.find(needsNothing);
  const project = `${url}/my/projects/default`;
  if (tool === undefined) return `\\\n    ${project}/tools/available`;
  const params = tool.name === "list_directory" ? { path: "." } : {};
  const body = JSON.stringify({ tool_name: tool.name, tool_params: params });
  return `\\\n    -d '${visibleLine(body)}' ${project}/tools/execute`;
}

/** Asks the server that runs for a link, as the administrator. */
async function printLink(token: string, server: { host: string; port: number }, invocation: Invocation) {
  const { host, port } = { ...server, ...listenOn(invocation) };
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const { connect } = await import("../../client/connect.ts");
  try {
    const { code } = await connect({ url, token }).loginLink();
    const link = `${url}/#code=${code}`;
    invocation.terminal.out(invocation.flags["json"] ? `${JSON.stringify({ console: link })}\n` : `${link}\n`);
    return EXIT.ok;
  } catch (error) {
    // `fetch` throws a TypeError if nothing listens there; the token then went nowhere.
    if (!(error instanceof TypeError) && !(error instanceof ProblemError)) throw error;
    const cause = error instanceof ProblemError ? error.problem.detail : "no answer";
    throw new UsageError(
      `no link from ${url}: ${cause}`,
      "start `toolgate serve` there, or name its port with `--port`",
    );
  }
}

/** Nothing here encrypts: who is on the way reads tokens and results. */
function tellIfOpen(url: string, terminal: Terminal): void {
  const { hostname } = new URL(url);
  if (isOfThisMachine(hostname.replace(/^\[|\]$/g, ""))) return;
  terminal.err(
    `other machines can reach ${hostname}, and what they send is not encrypted: let a proxy with TLS listen there, and Toolgate on 127.0.0.1\n`,
  );
}

function listenOn({ flags }: Invocation): { host?: string; port?: number } {
  const { host, port } = flags;
  if (port !== undefined && !(typeof port === "string" && /^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new UsageError("`--port` has to be a whole number from 0 to 65535");
  }
  return { ...(typeof host === "string" && { host }), ...(port !== undefined && { port: Number(port) }) };
}

function cantListen(error: unknown): never {
  const { code, port, address, hostname } = error as {
    readonly code?: string;
    readonly port?: number;
    readonly address?: string;
    /** Of a name that leads nowhere. */
    readonly hostname?: string;
  };
  if (typeof code !== "string") throw error;
  const where = [address ?? hostname ?? "the address", ...(port === undefined ? [] : [port])].join(":");
  throw new UsageError(
    `can't listen on ${where} (${code})`,
    code === "EADDRINUSE" ? "another server is there; choose a port with `--port`" : "choose another with `--host`",
  );
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** The token is shown once; the configuration holds what can only be compared with it. */
function makeToken({ flags, terminal }: Invocation): number {
  const token = newToken();
  const hash = `sha256:${createHash("sha256").update(token).digest("hex")}`;
  terminal.out(
    flags["json"]
      ? `${JSON.stringify({ token, hash })}\n`
      : `the token, shown only now:\n  ${token}\nfor \`server.users\` in toolgate.yaml:\n  - { name: NAME, token: "${hash}", roles: [approver] }\n`,
  );
  return EXIT.ok;
}
