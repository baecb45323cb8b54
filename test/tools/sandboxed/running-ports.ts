import { join } from "node:path";
import { openTrees } from "../../../src/files/open-trees.ts";
import { openQuarantine } from "../../../src/files/quarantine.ts";
import type { Files } from "../../../src/ports/files.ts";
import type { Programs } from "../../../src/ports/programs.ts";
import type { Trees } from "../../../src/ports/trees.ts";
import { BlobFiles } from "../../../src/store/blobs/blob-files.ts";
import { ProgramRecordFiles } from "../../../src/store/programs/program-records.ts";
import type { ShellPorts } from "../../../src/tools/builtin/run-command.ts";
import { RunningPrograms, type RunningProgramsParts } from "../../../src/tools/sandboxed/running-programs.ts";
import { Survey } from "../../../src/tools/sandboxed/survey.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { realSandbox } from "../../sandbox/real-sandbox.ts";
import { redactorFor } from "../../support/redaction.ts";

/** As of a program that a call runs. */
export const SOME_PROGRAM = {
  ...{ program: "run_command", project: "default", sessionId: "session_1", actor: "ann", callId: "call_1" },
} as const;

let gates = 0;

/** Running programs of one gate on this state directory; `owner` names the gate. */
function runningPrograms(
  workspace: string,
  {
    trees = openTrees(),
    stateDir = join(workspace, "../state"),
    owner = `owner_${++gates}`,
    ...more
  }: Partial<RunningProgramsParts> & { readonly stateDir?: string; readonly owner?: string } = {},
): RunningPrograms {
  return new RunningPrograms({
    ...{ workspace, trees, clock: systemClock, survey: new Survey(trees) },
    quarantine: openQuarantine(stateDir, Date.now),
    records: new ProgramRecordFiles(stateDir, owner),
    note: async () => {},
    alarm: () => {},
    ...more,
  });
}

/** What `layout` needs, with these folders. */
export function layoutParts(files: Files, trees: Trees = openTrees(), stateDir = join(files.workspace, "../state")) {
  return {
    ...{ files, trees, survey: new Survey(trees) },
    runningPrograms: runningPrograms(files.workspace, { trees, stateDir }),
    stateDir: join(files.workspace, ".toolgate"),
  };
}

/** What tools need that run programs: all of it real. */
export function runningPorts(
  files: Files,
  programs: Programs,
  stateDir = join(files.workspace, "../state"),
): ShellPorts {
  return {
    ...layoutParts(files, openTrees(), stateDir),
    ...{ programs, stateDir },
    sandbox: realSandbox(files.workspace),
    redactor: redactorFor(),
    network: { open: () => Promise.reject(new Error("no network")) },
    blobs: new BlobFiles(stateDir),
    clock: systemClock,
  };
}
