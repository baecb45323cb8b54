import { relative } from "node:path";
import { literalPattern } from "../rules/path-component.ts";
import type { RuleSource } from "../rules/rule.ts";
import { CONFIG_NAME } from "./find-config.ts";
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
