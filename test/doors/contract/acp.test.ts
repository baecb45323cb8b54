import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { needs } from "../../support/parts.ts";
import { plainProgram } from "../../support/plain-program.ts";
import { type Asked, type DoorClient, type Heard, keepsTheContract } from "./contract.ts";
import type { Place } from "./place.ts";
import { startProgram, stopProgram } from "./started-program.ts";

interface Answer {
  readonly result?: {
    readonly content?: string;
    readonly terminalId?: string;
    readonly output?: string;
    readonly exitCode?: number | null;
    readonly signal?: string | null;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code?: string } };
}

interface Line {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly update?: { readonly content?: { readonly text?: string } } };
}

/** `toolgate acp` with an agent of ours behind it: what is tested is what the agent's requests of its editor become. */
async function open(place: Place): Promise<DoorClient> {
  place.put("agent.mjs", plainProgram("contract-agent.ts"));
  const child = startProgram(place, ["acp", "--", "node", "agent.mjs"]);
  const waiting = new Map<unknown, () => void>();
  let said = "";
  let last = 0;
  createInterface({ input: child.stdout }).on("line", (text) => {
    const line = JSON.parse(text) as Line;
    if (line.method === "session/update") said = line.params?.update?.content?.text ?? said;
    // A question is left to the person at the other door.
    else if (line.method === undefined) waiting.get(line.id)?.();
  });
  const request = (method: string, params: object): Promise<void> =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  /** The agent makes one request of its editor. */
  const agentAsks = async (method: string, params: object): Promise<Answer> => {
    const text = JSON.stringify({ method, params });
    await request("session/prompt", { sessionId: "s1", prompt: [{ type: "text", text }] });
    return JSON.parse(said) as Answer;
  };
  await request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  await request("session/new", { cwd: place.folder, mcpServers: [] });

  const runTerminal = async (command: string, { cancel, listens }: Asked): Promise<Heard> => {
    const { result, error } = await agentAsks("terminal/create", { command });
    if (error) return heardFromError(error);
    const terminal = { terminalId: result?.terminalId };
    let progress = "";
    while (listens && progress === "") {
      progress = (await agentAsks("terminal/output", terminal)).result?.output ?? "";
      await setTimeout(20);
    }
    if (cancel !== undefined) {
      await cancel;
      await agentAsks("terminal/kill", terminal);
    }
    const end = (await agentAsks("terminal/wait_for_exit", terminal)).result;
    const text = (await agentAsks("terminal/output", terminal)).result?.output ?? "";
    return {
      ends: end?.exitCode === 0 ? "completed" : null,
      wire: `${end?.signal ?? `exit ${end?.exitCode}`}`,
      text,
      progress,
    };
  };

  const call = async (asked: Asked): Promise<Heard> => {
    const { tool, input } = asked;
    if (tool === "run_command") return await runTerminal(String(input["command"]), asked);
    const path = String(input["path"]);
    const absolute = { path: path.startsWith("/") ? path : `${place.folder}/${path}` };
    const { result, error } =
      tool === "read_file"
        ? await agentAsks("fs/read_text_file", absolute)
        : await agentAsks("fs/write_text_file", { ...absolute, content: input["content"] });
    if (error) return heardFromError(error);
    return { ends: "completed", wire: "result", text: result?.content ?? "" };
  };
  return { call, [Symbol.asyncDispose]: () => stopProgram(child) };
}

const heardFromError = ({ code, message, data }: NonNullable<Answer["error"]>): Heard => ({
  ends: data?.code ?? null,
  wire: `error ${code}`,
  text: message,
});

const TERMINAL = "a terminal has an exit code or a signal, and no code of the gate";

needs("bwrap")("ACP", () => {
  keepsTheContract({
    name: "acp",
    open,
    wire: {
      completed: "result",
      DEFAULT_DENY: "error -32603",
      RULE_DENY: "error -32603",
      APPROVAL_REJECTED: "error -32603",
      APPROVAL_EXPIRED: "error -32603",
      APPROVAL_STALE: "error -32603",
      FILE_NOT_FOUND: "error -32002",
      PATH_INVALID: "error -32602",
      REDACTED_CONTENT: "error -32602",
      "a program that completes": "exit 0",
      "output while it runs": "exit 0",
      "a program that fails": "exit 1",
      "a program that is cancelled": "SIGTERM",
    },
    unsaid: {
      "a program that completes": TERMINAL,
      "output while it runs": TERMINAL,
      "a program that fails": TERMINAL,
      "a program that is cancelled": TERMINAL,
    },
  });
});
