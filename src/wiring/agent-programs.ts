import type { Duplex } from "node:stream";
import type { AgentSpec } from "../domain/agent.ts";
import type { EntryDraft, EntryKind } from "../domain/entry.ts";
import { isoTime } from "../domain/iso-time.ts";
import type { JsonObject } from "../domain/json.ts";
import { EVERYTHING } from "../domain/lease.ts";
import type { Clock } from "../ports/clock.ts";
import type { Journal } from "../ports/journal.ts";
import type { SandboxEnd, SandboxedProgram } from "../ports/sandbox.ts";
import type { AgentLinks } from "../tools/acp/agent-links.ts";
import { type AgentFault, startAgent } from "../tools/acp/start-agent.ts";
import type { StartPorts } from "../tools/operator/start-program.ts";
import { type AgentSocket, openAgentSocket } from "./agent-socket.ts";

export type { AgentFault };

export interface AgentProgramsParts extends StartPorts {
  readonly links: AgentLinks;
  readonly clock: Clock;
  readonly journal: Pick<Journal, "note">;
  readonly signature: Pick<EntryDraft, "project" | "sessionId" | "actor">;
}

/** An agent that runs. */
export interface RunningAgent {
  readonly program: Pick<SandboxedProgram, "chunks" | "input" | "stop">;
  /** Settles once nothing of it goes on, and the ledger knows. */
  readonly ended: Promise<SandboxEnd>;
  readonly server: AgentSocket["program"];
}

/** Starts agents, in the sandbox and by the ledger, with a way to the gate that it can't be without. */
export class AgentPrograms {
  readonly #parts: AgentProgramsParts;

  /** How the sessions of agents do their calls. */
  get links(): AgentLinks {
    return this.#parts.links;
  }

  constructor(parts: AgentProgramsParts) {
    this.#parts = parts;
  }

  async start(
    spec: AgentSpec,
    connected: (key: string, stream: Duplex) => void,
    signal: AbortSignal,
  ): Promise<RunningAgent | AgentFault> {
    const { sandbox } = this.#parts;
    await using stack = new AsyncDisposableStack();
    const isHeld = sandbox.missing() === null && sandbox.report().backend === "namespaces";
    const socket = stack.use(await openAgentSocket(connected, isHeld));
    const { installed, callSocket } = socket;
    const how = { ...this.#start(spec), installed, callSocket };
    const started = await startAgent(spec, this.#parts, how, signal);
    if ("code" in started) return started;
    const { program } = started;
    const owned = stack.move();
    const ended = program.ended.then(async (end) => {
      await owned.disposeAsync();
      await this.#note("agent.ended", { agent: spec.name, end: wordFor(end) });
      return end;
    });
    return { program, ended, server: socket.program };
  }

  #start(spec: AgentSpec) {
    const { clock, signature } = this.#parts;
    const { actor, project, sessionId } = signature;
    return {
      facts: {
        tool: spec.name,
        source: "client",
        containment: "client",
        touches: [],
        input: {},
        actor,
        project,
        session: { id: sessionId, project, lease: EVERYTHING },
        nowMs: clock.nowMs(),
      },
      told: ({ grant, argv }: { readonly grant: object; readonly argv: readonly string[] }) =>
        this.#note("agent.started", { agent: spec.name, argv, grant: { ...grant } as JsonObject }),
    } as const;
  }

  /** Null: the ledger knows. */
  async #note(kind: EntryKind, body: JsonObject): Promise<AgentFault | null> {
    const { clock, journal, signature } = this.#parts;
    const at = isoTime(clock.nowMs());
    const noted = await journal.note({ at, kind, ...signature, callId: null, planDigest: null, body });
    return noted.kind === "committed" ? null : noted.refusal;
  }
}

const wordFor = (end: SandboxEnd): string | number => (end.kind === "exited" ? end.exitCode : end.kind);
