import { createHash } from "node:crypto";
import { isOfThisMachine } from "../../domain/host.ts";
import { adminToken, newToken } from "../../wiring/admin-token.ts";
import type { Gate } from "../../wiring/gate.ts";
import { readSettings } from "../../wiring/settings.ts";
import { type Command, type Invocation, noWords, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { interruptible } from "./interruptible.ts";
import { showRefusal } from "./show-refusal.ts";
import { tellOutOfUse } from "./tell-out-of-use.ts";
import type { Terminal } from "./terminal.ts";
import { refuseAll, settingsFlags, withGate } from "./with-gate.ts";

export const serve: Command = {
  name: "serve",
  usage: "serve [--host HOST] [--port PORT] [--make-token]",
  summary: "answer calls and questions over HTTP, MCP and A2A, with a web console",
  details:
    "Listens on what `server` in the configuration says, by default on 127.0.0.1:7420, and prints where, the console's link, and a first call to try.\n" +
    "The administrator's token is made at the first start, in `admin.token` of the state directory.\n" +
    "SIGTERM and Ctrl-C let calls that run end, for at most 30 s. Questions stay open for the next start.",
  examples: ["toolgate serve", "toolgate serve --port 0", "toolgate serve --make-token"],
  flags: {
    host: { type: "string", means: "the address to listen on" },
    port: { type: "string", means: "the port to listen on; 0 takes one that is free" },
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
    return interruptible((signal) =>
      withGate(invocation, undefined, (gate) => serveUntil(signal, gate, made.token.reveal(), invocation)),
    );
  },
};

async function serveUntil(signal: AbortSignal, gate: Gate, token: string, invocation: Invocation): Promise<number> {
  const { flags, terminal } = invocation;
  const { serve: open, logTo } = await import("../serve/serve.ts");
  const refusal = await gate.begin();
  if (refusal !== null) {
    showRefusal(refusal, flags, terminal);
    return OUTCOME_EXIT.refused;
  }
  const where = listenOn(invocation);
  const server = await open({ gate, adminToken: token, log: logTo(terminal.err), ...where }).catch(cantListen);
  tell(server.url, token, invocation);
  tellIfOpen(server.url, terminal);
  tellOutOfUse(gate, terminal);
  await aborted(signal);
  terminal.err("stopping: calls that run may end, questions stay open\n");
  await server.close();
  return EXIT.ok;
}

/** The token goes to the person who starts the server: it is theirs, and they can read its file anyway. */
function tell(url: string, token: string, { flags, terminal }: Invocation): void {
  if (flags["json"]) {
    terminal.out(
      `${JSON.stringify({ url, console: `${url}/`, openapi: `${url}/openapi.json`, mcp: `${url}/mcp`, a2a: `${url}/a2a`, pid: process.pid })}\n`,
    );
    return;
  }
  const body = `{"tool_name":"list_directory","tool_params":{"path":"."}}`;
  terminal.out(
    `toolgate listens on ${url}\n  console: ${url}/#token=${token}\n  routes:  ${url}/openapi.json\n  MCP:     ${url}/mcp\n  A2A:     ${url}/a2a\n  token:   ${token}\n\ntry it:\n\n` +
      `  curl -s -H 'Authorization: Bearer ${token}' -d '${body}' \\\n    ${url}/my/projects/default/tools/execute\n\n`,
  );
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
