import type { PlannedCall } from "./call.ts";
import type { Containment } from "./containment.ts";
import type { JsonObject } from "./json.ts";
import type { Session } from "./lease.ts";
import type { SandboxBackend } from "./sandbox-report.ts";
import type { ToolSource } from "./tool.ts";
import type { ToolEffects, Trust } from "./tool-effects.ts";
import type { Touch } from "./touch.ts";

/** What rules may ask about a call, beside the touch that they judge. */
export interface CallFacts {
  readonly tool: string;
  readonly source: ToolSource;
  readonly containment: Containment;
  /** Who holds in the program that it starts; absent = it starts none. */
  readonly sandbox?: SandboxBackend | undefined;
  readonly effects?: ToolEffects | undefined;
  readonly trust?: Trust | undefined;
  readonly touches: readonly Touch[];
  readonly input: JsonObject;
  readonly actor: string;
  readonly project: string;
  readonly session: Session;
  readonly nowMs: number;
}

/** Asked at most once a call: hardly any rule wants to know the time. */
type ReadClock = () => number;

/** One object for all touches of a call: what conditions see is built from it once. */
export const factsOf = (call: PlannedCall, nowMs: ReadClock): CallFacts => new FactsOfCall(call, nowMs);

class FactsOfCall implements CallFacts {
  readonly tool: string;
  readonly source: ToolSource;
  readonly containment: Containment;
  readonly sandbox: SandboxBackend | undefined;
  readonly effects: ToolEffects | undefined;
  readonly trust: Trust | undefined;
  readonly touches: readonly Touch[];
  readonly input: JsonObject;
  readonly actor: string;
  readonly project: string;
  readonly session: Session;
  readonly #readClock: ReadClock;
  #nowMs: number | null = null;

  constructor({ plan, tool, actor, project, session }: PlannedCall, readClock: ReadClock) {
    const { source, effects, trust } = tool.definition;
    this.tool = plan.tool;
    this.source = source;
    this.containment = plan.containment;
    this.sandbox = plan.sandbox?.report.backend;
    this.effects = effects;
    this.trust = trust;
    this.touches = plan.touches;
    this.input = plan.input;
    this.actor = actor;
    this.project = project;
    this.session = session;
    this.#readClock = readClock;
  }

  /** The same for all who ask. */
  get nowMs(): number {
    this.#nowMs ??= this.#readClock();
    return this.#nowMs;
  }
}
