import { eventBlocks, type ServerEvent } from "../src/client/event-blocks.ts";
import { ProblemError } from "../src/client/problem-error.ts";
import { type ClientSettings, send } from "../src/client/request.ts";
import { ROUTES } from "../src/client/routes.ts";

/** How it stands with the stream of events. */
export interface Connection {
  readonly kind: "connecting" | "open" | "lost";
}

const WAIT_FIRST_MS = 500;
const WAIT_MAX_MS = 15_000;
/** The server says something every 15 s, be it that it is there. */
const SILENT_MAX_MS = 45_000;

interface LiveParts {
  readonly settings: ClientSettings;
  readonly heard: (event: ServerEvent) => void;
  readonly changed: (connection: Connection) => void;
  /** The server takes this token no more, or does not let it listen. */
  readonly refused: (problem: ProblemError) => void;
}

/**
 * What happens, for as long as nobody closes it. A connection that breaks is opened again behind the last event that had a
 * number, later each time, and whoever looks is told meanwhile that they see what was.
 */
export class Live {
  readonly #parts: LiveParts;
  readonly #closed = new AbortController();
  #last: string | null = null;
  #failures = 0;
  #hurry: () => void = () => {};

  constructor(parts: LiveParts) {
    this.#parts = parts;
    void this.#run();
  }

  close(): void {
    this.#closed.abort();
    this.#hurry();
  }

  /** Does not wait any longer. */
  retryNow(): void {
    this.#hurry();
  }

  async #run(): Promise<void> {
    const { changed, refused } = this.#parts;
    const { signal } = this.#closed;
    changed({ kind: "connecting" });
    while (!signal.aborted) {
      try {
        await this.#listen();
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ProblemError && (error.status === 401 || error.status === 403)) return refused(error);
      }
      if (signal.aborted) return;
      const waitMs = Math.min(WAIT_FIRST_MS * 2 ** this.#failures++, WAIT_MAX_MS);
      changed({ kind: "lost" });
      await this.#pause(waitMs);
    }
  }

  async #listen(): Promise<void> {
    const { settings, heard, changed } = this.#parts;
    const attempt = new AbortController();
    const signal = AbortSignal.any([this.#closed.signal, attempt.signal]);
    let silent = setTimeout(() => attempt.abort(), SILENT_MAX_MS);
    try {
      const headers: Record<string, string> = this.#last === null ? {} : { "Last-Event-ID": this.#last };
      const { body } = await send(ROUTES.projectEvents, {}, settings, { signal, headers });
      if (body === null) return;
      changed({ kind: "open" });
      const noticed = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          this.#failures = 0;
          clearTimeout(silent);
          silent = setTimeout(() => attempt.abort(), SILENT_MAX_MS);
          controller.enqueue(chunk);
        },
      });
      for await (const event of eventBlocks(body.pipeThrough(noticed))) {
        if ("retryMs" in event) continue;
        this.#last = event.id ?? this.#last;
        heard(event);
      }
    } finally {
      clearTimeout(silent);
    }
  }

  #pause(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
