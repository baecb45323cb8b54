import { join } from "node:path";
import { openTrees } from "../../../src/files/open-trees.ts";
import type { Files } from "../../../src/ports/files.ts";
import type { Programs } from "../../../src/ports/programs.ts";
import { BlobFiles } from "../../../src/store/blobs/blob-files.ts";
import type { ShellPorts } from "../../../src/tools/builtin/run-command.ts";
import { Survey } from "../../../src/tools/sandboxed/survey.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { realSandbox } from "../../sandbox/real-sandbox.ts";
import { redactorFor } from "../../support/redaction.ts";

/** What tools need that run programs: all of it real. */
export function runningPorts(files: Files, programs: Programs): ShellPorts {
  const trees = openTrees();
  const sandbox = realSandbox(files.workspace);
  return {
    files,
    programs,
    trees,
    survey: new Survey(trees),
    stateDir: join(files.workspace, "../state"),
    sandbox,
    redactor: redactorFor(),
    network: { open: () => Promise.reject(new Error("no network")) },
    blobs: new BlobFiles(join(files.workspace, "../state")),
    clock: systemClock,
  };
}
