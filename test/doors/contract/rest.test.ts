import { setTimeout } from "node:timers/promises";
import { needs } from "../../support/parts.ts";
import { type Asked, type DoorClient, type Heard, keepsTheContract } from "./contract.ts";
import type { Place } from "./place.ts";
import { startServer } from "./started-program.ts";

interface Body {
  readonly kind?: string;
  readonly content?: readonly { readonly text?: string }[];
  readonly refusal?: { readonly code: string; readonly message: string };
  readonly error?: { readonly code: string; readonly message: string };
  readonly truncated?: { readonly blob: string };
}

async function open(place: Place): Promise<DoorClient> {
  const server = await startServer(place);
  const project = `${server.url}/my/projects/default`;
  const headersOf = (token = server.adminToken) => ({
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
  });

  const execute = async ({ tool, input, key, token }: Asked): Promise<Heard> => {
    const response = await fetch(`${project}/tools/execute`, {
      method: "POST",
      headers: { ...headersOf(token), ...(key !== undefined && { "Idempotency-Key": key }) },
      body: JSON.stringify({ tool_name: tool, tool_params: input }),
    });
    const { kind = "none", content = [], refusal, error, truncated } = (await response.json()) as Body;
    const because = refusal ?? error;
    return {
      ends: because?.code ?? kind,
      wire: String(response.status),
      text: [...content.map((item) => item.text ?? ""), because?.message ?? ""].join("\n"),
      blob: truncated?.blob ?? null,
    };
  };

  /** The one call that runs. */
  const cancelRunning = async (): Promise<void> => {
    for (;;) {
      const response = await fetch(`${project}/executions?status=EXECUTING`, { headers: headersOf() });
      const { executions } = (await response.json()) as { executions: readonly { id: string }[] };
      const [running] = executions;
      if (running !== undefined) {
        await fetch(`${project}/executions/${running.id}/cancel`, { method: "POST", headers: headersOf(), body: "{}" });
        return;
      }
      await setTimeout(20);
    }
  };

  /** Server-sent events until the call ends, as text. */
  const listen = async (asked: Asked): Promise<Heard> => {
    const stop = new AbortController();
    const response = await fetch(`${project}/events`, { headers: headersOf(), signal: stop.signal });
    if (response.body === null) throw new Error("the stream of events has no body");
    let progress = "";
    const reading = (async () => {
      let events = "";
      for await (const chunk of response.body ?? []) {
        events += Buffer.from(chunk).toString();
        progress = events;
        if (events.includes("tool.executed")) return;
      }
    })().catch(() => {});
    const heard = await execute(asked);
    await reading;
    stop.abort();
    return {
      ...heard,
      progress: progress
        .split("\n\n")
        .filter((event) => event.includes("tool.progress"))
        .join("\n"),
    };
  };

  return {
    call: async (asked) => {
      void asked.cancel?.then(cancelRunning);
      return asked.listens ? await listen(asked) : await execute(asked);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

needs("bwrap")("REST", () => {
  keepsTheContract({
    name: "rest",
    open,
    wire: {
      completed: "200",
      TOOL_FAILED: "200",
      TIMEOUT: "200",
      LIMIT_FSIZE: "200",
      OUTCOME_UNKNOWN: "200",
      DEFAULT_DENY: "403",
      RULE_DENY: "403",
      APPROVAL_REJECTED: "403",
      LEASE_SCOPE: "403",
      BUDGET_EXCEEDED: "403",
      TOOL_UNKNOWN: "404",
      ARTIFACT_UNKNOWN: "404",
      APPROVAL_STALE: "409",
      CANCELLED: "409",
      APPROVAL_EXPIRED: "410",
      FILE_NOT_FOUND: "422",
      MULTIPLE_MATCHES: "422",
      PATH_INVALID: "422",
      INVALID_ARGUMENTS: "422",
      REDACTED_CONTENT: "422",
      DEDUPE_MISMATCH: "422",
      INTERACTIVE_BLOCKED: "422",
    },
  });
});
