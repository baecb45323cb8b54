import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Sandbox, SandboxCommand, SandboxEnd, SandboxedProgram, SandboxFault } from "../ports/sandbox.ts";
import { type Launchers, launchArguments } from "./bubblewrap-arguments.ts";
import { findProgram, type ProgramPlaces } from "./find-program.ts";
import { Launch } from "./launch.ts";
import { faultFromSpawn, missingProgram } from "./sandbox-faults.ts";

/** Programs in namespaces of their own, by bubblewrap. The programs it needs are looked for once, when first needed. */
export function openBubblewrap(places: ProgramPlaces): Sandbox {
  let found: Launchers | SandboxFault | null = null;
  const launchers = (): Launchers | SandboxFault => {
    found ??= findLaunchers(places);
    return found;
  };
  return {
    missing: () => {
      const all = launchers();
      return "code" in all ? all : null;
    },
    start: (command, signal) => {
      const all = launchers();
      if ("code" in all) return notStarted({ kind: "refused", fault: all });
      return signal.aborted ? notStarted({ kind: "stopped" }) : started(command, all, signal);
    },
  };
}

function findLaunchers(places: ProgramPlaces): Launchers | SandboxFault {
  const bwrap = findProgram("bwrap", places);
  if (bwrap.kind !== "found") return missingProgram("bwrap", "bubblewrap", bwrap);
  const prlimit = findProgram("prlimit", places);
  if (prlimit.kind !== "found") return missingProgram("prlimit", "util-linux", prlimit);
  return { bwrap: bwrap.path, prlimit: prlimit.path };
}

const NOTHING: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => [].values() as never };

const notStarted = (end: SandboxEnd): SandboxedProgram => ({
  output: NOTHING,
  ended: Promise.resolve(end),
  stop: () => {},
});

function started(command: SandboxCommand, launchers: Launchers, signal: AbortSignal): SandboxedProgram {
  const readyFolder = `/.toolgate-${randomBytes(8).toString("hex")}`;
  const [program, ...args] = launchArguments(command, launchers, readyFolder);
  const held = command.mounts.flatMap((mount) => (mount.kind === "held" ? [mount.held] : []));
  try {
    // An empty environment for bubblewrap too: the program could read its launcher's.
    const child = spawn(program, args, { env: {}, cwd: "/", stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"] });
    return new Launch({ child, held, readyFolder }, signal);
  } catch (error) {
    return notStarted({ kind: "refused", fault: faultFromSpawn(error) });
  }
}
