import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { AutomaticAnswers } from "../approval/automatic-answers.ts";
import { ApprovalDesk } from "../approval/desk.ts";
import type { Config } from "../config/config.ts";
import { type Environment, readEnvironment } from "../config/environment.ts";
import type { JudgedCall, Tool } from "../domain/call.ts";
import { factsOf } from "../domain/call-facts.ts";
import { isWithin } from "../domain/is-within.ts";
import { EVERYTHING, type Session } from "../domain/lease.ts";
import { openProgramHashes } from "../files/program-hashes.ts";
import { KeptTexts } from "../pipeline/kept-texts.ts";
import type { PipelinePorts } from "../pipeline/pipeline-ports.ts";
import { redactedJournal } from "../pipeline/redacted-journal.ts";
import type { Approver, AskedAs } from "../ports/desk.ts";
import type { Probe } from "../ports/probe.ts";
import { knownSecretIn } from "../redact/known-secret-in.ts";
import { LeaseClock } from "../sessions/lease-clock.ts";
import { hasEnded, LeasesInForce } from "../sessions/leases-in-force.ts";
import { openersOf } from "../sessions/openers-of.ts";
import { Sessions } from "../sessions/sessions.ts";
import { ArtifactFiles } from "../store/artifacts/artifact-files.ts";
import { BlobFiles } from "../store/blobs/blob-files.ts";
import { NoteFiles } from "../store/notes/note-files.ts";
import { OutcomeRows } from "../store/outcomes/outcome-rows.ts";
import { pinFiles } from "../store/pins/pin-files.ts";
import { SqliteJournal } from "../store/sqlite/journal.ts";
import { RecentLines } from "../store/sqlite/recent-lines.ts";
import { SqliteView } from "../store/sqlite/sqlite-view.ts";
import { AgentLinks } from "../tools/acp/agent-links.ts";
import { agentTools } from "../tools/acp/agent-tools.ts";
import { atipTools } from "../tools/atip/atip-tools.ts";
import type { FunctionGovernor } from "../tools/governor/function-governor.ts";
import { GovernorCode } from "../tools/governor/governor-code.ts";
import { lintScripts } from "../tools/lint/lint-scripts.ts";
import { scriptTools } from "../tools/script/script-tools.ts";
import { AgentPrograms } from "./agent-programs.ts";
import { Always } from "./always.ts";
import { BlobReader } from "./blob-reader.ts";
import { builtinTools } from "./builtin-tools.ts";
import { catalogWith } from "./catalog-of.ts";
import { checkTools } from "./check-tools.ts";
import { ClientExecutors } from "./client-executors.ts";
import { FaultLog, type OnFault } from "./fault-log.ts";
import { Gate } from "./gate.ts";
import { HeldContent } from "./held-content.ts";
import type { InnerParts } from "./inner-parts.ts";
import { LateResults } from "./late-results.ts";
import { lazyWeb } from "./lazy-network.ts";
import { Ledger } from "./ledger.ts";
import { LiveGovernors } from "./live-governors.ts";
import { LiveRules, type Reread } from "./live-rules.ts";
import { LiveTools } from "./live-tools.ts";
import { operatorCodeHashes } from "./operator-code-hashes.ts";
import { OwnResults } from "./own-results.ts";
import { rolesOf } from "./roles-of.ts";
import { steadyClock } from "./steady-clock.ts";
import { surroundings } from "./surroundings.ts";
import { systemClock } from "./system-clock.ts";
import { systemIds } from "./system-ids.ts";
import { pinNotes, Upstreams } from "./upstreams.ts";
import { userName } from "./user-name.ts";

export type { Approver, AskedAs, InnerParts };

