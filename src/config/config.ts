import { dirname, resolve } from "node:path";
import { type Digest, digestOfText } from "../domain/digest.ts";
import type { RuleSet } from "../rules/rule-set.ts";
import { builtInRules } from "./built-in-rules.ts";
import { stateFolder, workspaceFolder } from "./config-folders.ts";
import { type ConfigProblem, FILE_START, inPlaceOrder } from "./config-problem.ts";
import { compileConfigRules } from "./config-rules.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";
import { type RawConfig, type ShapeProblem, shapeProblems, wellShaped } from "./config-shape.ts";
import { realPath } from "./real-path.ts";
import { readSettings } from "./settings-file.ts";
import { parseYaml, type YamlDocument } from "./yaml-document.ts";

export interface Config {
  /** The real path of the file; null = there is none, and the defaults hold. */
  readonly path: string | null;
  /** Exactly what was read: what is trusted and what is in force must be the same text. */
  readonly text: string;
  readonly textHash: Digest;
  /** Real and absolute, like `stateDir`. */
  readonly workspace: string;
  readonly stateDir: string;
  readonly project: "default";
  readonly builtin: readonly "files"[];
  readonly rules: RuleSet;
  readonly sandboxMinimum: "namespaces" | "none";
  readonly durability: "full" | "normal";
}

export type LoadedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

export interface ConfigRequest {
  /** Null = without a file: the defaults, under which nothing is allowed. */
  readonly path: string | null;
  /** Relative to the working directory. */
  readonly workspaceOverride?: string;
}

/** A config file that was read and is YAML. */
interface Source {
  readonly file: string;
  readonly path: string | null;
  readonly base: string;
  readonly text: string;
  readonly document: YamlDocument;
}

const NO_FILE: Omit<Source, "base"> = {
  file: "(no config)",
  path: null,
  text: "",
  document: { value: {}, placeOf: () => FILE_START },
};

/** All problems at once; a config with a problem is no config. */
export function loadConfig({ path, workspaceOverride }: ConfigRequest): LoadedConfig {
  if (path === null) return configFrom({ ...NO_FILE, base: resolve(workspaceOverride ?? ".") }, workspaceOverride);
  const real = realPath(resolve(path));
  const read = readSettings(real.ok ? real.path : path, "shared");
  if (!read.ok) {
    const { message, hint } = read;
    return { ok: false, problems: [{ file: path, ...FILE_START, message, ...(hint !== undefined && { hint }) }] };
  }
  const parsed = parseYaml(read.text);
  if (!parsed.ok)
    return { ok: false, problems: inPlaceOrder(parsed.problems.map((problem) => ({ file: path, ...problem }))) };
  const own = real.ok ? real.path : resolve(path);
  return configFrom(
    { file: path, path: own, base: dirname(own), text: read.text, document: parsed.document },
    workspaceOverride,
  );
}

function configFrom(source: Source, override: string | undefined): LoadedConfig {
  const { file, path, base, text, document } = source;
  const shape = shapeProblems(document.value);
  const { raw, rules: given } = wellShaped(document.value, shape);
  const workspace = workspaceFolder(raw, base, override);
  const state = stateFolder(raw, base);
  // Rules are looked at also where a folder is not: all problems at once.
  const root = workspace.ok ? workspace.path : "/";
  const configPaths = path === null ? [] : [...new Set([path, resolve(file)])];
  const builtIn = builtInRules({ workspace: root, stateDir: state.ok ? state.path : root, configPaths });
  const rules = compileConfigRules(given, builtIn, root);
  if (shape.length === 0 && workspace.ok && state.ok && rules.ok) {
    const folders = { workspace: workspace.path, stateDir: state.path };
    return {
      ok: true,
      config: { path, text, textHash: digestOfText(text), ...folders, rules: rules.rules, ...settings(raw) },
    };
  }
  const found = [
    shape,
    workspace.ok ? [] : [workspace.problem],
    state.ok ? [] : [state.problem],
    rules.ok ? [] : rules.problems,
  ];
  const problems = found.flat().map((problem) => placed(problem, file, document));
  return { ok: false, problems: inPlaceOrder(problems) };
}

function settings(raw: RawConfig): Pick<Config, "project" | "builtin" | "sandboxMinimum" | "durability"> {
  const { tools, sandbox, ledger } = CONFIG_SCHEMA.properties;
  return {
    project: "default",
    builtin: raw.tools?.builtin ?? tools.properties.builtin.default,
    sandboxMinimum: raw.sandbox?.minimum ?? sandbox.properties.minimum.default,
    durability: raw.ledger?.durability ?? ledger.properties.durability.default,
  };
}

const placed = ({ path, what, ...problem }: ShapeProblem, file: string, document: YamlDocument): ConfigProblem => ({
  file,
  ...document.placeOf(path, what),
  ...problem,
});
