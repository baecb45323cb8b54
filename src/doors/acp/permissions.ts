import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Content } from "../../domain/outcome.ts";
import type { RunResult } from "../../domain/tool.ts";

interface OpenPermission {
  readonly toolCallId: string;
  readonly tellAllowed: () => void;
  readonly stop: AbortController;
  /** Null: the agent has not been told that it may. */
  settle: ((result: RunResult) => void) | null;
  /** Whether the agent has said something of the call meanwhile. */
  hasNews: boolean;
}

/**
 * The tool calls of one session that its agent asked to make, from the question to their end.
 * INVARIANT (one end): a call that was let happen ends by the first thing that is heard of its end, and by nothing else.
 */
export class Permissions {
  readonly #open = new Map<number, OpenPermission>();
  #last = 0;

  /** `tellAllowed`: once the ledger has it. The signal ends the asking. */
  open(toolCallId: string, tellAllowed: () => void): { readonly request: number; readonly stop: AbortController } {
    const request = ++this.#last;
    const stop = new AbortController();
    this.#open.set(request, { toolCallId, tellAllowed, stop, settle: null, hasNews: false });
    return { request, stop };
  }

  /** A call that somebody is being asked about. */
  isAsked(toolCallId: unknown): boolean {
    return this.#asked(toolCallId) !== undefined;
  }

  /**
   * INVARIANT (shown = judged): what an agent says of a call while its question is open waits for the answer, or an editor would
   * show it in the place of what is asked. True: it waits.
   */
  holds(toolCallId: unknown): boolean {
    const open = this.#asked(toolCallId);
    if (open !== undefined) open.hasNews = true;
    return open !== undefined;
  }

  /** Whether something was held back of it, that nobody has been told. */
  takeNews(request: number): boolean {
    const open = this.#open.get(request);
    if (open?.hasNews !== true) return false;
    open.hasNews = false;
    return true;
  }

  #asked(toolCallId: unknown): OpenPermission | undefined {
    return [...this.#open.values()].find((open) => open.settle === null && open.toolCallId === toolCallId);
  }

  close(request: number): void {
    this.#open.delete(request);
  }

  /** The call was let happen: from here on it is the agent's, which says how it ends. */
  granted(request: number, signal: AbortSignal): Promise<RunResult> {
    const open = this.#open.get(request);
    if (open === undefined || open.settle !== null) return Promise.resolve(NOT_ASKED);
    return new Promise((resolve) => {
      open.settle = resolve;
      signal.addEventListener("abort", () => resolve(LOST), { once: true });
      open.tellAllowed();
    });
  }

  /** What the agent says of a call, as far as it is known. */
  told(call: JsonObject): void {
    const result = endOf(call);
    if (result === null) return;
    for (const { toolCallId, settle } of this.#open.values()) if (toolCallId === call["toolCallId"]) settle?.(result);
  }

  /** Questions that nobody wants to hear the answer to any more. What was let happen goes on. */
  cancelAsked(): void {
    for (const { settle, stop } of this.#open.values()) if (settle === null) stop.abort();
  }

  /** Nothing more is heard of those that were let happen. */
  lose(): void {
    for (const { settle } of this.#open.values()) settle?.(LOST);
  }
}

const LOST: RunResult = { kind: "lost" };

const NOT_ASKED: RunResult = {
  kind: "failed",
  error: { code: "EXECUTOR_UNAVAILABLE", message: "no agent waits for this", retryable: false },
  content: [],
};

/** How the agent says that it ended; null = it has not. */
function endOf({ status, content }: JsonObject): RunResult | null {
  if (status === "completed") return { kind: "completed", content: textsIn(content) };
  if (status !== "failed") return null;
  const error = { code: "TOOL_FAILED", message: "the agent says that it failed", retryable: false } as const;
  return { kind: "failed", error, content: textsIn(content) };
}

const textsIn = (content: JsonValue | undefined): readonly Content[] =>
  (Array.isArray(content) ? (content as readonly JsonValue[]) : []).flatMap((item): Content[] => {
    const inner = isJsonObject(item) ? item["content"] : undefined;
    return isJsonObject(inner) && typeof inner["text"] === "string" ? [{ type: "text", text: inner["text"] }] : [];
  });