export interface GateOptions {
  readonly config: Config;
  /** Tools beside the built-in ones: see `defineTool`. */
  readonly tools?: readonly Tool[];
  /** Agents whose own calls are judged here: there are tools for them, which no model is to be offered. Left out = none. */
  readonly agents?: "judged";
  /** Governors beside those of the config's file: functions that look at every call and may object. */
  readonly governors?: readonly FunctionGovernor[];
  /** Who can be asked right here. Nobody, unless a door says so: then questions wait for other doors. */
  readonly approver?: Approver;
  /** Reads the settings again that the config came from, so that changed rules come into force. Absent = they don't. */
  readonly reread?: () => Reread;
  /** Where this user's own state is; read from the process where absent. */
  readonly environment?: Environment;
  /** Told what a person should know: rules that could not be loaded. */
  readonly alarm?: (message: string) => void;
  /** Hears of exceptions of the gate's own, without secrets. Left out: they are warnings of the process, on stderr. */
  readonly onFault?: OnFault;
}

const NOBODY: Approver = { ask: async () => null };
const SILENT: Probe = { reached: () => {} };

/** Builds a gate from a config. Opens no file but what the config names, and the ledger only with the first call. */
export function buildGate(
  {
    config,
    tools = [],
    agents,
    governors = [],
    approver = NOBODY,
    reread,
    environment = readEnvironment(),
    alarm = () => {},
    onFault,
  }: GateOptions,
  inner: Partial<InnerParts> = {},
): Gate {
  const { workspace, stateDir, durability, project, redactor } = config;
  const clock = inner.clock ?? systemClock;
  const ids = inner.ids ?? systemIds(clock.nowMs);
  const [owner, recent] = [ids.next("owner"), new RecentLines()];
  const faults = new FaultLog(redactor, onFault);
  const sqlite = new SqliteJournal({
    recent,
    faults,
    stateDir,
    durability,
    owner,
    clock,
    // What lies in the workspace may have come with it.
    brought: isWithin(stateDir, workspace) ? "refuse" : "use",
  });
  const blobs = inner.blobs ?? new BlobFiles(stateDir);
  const journal = redactedJournal(inner.journal ?? sqlite, redactor, blobs);
  const running = surroundings({ config, environment, clock, blobs, journal, owner, alarm }, inner);
  const { files, programs } = running;
  const { web = lazyWeb(clock) } = inner;
  const { webSearch } = config;
  const search = webSearch && { name: webSearch.backend, url: webSearch.url, key: webSearch.key?.value ?? null };
  const secretIn = knownSecretIn(webSearch?.key ? [webSearch.key] : []);
  const view = new SqliteView({ stateDir, clock, recent, faults, onWritten: (written) => sqlite.onWritten(written) });
  const notes = new NoteFiles(stateDir);
  const leases = new LeasesInForce(journal, new LeaseClock(clock), files.workspace, faults);
  const own = new OwnResults({ leases, view, workspace: files.workspace, project });
  const held = new HeldContent({ clock, journal, notes, own });
  const stored = { artifacts: new ArtifactFiles(stateDir), evidence: held };
  const asking = { providers: config.modelProviders, nowMs: clock.nowMs, rules: () => rules.current() };
  const builtin = builtinTools(config.builtin, { ...running, ...stored, ...asking, web, search, secretIn });
  const executors = new ClientExecutors({
    ...{ clock, files, programs, journal, view, project },
    specs: config.clientTools,
    late: new LateResults({ blobs, clock, journal, notes, redactor }),
  });
  const scripting = {
    ...running,
    nowMs: clock.nowMs,
    random: Math.random,
    notes,
    profile: config.errorProfile,
  };
  const links = new AgentLinks();
  const describing = { ...running, hashes: openProgramHashes() };
  const live = new LiveTools({
    config,
    fixed: [...builtin, ...executors.tools, ...tools, ...(agents ? agentTools(links, running) : [])],
    make: ({ atip, scripts }) => [
      ...(atip.length === 0 ? [] : atipTools(atip, describing)),
      ...scriptTools(scripts, scripting),
    ],
  });
  const actor = `local:${userName()}`;
  const session: Session = { id: ids.next("session"), project, lease: EVERYTHING };
  const signature = { project, sessionId: session.id, actor };
  const pinning = { clock, pins: pinFiles(stateDir, clock), codeHashes: operatorCodeHashes(files.workspace) };
  const governorCode = new GovernorCode({
    ...{ ...pinning, workspace: files.workspace },
    note: pinNotes({ journal, signature, clock }),
  });
  const governing = new LiveGovernors({
    ...{ ...running, web, clock, signature, config, functions: governors, code: governorCode },
    rules: () => rules.current(),
  });
  const rules: LiveRules = new LiveRules({
    config,
    reread: reread ?? null,
    clock,
    journal,
    faults,
    signature,
    followers: [live, governing],
    alarm,
  });
  const ruleBook = inner.ruleBook ?? rules;
  const approversOf = (call: JudgedCall) =>
    ruleBook.current().approvers?.(call.verdict.touches, factsOf(call, clock.nowMs)) ?? [];
  const automatic = new AutomaticAnswers({
    ...{ files, clock, redactor, approversOf },
    policies: () => rules.config.autoApprovals,
    objections: () => rules.config.autoObjections,
    governors: () => governing.current(),
    hash: () => governing.hashWith(rules.config.automaticHash),
  });
  const steady = steadyClock(clock);
  const desk = new ApprovalDesk({
    ...{ journal, clock: steady, ids, approver, redactor, approversOf },
    openersOf: (sessionId) => openersOf(journal.sessions, sessionId),
    rolesOf: (who) => rolesOf(who, rules.config.server.users),
    ...inner.approval,
  });
  const catalog = inner.catalog ?? live;
  const upstreams = new Upstreams({
    ...running,
    specs: config.upstreams,
    rules: () => rules.current(),
    web,
    ...pinning,
    governors: { code: governorCode, specs: () => rules.config.governors.specs },
    isOver: (id) => hasEnded(leases.find(id, project)),
    taken: () => catalog.names(),
    journal,
    clock,
    signature,
  });
  live.onChange(() => upstreams.source.changed());
  const ports: PipelinePorts = {
    automatic,
    catalog: config.upstreams.length === 0 ? catalog : catalogWith(catalog, upstreams.source),
    clock,
    blobs,
    desk,
    faults,
    journal,
    leases,
    probe: inner.probe ?? SILENT,
    redactor,
    ruleBook,
    workspace: files.workspace,
    prices: () => rules.config.prices,
    ...(config.keep === "texts" && { texts: new KeptTexts(blobs, redactor) }),
    progress: () => {},
  };
  const gate = new Gate({
    ports,
    faults,
    ids,
    project,
    session,
    owner,
    host: hostname(),
    actor,
    rules: inner.ruleBook === undefined ? rules : null,
    always: new Always({ stateDir, workspace, environment, rules, journal, clock }),
    ledger: new Ledger(stateDir, sqlite),
    view,
    outcomes: new OutcomeRows(stateDir),
    inForce: () => rules.config,
    steady,
    desk,
    upstreams,
    cleared: () => running.runningPrograms.idle(),
    executors,
    agentPrograms: new AgentPrograms({ ...running, links, rules: () => rules.current(), journal, signature }),
    checkRules: async (given) => {
      const { checkGiven, checkOnDisk } = await import("./check-rules.ts");
      return given === undefined ? checkOnDisk(rules) : checkGiven(given, rules.config);
    },
    lint: async () => {
      const definitions = [...live.all()].map(({ definition }) => definition);
      const scripts = await lintScripts(live.scripts, programs, files.workspace);
      return [...checkTools(definitions), ...scripts, ...upstreams.problems()];
    },
    blobs: new BlobReader({
      ...{ blobs, project, redactor },
      collect: async (mode) => {
        const { collectUnnamed } = await import("./blob-collector.ts");
        return collectUnnamed({ stateDir, clock, sqlite, journal, faults, signature }, mode);
      },
      publish: async (content, options) => {
        const { publishBlob } = await import("./publish-blob.ts");
        const { workspace } = files;
        return publishBlob(content, options, { blobs, clock, held, journal, leases, redactor, workspace, signature });
      },
    }),
    sessions: new Sessions({
      ...{ journal, clock, faults, ids, leases, project, actor, randomBytes },
      workspace: files.workspace,
      implicit: session,
      withdraw: (of, isMeant) => desk.withdraw(of, isMeant),
    }),
  });
  sqlite.sharedBy(
    () => gate.executions.load.running,
    () => gate.executions.isServing,
  );
  return gate;
}
