import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { readEnvironment } from "../../src/config/environment.ts";
import type { Tool } from "../../src/domain/call.ts";
import type { Entry } from "../../src/domain/entry.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Completed, Failed, Outcome, Pending, Refused, Unknown } from "../../src/domain/outcome.ts";
import type { CallState } from "../../src/domain/state.ts";
import type { Approver } from "../../src/ports/desk.ts";
import type { Fault } from "../../src/ports/faults.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { LedgerReader } from "../../src/store/sqlite/ledger-reader.ts";
import { journalFile } from "../../src/store/sqlite/open-database.ts";
import { stateFromCode } from "../../src/store/sqlite/state-code.ts";
import type { FunctionGovernor } from "../../src/tools/governor/function-governor.ts";
import { buildGate, type InnerParts } from "../../src/wiring/build-gate.ts";
import type { Gate } from "../../src/wiring/gate.ts";
import { readSettings } from "../../src/wiring/settings.ts";

export interface Folders {
  readonly folder: string;
  readonly workspace: string;
  readonly stateDir: string;
}

export interface GateParts {
  /** More of the config than its rules, and the environment that it is read in. */
  readonly config?: JsonObject;
  readonly variables?: Readonly<Record<string, string>>;
  /** Files beside the config, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The home of whoever runs the gate, below its folder. */
  readonly home?: string;
  /** Another state directory than its own. */
  readonly stateDir?: string;
  readonly rules?: readonly RuleSource[];
  readonly tools?: readonly Tool[] | ((folders: Folders) => readonly Tool[]);
  readonly approver?: Approver;
  readonly governors?: readonly FunctionGovernor[];
  /** Agents whose own calls are judged. */
  readonly agents?: "judged";
  readonly alarm?: (message: string) => void;
  readonly inner?: Partial<InnerParts>;
  /** The config is read anew when it changes, as a server does: so rules of "always" come into force. */
  readonly settings?: "followed";
  /** `untold`: the ledger has no entry about the rules, so that entries are easy to count. */
  readonly policy?: "untold";
}

export interface CallRow {
  readonly callId: string;
  readonly state: CallState;
  readonly tool: string;
}

/** A workspace with rules, and a real gate on it: real files, real SQLite. */
export interface ScratchGate extends Folders, AsyncDisposable {
  readonly gate: Gate;
  readonly config: Config;
  /** What its gates reported of exceptions of their own. */
  readonly faults: readonly Fault[];
  /** Another gate on the same workspace and state, closed with the rest. */
  readonly again: (parts?: GateParts) => Gate;
  readonly put: (path: string, content?: string | Uint8Array) => string;
  readonly text: (path: string) => string;
  /** The table of calls, as it is on the disk. */
  readonly rows: () => readonly CallRow[];
  readonly entries: (callId?: string) => readonly Entry[];
}

export const ALLOW_ALL: readonly RuleSource[] = [
  { id: "all-files", effect: "allow", touch: { read: ["./**"], write: ["./**"], delete: ["./**"] } },
];
export const ASK_ALL: readonly RuleSource[] = [
  { id: "ask-files", effect: "ask", touch: { read: ["./**"], write: ["./**"] }, because: "people decide" },
];

export const approves: Approver = { ask: async () => ({ kind: "approve", who: "ann" }) };

export function openScratchGate(parts: GateParts = {}): ScratchGate {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-gate-")));
  try {
    return openScratchGateIn(folder, parts);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function openScratchGateIn(folder: string, parts: GateParts): ScratchGate {
  const workspace = join(folder, "ws");
  const stateDir = join(folder, "state");
  mkdirSync(workspace);
  for (const [name, text] of Object.entries(parts.files ?? {})) writeFileSync(join(folder, name), text);
  const config = configIn(folder, parts);
  const configFlag = join(folder, "toolgate.yaml");
  // What is accepted is accepted in this folder, and not for whoever runs the tests.
  const own = parts.home === undefined ? {} : { home: join(folder, parts.home) };
  const environment = { ...readEnvironment(), xdgState: join(folder, "accepted"), ...own };
  const gates: Gate[] = [];
  const faults: Fault[] = [];
  const scratch = {
    folder,
    workspace,
    stateDir,
    config,
    faults,
    put: (path: string, content: string | Uint8Array = path) => {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), content);
      return join(workspace, path);
    },
    text: (path: string) => readFileSync(join(workspace, path), "utf8"),
    rows: () => rowsIn(stateDir),
    entries: (callId?: string) =>
      entriesIn(stateDir).filter((entry) => callId === undefined || entry.callId === callId),
    again: (more: GateParts = {}) => {
      const { tools = [], approver, agents, alarm, governors = [], inner, policy, settings } = { ...parts, ...more };
      const own = more.rules ? configIn(folder, { ...parts, ...more }) : config;
      const gate = buildGate(
        {
          config: more.stateDir === undefined ? own : { ...own, stateDir: more.stateDir },
          tools: typeof tools === "function" ? tools(scratch) : tools,
          ...(approver && { approver }),
          ...(agents && { agents }),
          ...(alarm && { alarm }),
          governors,
          environment,
          onFault: (fault) => void faults.push(fault),
          ...(settings === "followed" && {
            reread: () => readSettings({ cwd: process.cwd(), environment, configFlag }),
          }),
        },
        policy === "untold" ? { ruleBook: { current: () => own.rules }, ...inner } : inner,
      );
      gates.push(gate);
      return gate;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled(gates.map((gate) => gate.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return Object.assign(scratch, { gate: scratch.again() });
}

/** YAML is a superset of JSON, so what `JSON.stringify` writes is a config. */
function configIn(folder: string, { rules = ALLOW_ALL, config = {}, variables = {} }: GateParts): Config {
  const path = join(folder, "toolgate.yaml");
  writeFileSync(path, JSON.stringify({ workspace: "ws", state: "state", rules, ...config }));
  const loaded = loadConfig({ path, variables });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

export function rowsIn(stateDir: string): readonly CallRow[] {
  const db = new DatabaseSync(journalFile(stateDir), { readOnly: true, timeout: 5000 });
  try {
    return db
      .prepare("SELECT call_id, state, tool FROM calls ORDER BY call_id")
      .all()
      .map((row) => ({
        callId: String(row["call_id"]),
        state: stateFromCode(row["state"]),
        tool: String(row["tool"]),
      }));
  } finally {
    db.close();
  }
}

export function entriesIn(stateDir: string): readonly Entry[] {
  const reader = LedgerReader.open(stateDir);
  try {
    return reader === null ? [] : [...reader.entries({ from: 1, to: Number.MAX_SAFE_INTEGER })];
  } finally {
    reader?.close();
  }
}

interface Kinds {
  readonly completed: Completed;
  readonly failed: Failed;
  readonly refused: Refused;
  readonly pending: Pending;
  readonly unknown: Unknown;
}

/** The outcome, which has to be of this kind. */
export function asKind<Kind extends keyof Kinds>(outcome: Outcome, kind: Kind): Kinds[Kind] {
  if (outcome.kind !== kind) throw new Error(`not ${kind}: ${JSON.stringify(outcome)}`);
  return outcome as Kinds[Kind];
}

/** `completed` or `pending`, or the code of whatever else it is: what the tables compare. */
export function codeOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case "completed":
    case "pending":
      return outcome.kind;
    case "refused":
      return outcome.refusal.code;
    default:
      return outcome.error.code;
  }
}
