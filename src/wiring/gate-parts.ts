import type { ApprovalDesk } from "../approval/desk.ts";
import type { JsonValue } from "../domain/json.ts";
import type { Session } from "../domain/lease.ts";
import type { PipelinePorts } from "../pipeline/pipeline-ports.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { JournalView } from "../ports/journal-view.ts";
import type { Outcomes } from "../ports/outcomes.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { AgentPrograms } from "./agent-programs.ts";
import type { Always } from "./always.ts";
import type { BlobReader } from "./blob-reader.ts";
import type { RulesCheck } from "./check-rules.ts";
import type { DefinitionProblem } from "./check-tools.ts";
import type { ClientExecutors } from "./client-executors.ts";
import type { FaultLog } from "./fault-log.ts";
import type { Ledger } from "./ledger.ts";
import type { LiveRules } from "./live-rules.ts";
import type { Config } from "./settings.ts";
import type { Upstreams } from "./upstreams.ts";

/** Of the configuration that holds now. */
export type InForce = Pick<Config, "acp" | "rules" | "server">;

/** What a gate is put together from: see `build-gate.ts`. */
export interface GateParts {
  readonly ports: PipelinePorts;
  readonly faults: FaultLog;
  readonly ids: Ids;
  readonly project: string;
  /** Of calls that name no session. */
  readonly session: Session;
  readonly owner: string;
  readonly host: string;
  readonly actor: string;
  readonly ledger: Ledger;
  readonly desk: ApprovalDesk;
  /** For deadlines of questions. */
  readonly steady: Clock;
  readonly always: Always;
  /** Null: the rules are somebody else's, and so is telling the ledger of them. */
  readonly rules: LiveRules | null;
  readonly blobs: BlobReader;
  readonly sessions: Sessions;
  readonly upstreams: Upstreams;
  /** Settles when what is left of programs has been taken away, of this gate's and of gates that were killed. */
  readonly cleared: () => Promise<void>;
  readonly executors: ClientExecutors;
  readonly agentPrograms: AgentPrograms;
  readonly view: JournalView;
  readonly outcomes: Outcomes;
  readonly inForce: () => InForce;
  readonly checkRules: (given?: readonly JsonValue[]) => Promise<RulesCheck>;
  /** What is wrong, or doubtful, about the tools. */
  readonly lint: () => Promise<readonly DefinitionProblem[]>;
}
