import { relative } from "node:path";
import type { NamedProgram } from "../domain/operator-code.ts";
import { literalPattern } from "../rules/path-component.ts";
import type { RuleSource } from "../rules/rule.ts";
import { CONFIG_NAME } from "./find-config.ts";
import { operatorCode } from "./operator-code.ts";
import { ownProgramRules, type RunningProgram } from "./own-program.ts";

export const BUILT_IN_PREFIX = "builtin:";

interface OwnFiles {
  readonly workspace: string;
  readonly stateDir: string;
  /** The config as it was named, and what that name leads to. */
  readonly configPaths: readonly string[];
  /** Left out = this process. */
  readonly running?: RunningProgram;
}

/** A gate whose files its own tools may change is no gate. These rules are in every rule set. */
export function builtInRules({ workspace, stateDir, configPaths, running }: OwnFiles): readonly RuleSource[] {
  const state = [patternBelow(stateDir, workspace)];
  const own = new Set([`./${CONFIG_NAME}`, ...configPaths.map((path) => patternFor(path, workspace)), ...TRUSTED]);
  return [
    {
      id: `${BUILT_IN_PREFIX}own-state`,
      effect: "deny",
      touch: { read: state, write: state, delete: state },
      because: "the gate's own state is closed to tools",
    },
    {
      id: `${BUILT_IN_PREFIX}own-config`,
      effect: "deny",
      touch: { write: [...own], delete: [...own] },
      because: "the gate's own rules are closed to tools",
    },
    ...ownProgramRules(`${BUILT_IN_PREFIX}own-program`, workspace, running),
  ];
}

/**
 * The code of what the operator configured: an upstream with its secret, an agent, or the governor that judges a call. A
 * person changes it. Not in the hash: which files there are depends on the machine.
 */
export function operatorCodeRules(programs: readonly NamedProgram[], workspace: string): readonly RuleSource[] {
  const patterns = new Set<string>();
  for (const program of programs) {
    const { files, folders, data, settings } = operatorCode(program, workspace);
    for (const path of [...files, ...data, ...settings.filter((one) => !MADE_BY_OTHERS.test(one))])
      patterns.add(patternFor(path, workspace));
    for (const path of folders) patterns.add(patternBelow(path, workspace));
  }
  if (patterns.size === 0) return [];
  const closed = [...patterns].sort();
  return [
    {
      id: `${BUILT_IN_PREFIX}operator-code`,
      effect: "deny",
      touch: { write: closed, delete: closed },
      because: "an MCP server, agent or governor of the configuration runs this, so only a person changes it",
      ofMachine: true,
    },
  ];
}

/** Package managers write these for good reasons: they are pinned as far as they say what is run. */
const MADE_BY_OTHERS = /\/(?:package\.json|pyproject\.toml)$/;

/**
 * Whoever may write them accepts configs, says what an accepted one says, or what the gate's own code does. By name,
 * wherever they are, so that the hash is the same for every user; each written out, as only then can programs be kept from
 * making one that is not there yet, and most names be passed over at a glance.
 */
const TRUSTED = ["**/toolgate/trusted", "**/toolgate/trusted-code/**"];

const patternBelow = (folder: string, workspace: string): string =>
  folder === "/" ? "/**" : `${patternFor(folder, workspace)}/**`;

/** Relative to the workspace where it can be, so that the hash does not depend on where the workspace is. */
function patternFor(path: string, workspace: string): string {
  const inside = relative(workspace, path);
  if (inside === "") return ".";
  const isBelow = inside !== ".." && !inside.startsWith("../");
  return isBelow ? `./${literalPattern(inside)}` : literalPattern(path);
}
