import { setTimeout } from "node:timers/promises";
import { needs } from "../../support/parts.ts";
import { type Asked, type DoorClient, type Heard, keepsTheContract } from "./contract.ts";
import type { Place } from "./place.ts";
import { startServer } from "./started-program.ts";

interface Part {
  readonly text?: string;
  readonly data?: { readonly error?: { readonly code?: string } };
}

interface Task {
  readonly id: string;
  readonly status: { readonly state: string; readonly message?: { readonly parts: readonly Part[] } };
  readonly artifacts?: readonly { readonly parts: readonly Part[] }[];
  readonly metadata?: {
    readonly "toolgate/outcome"?: { kind: string; code?: string; truncated?: { blob: string } };
  };
}

interface Answer {
  readonly result?: { readonly task?: Task; readonly statusUpdate?: { readonly status: Task["status"] } } & Task;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: readonly { readonly reason?: string; readonly metadata?: { readonly code?: string } }[];
  };
}

const ENDED = /COMPLETED|FAILED|CANCELED|REJECTED/;

/** A2A 1.0 by JSON-RPC. */
async function open(place: Place): Promise<DoorClient> {
  const server = await startServer(place);
  let last = 0;

  const post = (method: string, params: object, token = server.adminToken, key?: string): Promise<Response> =>
    fetch(`${server.url}/a2a`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "A2A-Version": "1.0",
        "Content-Type": "application/json",
        ...(key !== undefined && { "Idempotency-Key": key }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++last, method, params }),
    });
  const ask = async (...given: Parameters<typeof post>): Promise<Answer> =>
    (await (await post(...given)).json()) as Answer;

  const untilEnded = async (task: Task, token: string | undefined): Promise<Task> => {
    let now = task;
    while (!ENDED.test(now.status.state)) {
      await setTimeout(20);
      const { result } = await ask("GetTask", { id: task.id }, token);
      if (result === undefined) throw new Error(`task ${task.id} is gone`);
      now = result;
    }
    return now;
  };

  const call = async ({ tool, input, key, token, cancel, listens }: Asked): Promise<Heard> => {
    const message = { messageId: `m-${++last}`, role: "ROLE_USER", parts: [{ data: { tool, input } }] };
    if (listens) return heardFromStream(await (await post("SendStreamingMessage", { message }, token)).text());
    const configuration = { returnImmediately: cancel !== undefined };
    const { error, result } = await ask("SendMessage", { message, configuration }, token, key);
    if (error) {
      const code = error.data?.find(({ reason }) => reason !== undefined)?.metadata?.code;
      return { ends: code ?? null, wire: `error ${error.code}`, text: error.message };
    }
    const task = result?.task;
    if (task === undefined) throw new Error("the message was answered without a task");
    if (cancel !== undefined) {
      await cancel;
      await ask("CancelTask", { id: task.id }, token);
    }
    return heardFrom(await untilEnded(task, token));
  };
  return { call, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function heardFrom({ status, artifacts = [], metadata }: Task): Heard {
  const facts = metadata?.["toolgate/outcome"];
  const said = status.message?.parts ?? [];
  const parts = [...artifacts.flatMap((artifact) => artifact.parts), ...said];
  // The status of every task that did not complete has the code; the metadata repeats it if this server has the outcome.
  const code = said.map(({ data }) => data?.error?.code).find((each) => each !== undefined);
  const state = status.state.replace("TASK_STATE_", "");
  return {
    ends: code ?? facts?.code ?? (state === "COMPLETED" ? "completed" : null),
    wire: state,
    text: parts.map((part) => part.text ?? "").join("\n"),
    blob: facts?.truncated?.blob ?? null,
  };
}

/** A stream tells the outcome by its events alone: the artifact, then the last state. */
function heardFromStream(body: string): Heard {
  const events = body
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => JSON.parse(line.slice("data:".length)) as { result: { statusUpdate?: { status: Task["status"] } } });
  const states = events.flatMap(({ result }) => (result.statusUpdate ? [result.statusUpdate.status] : []));
  const state = states.at(-1)?.state.replace("TASK_STATE_", "") ?? "none";
  return {
    ends: state.toLowerCase(),
    wire: state,
    text: JSON.stringify(events),
    progress: states
      .flatMap(({ message }) => message?.parts ?? [])
      .map((part) => part.text ?? "")
      .join(""),
  };
}

needs("bwrap")("A2A", () => {
  keepsTheContract({
    name: "a2a",
    open,
    wire: {
      completed: "COMPLETED",
      FILE_NOT_FOUND: "FAILED",
      MULTIPLE_MATCHES: "FAILED",
      TOOL_FAILED: "FAILED",
      TIMEOUT: "FAILED",
      LIMIT_FSIZE: "FAILED",
      OUTCOME_UNKNOWN: "FAILED",
      ARTIFACT_UNKNOWN: "FAILED",
      APPROVAL_EXPIRED: "FAILED",
      CANCELLED: "CANCELED",
      DEFAULT_DENY: "REJECTED",
      RULE_DENY: "REJECTED",
      APPROVAL_REJECTED: "REJECTED",
      REDACTED_CONTENT: "REJECTED",
      LEASE_SCOPE: "REJECTED",
      BUDGET_EXCEEDED: "REJECTED",
      INTERACTIVE_BLOCKED: "REJECTED",
      APPROVAL_STALE: "REJECTED",
      PATH_INVALID: "error -32602",
      INVALID_ARGUMENTS: "error -32602",
      TOOL_UNKNOWN: "error -32602",
      DEDUPE_MISMATCH: "error -32004",
    },
  });
});
