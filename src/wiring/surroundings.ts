import { tmpdir } from "node:os";
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import { once } from "../domain/once.ts";
import { openFiles } from "../files/open-files.ts";
import { openPrograms } from "../files/open-programs.ts";
import { openTrees } from "../files/open-trees.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Programs } from "../ports/programs.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { Survey } from "../tools/sandboxed/survey.ts";
import { gitIdentity } from "./git-identity.ts";
import { lazyProgramNetwork } from "./lazy-network.ts";

interface Given {
  readonly config: Pick<Config, "workspace" | "stateDir" | "toolchains" | "sandboxMinimum" | "redactor">;
  readonly environment: Pick<Environment, "searchPath" | "home">;
  readonly clock: Clock;
  readonly blobs: Blobs;
}

/** What tools work on and in: the workspace's files, the programs of this machine, and the sandbox that holds them. */
export function surroundings(
  { config, environment, clock, blobs }: Given,
  inner: { readonly sandbox?: Sandbox; readonly programs?: Programs },
) {
  const { workspace, stateDir, redactor, toolchains } = config;
  const { searchPath, home } = environment;
  const files = openFiles({ workspace });
  const whoCommits = once(() => gitIdentity(environment));
  const places = { searchPath: [...searchPath, ...toolchains], workspace: files.workspace, home };
  const sandbox =
    inner.sandbox ?? openSandbox(config.sandboxMinimum, { ...places, gitIdentity: whoCommits, isAhead: true });
  const writable = [files.workspace, stateDir, tmpdir()];
  const programs = inner.programs ?? openPrograms({ searchPath, toolchains, writable });
  const trees = openTrees();
  const network = lazyProgramNetwork(clock);
  const survey = new Survey(trees);
  return {
    ...{ files, programs, trees, survey, sandbox, network },
    ...{ stateDir, redactor, blobs, clock, gitIdentity: whoCommits },
  };
}
