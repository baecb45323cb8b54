import { setTimeout as wait } from "node:timers/promises";
import type { ToolgateClient } from "../../client/connect.ts";
import { ProblemError } from "../../client/problem-error.ts";
import type { ClientToolSpec } from "../../domain/client-tool.ts";
import type { LocalCommand, LocalEnd } from "../../wiring/run-locally.ts";
import { commandFor, type HeardSignal, resultBody, signalFrom, taken, whyNotRecorded } from "./executor-call.ts";

export interface ExecutorLoopParts {
  readonly client: ToolgateClient;
  readonly tools: readonly ClientToolSpec[];
  readonly concurrency: number;
  readonly run: (command: Pick<LocalCommand, "argv" | "stdin" | "timeoutMs">, signal: AbortSignal) => Promise<LocalEnd>;
  /** Told of each step. */
  readonly tell: (step: Step) => void;
}

export interface Step {
  readonly event: "connected" | "began" | "ended" | "refused" | "sent" | "unsent";
  readonly tool_id?: string;
  readonly tool_name?: string;
  readonly message?: string;
  readonly exit_code?: number;
  readonly pid?: number;
}

/** A result that can't be sent is tried again for about as long as the server waits for it. */
const SEND_DELAYS_MS = [100, 500, 2000, 5000, 10_000, 10_000];

/**
 * Listens for calls and runs them, one command each. INVARIANT (judged = run): nothing is run before the record of the
 * call, the acknowledgement and the arguments all have the same digests.
 */
export class ExecutorLoop {
  readonly #parts: ExecutorLoopParts;
  readonly #running = new Map<string, AbortController>();
  readonly #waiting: (() => void)[] = [];
  readonly #ended = new Set<Promise<void>>();
  #free: number;

  constructor(parts: ExecutorLoopParts) {
    this.#parts = parts;
    this.#free = parts.concurrency;
  }

  /** Until the signal says so. Then what runs is told to stop, and what became of it is sent. */
  async listen(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        await this.#follow(signal).catch(isPassing);
        if (!signal.aborted) await wait(BUSY_MS, undefined, { signal }).catch(() => {});
      }
    } finally {
      for (const stop of this.#running.values()) stop.abort();
      await Promise.allSettled(this.#ended);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { client, tell, tools } = this.#parts;
    const executes = tools.map(({ name }) => name).join(",");
    const connected = () => tell({ event: "connected", message: executes, pid: process.pid });
    let isNew = true;
    let isTold = false;
    // Who comes back to where it was hears `ready` only if it has missed too much.
    const opened = () => {
      isTold = !isNew;
      if (!isNew) connected();
      isNew = false;
    };
    for await (const { event, data } of client.projectEvents({ executes }, { signal, opened })) {
      if (event === "ready" && !isTold) connected();
      if (event === "tool.execution_signal") this.#hear(data, signal);
      if (event === "tool.execution_cancel") this.#running.get(String(data["tool_id"]))?.abort();
    }
  }

  #hear(data: Readonly<Record<string, unknown>>, signal: AbortSignal): void {
    const heard = signalFrom(data);
    const spec = this.#parts.tools.find(({ name }) => name === heard?.tool);
    if (heard === null || spec === undefined) return;
    const ending = this.#inTurn(heard, spec, signal).finally(() => this.#ended.delete(ending));
    this.#ended.add(ending);
  }

  /** What has to wait is not acknowledged, so that another executor may take it. */
  async #inTurn(heard: HeardSignal, spec: ClientToolSpec, signal: AbortSignal): Promise<void> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    try {
      if (!signal.aborted) await this.#take(heard, spec);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  async #take(heard: HeardSignal, spec: ClientToolSpec): Promise<void> {
    const { client, tell } = this.#parts;
    const about = { tool_id: heard.callId, tool_name: heard.tool };
    try {
      const why = await whyNotRecorded(heard, client);
      if (why !== null) return tell({ event: "refused", ...about, message: why });
      const call = await taken(heard, client);
      // Whoever has acknowledged it says how it ended, also where that is our own mistake.
      const end =
        "refused" in call ? refused(call.refused) : await this.#run(heard, spec, call).catch((e) => refused(String(e)));
      await this.#send(heard, end);
    } catch (error) {
      tell({ event: "refused", ...about, message: error instanceof Error ? error.message : String(error) });
    }
  }

  async #run(
    heard: HeardSignal,
    spec: ClientToolSpec,
    { input, timeoutMs }: Exclude<Awaited<ReturnType<typeof taken>>, { refused: string }>,
  ): Promise<LocalEnd> {
    const command = commandFor(spec, input);
    if (!command.ok) return refused(command.message);
    const about = { tool_id: heard.callId, tool_name: heard.tool };
    this.#parts.tell({ event: "began", ...about });
    const stop = new AbortController();
    this.#running.set(heard.callId, stop);
    try {
      const stdin = `${JSON.stringify(input)}\n`;
      const end = await this.#parts.run({ argv: command.argv, stdin, timeoutMs }, stop.signal);
      this.#parts.tell({
        event: "ended",
        ...about,
        ...(end.kind === "exited" ? { exit_code: end.exitCode } : { message: end.message }),
      });
      return end;
    } finally {
      this.#running.delete(heard.callId);
    }
  }

  /** The same once more changes nothing, so it is sent until somebody has heard it. */
  async #send({ callId: tool_id, tool: tool_name, token: dispatch_token }: HeardSignal, end: LocalEnd): Promise<void> {
    const { client, tell } = this.#parts;
    const body = { tool_id, dispatch_token, ...resultBody(end) };
    for (const delayMs of [...SEND_DELAYS_MS, null]) {
      try {
        await client.submitResult(body);
        return tell({ event: "sent", tool_id, tool_name });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const isFinal = error instanceof ProblemError && error.status < 500;
        if (isFinal || delayMs === null) return tell({ event: "unsent", tool_id, tool_name, message });
        await wait(delayMs);
      }
    }
  }
}

const BUSY_MS = 2000;

/** A server that has too much to do may have less to do later; what it refuses for good is thrown on. */
function isPassing(error: unknown): void {
  if (!(error instanceof ProblemError) || (error.status !== 429 && error.status < 500)) throw error;
}

const refused = (why: string): LocalEnd => ({
  kind: "failed",
  message: `the executor refused it: ${why}`,
  stdout: "",
  stderr: "",
});
