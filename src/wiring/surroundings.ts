import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import { isoTime } from "../domain/iso-time.ts";
import { once } from "../domain/once.ts";
import { openDraftRecords } from "../files/draft-records.ts";
import { openFiles } from "../files/open-files.ts";
import { openPrograms } from "../files/open-programs.ts";
import { openTrees } from "../files/open-trees.ts";
import { openQuarantine } from "../files/quarantine.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { Journal } from "../ports/journal.ts";
import type { ProgramRecords } from "../ports/program-records.ts";
import type { Programs } from "../ports/programs.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { ProgramRecordFiles } from "../store/programs/program-records.ts";
import { isOwnerAlive } from "../store/sqlite/owner-lock.ts";
import { heldBackLine } from "../tools/sandboxed/held-back-words.ts";
import { RunningPrograms } from "../tools/sandboxed/running-programs.ts";
import { Survey } from "../tools/sandboxed/survey.ts";
import { gitIdentity } from "./git-identity.ts";
import { lazyProgramNetwork } from "./lazy-network.ts";

interface Given {
  readonly config: Pick<Config, "workspace" | "stateDir" | "toolchains" | "sandboxMinimum" | "tracing" | "redactor">;
  readonly environment: Pick<Environment, "searchPath" | "home">;
  readonly clock: Clock;
  readonly blobs: Blobs;
  readonly journal: Pick<Journal, "note">;
  /** This gate's name. */
  readonly owner: string;
  /** For what a person should know and no outcome says. */
  readonly alarm: (message: string) => void;
}

/** What tools work on and in: the workspace's files, the programs of this machine, and the sandbox that holds them. */
export function surroundings(
  { config, environment, clock, blobs, journal, owner, alarm }: Given,
  inner: { readonly sandbox?: Sandbox; readonly programs?: Programs },
) {
  const { workspace, stateDir, redactor, toolchains } = config;
  const { searchPath, home } = environment;
  const records = new ProgramRecordFiles(stateDir, owner);
  const drafts = openDraftRecords(stateDir, { owner, isAlive: (other) => isOwnerAlive(stateDir, other) });
  drafts.sweep();
  const files = admittingFiles(openFiles({ workspace, drafts }), records);
  const whoCommits = once(() => gitIdentity(environment));
  const places = { searchPath: [...searchPath, ...toolchains], workspace: files.workspace, home };
  const sandbox =
    inner.sandbox ??
    openSandbox(config.sandboxMinimum, { ...places, tracing: config.tracing, gitIdentity: whoCommits });
  const writable = [files.workspace, stateDir, tmpdir()];
  const programs = inner.programs ?? openPrograms({ searchPath, toolchains, writable });
  const trees = openTrees();
  const network = lazyProgramNetwork(clock);
  const survey = new Survey(trees);
  const runningPrograms = new RunningPrograms({
    ...{ trees, survey, records, clock },
    workspace: files.workspace,
    quarantine: openQuarantine(stateDir, clock.nowMs),
    note: async ({ project, sessionId, actor, callId }, body) => {
      const entry = { at: isoTime(clock.nowMs()), project, sessionId, actor, callId, planDigest: null, body };
      const noted = await journal.note({ ...entry, kind: "workspace.held_back" });
      if (noted.kind === "failed") alarm(`the ledger does not name what was held back: ${noted.refusal.message}`);
    },
    alarm: (places) => alarm(`${heldBackLine(places, files)}`),
  });
  runningPrograms.recover().catch((error: unknown) => {
    alarm(`the workspace could not be searched for what killed programs left: ${error}`);
  });
  return {
    ...{ files, programs, trees, survey, runningPrograms, sandbox, network },
    ...{ stateDir, redactor, blobs, clock, gitIdentity: whoCommits },
  };
}

/** What the gate itself writes was judged by itself: it may stay at a place that is closed to the programs that run. */
const admittingFiles = (files: Files, records: ProgramRecords): Files => ({
  ...files,
  change: (changes) => {
    const written = changes.flatMap(({ path, content }) => (content === null ? [] : [{ path, content }]));
    const folders = changes.flatMap(({ folders = [] }) => folders);
    records.admit(() => [
      ...written.map(({ path, content }) => ({ path, digest: sha256(content) })),
      ...folders.map((path) => ({ path, digest: "folder" })),
    ]);
    return files.change(changes);
  },
});

const sha256 = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
