import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { openFiles } from "../../../src/files/open-files.ts";
import { openPrograms } from "../../../src/files/open-programs.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import type { GovernorsParts } from "../../../src/tools/governor/governors-from.ts";
import { lazyProgramNetwork, lazyWeb } from "../../../src/wiring/lazy-network.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { factsFor, rulesOf } from "../../rules/sample-facts.ts";
import { runningPorts } from "../sandboxed/running-ports.ts";

/** A busy machine may take any time for anything. */
export const PATIENT: Clock = { ...systemClock, after: () => () => {} };

export const QUESTION = { phase: "permission", sessionId: "session_1", toolCall: { name: "write_file" } };

export interface GovernorScratch extends Disposable {
  readonly workspace: string;
  readonly put: (path: string, text: string) => void;
  readonly parts: GovernorsParts & { readonly facts: (id: string) => ReturnType<typeof factsFor> };
}

/** A workspace, and all that governors need: real files, real bubblewrap, real sockets. */
export function openGovernorScratch(rules: readonly RuleSource[] = []): GovernorScratch {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-governor-")));
  const files = openFiles({ workspace });
  const searchPath = (process.env["PATH"] ?? "").split(delimiter);
  const programs = openPrograms({ searchPath, toolchains: [], writable: [workspace] });
  const set = rulesOf(rules, workspace);
  return {
    workspace,
    put: (path, text) => {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text, { mode: 0o755 });
    },
    parts: {
      ...runningPorts(files, programs, join(workspace, ".toolgate")),
      network: lazyProgramNetwork(PATIENT),
      web: lazyWeb(PATIENT),
      clock: PATIENT,
      rules: () => set,
      facts: (id) => factsFor(`governor:${id}`),
      code: { whyHeldBack: async () => null },
      signature: { project: "default", sessionId: "session_1", actor: "ann" },
    },
    [Symbol.dispose]: () => rmSync(workspace, { recursive: true, force: true }),
  };
}
