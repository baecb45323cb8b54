import type { RunResult } from "../../domain/tool.ts";

/** How the calls of one session of an agent are done: by the agent itself, or by the editor in front of it. */
export interface AgentLink {
  /** Tells the agent that it may, and comes back with how it says that it went. */
  readonly granted: (request: number, signal: AbortSignal) => Promise<RunResult>;
  readonly read: (path: string, signal: AbortSignal) => Promise<RunResult>;
  readonly write: (path: string, content: string, signal: AbortSignal) => Promise<RunResult>;
}

/** The sessions of agents that are connected to this process, by the gate's own ids. */
export class AgentLinks {
  readonly #links = new Map<string, AgentLink>();

  add(sessionId: string, link: AgentLink): void {
    this.#links.set(sessionId, link);
  }

  delete(sessionId: string): void {
    this.#links.delete(sessionId);
  }

  of(sessionId: string): AgentLink | null {
    return this.#links.get(sessionId) ?? null;
  }
}
