import type { Session } from "../../domain/lease.ts";
import { Permissions } from "./permissions.ts";
import { Terminals } from "./terminals.ts";
import { ToolCalls } from "./tool-calls.ts";

/** One session of the agent. */
export class AcpSession {
  /** The gate's: whose calls they are. */
  readonly gate: Session;
  readonly cwd: string;
  readonly toolCalls = new ToolCalls();
  readonly permissions = new Permissions();
  readonly terminals = new Terminals();
  readonly modeIds = new Set<string>();
  /** Settings that have nothing to do with asking, as far as the agent says. */
  readonly harmless = new Set<string>();
  /** The agent's id of it; null = the agent has not said yet. */
  id: string | null;
  /** Ends all that is asked, or run here for it. */
  readonly over = new AbortController();

  constructor(gate: Session, cwd: string, id: string | null) {
    this.gate = gate;
    this.cwd = cwd;
    this.id = id;
  }

  /** Whoever spoke for it has gone. */
  end(): void {
    this.permissions.cancelAsked();
    this.permissions.lose();
    this.over.abort();
  }
}
