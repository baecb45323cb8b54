import { createInterface } from "node:readline";
import { needs } from "../../support/parts.ts";
import { type Asked, type DoorClient, type Heard, keepsTheContract } from "./contract.ts";
import type { Place } from "./place.ts";
import { type Program, startProgram, stopProgram, trustConfig } from "./started-program.ts";

const VERSION = "2025-06-18";

interface Line {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly progressToken?: unknown; readonly message?: string };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code?: string } };
  readonly result?: {
    readonly content?: readonly { readonly text?: string }[];
    readonly isError?: boolean;
    readonly _meta?: {
      readonly "toolgate/outcome"?: { kind: string; code?: string; truncated?: { blob: string } };
    };
  };
}

/** `toolgate mcp` on pipes, a JSON-RPC message on each line. */
class Client {
  readonly #child: Program;
  readonly #waiting = new Map<number, (line: Line) => void>();
  #progress = "";
  #last = 0;

  constructor(child: Program) {
    this.#child = child;
    child.setMaxListeners(0); // one for each call
    createInterface({ input: child.stdout }).on("line", (text) => {
      const line = JSON.parse(text) as Line;
      if (line.method === "notifications/progress") this.#progress += line.params?.message ?? "";
      if (line.id !== undefined && line.method === undefined) this.#waiting.get(line.id)?.(line);
    });
  }

  async begin(): Promise<this> {
    const clientInfo = { name: "contract", version: "1" };
    await this.#request("initialize", { protocolVersion: VERSION, capabilities: {}, clientInfo }).answered;
    this.#send({ method: "notifications/initialized" });
    return this;
  }

  async call({ tool, input, cancel, listens }: Asked): Promise<Heard> {
    this.#progress = "";
    const params = { name: tool, arguments: input, ...(listens && { _meta: { progressToken: 1 } }) };
    const { id, answered } = this.#request("tools/call", params);
    const cancelled = cancel?.then(() => {
      this.#send({ method: "notifications/cancelled", params: { requestId: id } });
      return null;
    });
    const line = await Promise.race([answered, ...(cancelled ? [cancelled] : [])]);
    if (line === null) return { ends: null, wire: "no answer", text: "" };
    const { error, result } = line;
    if (error) return { ends: error.data?.code ?? null, wire: `error ${error.code}`, text: error.message };
    const facts = result?._meta?.["toolgate/outcome"];
    return {
      ends: facts?.code ?? facts?.kind ?? null,
      wire: result?.isError === true ? "isError" : "result",
      text: (result?.content ?? []).map((item) => item.text ?? "").join("\n"),
      blob: facts?.truncated?.blob ?? null,
      progress: this.#progress,
    };
  }

  stop(): Promise<void> {
    return stopProgram(this.#child);
  }

  #request(method: string, params: object): { readonly id: number; readonly answered: Promise<Line> } {
    const id = ++this.#last;
    const answered = new Promise<Line>((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.#child.once("exit", () => reject(new Error("toolgate mcp has ended")));
    });
    this.#send({ id, method, params });
    return { id, answered };
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}

async function open(place: Place): Promise<DoorClient> {
  await trustConfig(place);
  const clients = new Map<string, Client>();
  // The token of a session is in the environment, so each session has a process.
  const clientOf = async (token = ""): Promise<Client> => {
    const env = token === "" ? {} : { TOOLGATE_TOKEN: token };
    const client = clients.get(token) ?? (await new Client(startProgram(place, ["mcp"], env)).begin());
    clients.set(token, client);
    return client;
  };
  return {
    call: async (asked) => (await clientOf(asked.token)).call(asked),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...clients.values()].map((client) => client.stop()));
    },
  };
}

needs("bwrap")("MCP on pipes", () => {
  keepsTheContract({
    name: "mcp-stdio",
    open,
    wire: {
      completed: "result",
      TOOL_UNKNOWN: "error -32602",
      DEFAULT_DENY: "isError",
      RULE_DENY: "isError",
      APPROVAL_REJECTED: "isError",
      APPROVAL_EXPIRED: "isError",
      APPROVAL_STALE: "isError",
      FILE_NOT_FOUND: "isError",
      MULTIPLE_MATCHES: "isError",
      PATH_INVALID: "isError",
      INVALID_ARGUMENTS: "isError",
      REDACTED_CONTENT: "isError",
      TOOL_FAILED: "isError",
      TIMEOUT: "isError",
      LEASE_SCOPE: "isError",
      BUDGET_EXCEEDED: "isError",
      OUTCOME_UNKNOWN: "isError",
      LIMIT_FSIZE: "isError",
      INTERACTIVE_BLOCKED: "isError",
      EXECUTOR_UNAVAILABLE: "isError",
      ARTIFACT_UNKNOWN: "isError",
      "a program that is cancelled": "no answer",
    },
    unsaid: { "a program that is cancelled": "MCP: a cancelled request is not answered" },
  });
});
