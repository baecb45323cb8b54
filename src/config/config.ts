import { dirname, resolve } from "node:path";
import type { BuiltinSet } from "../domain/builtin-names.ts";
import { canonicalJson } from "../domain/canonical-json.ts";
import { type Digest, digestOfText } from "../domain/digest.ts";
import type { GovernorSpecs } from "../domain/governor-spec.ts";
import type { JsonObject } from "../domain/json.ts";
import { governorProgram, type NamedProgram } from "../domain/operator-code.ts";
import type { Price } from "../domain/price.ts";
import type { SandboxMinimum } from "../domain/sandbox-report.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { AutoApproval, AutoObjection } from "../rules/auto-approval.ts";
import type { ExampleResult } from "../rules/rule-examples.ts";
import type { RuleSet } from "../rules/rule-set.ts";
import { alwaysFile, readAlwaysRules } from "./always-rules.ts";
import { readAutoApprovals } from "./auto-approvals-file.ts";
import { builtInRules, operatorCodeRules } from "./built-in-rules.ts";
import { stateFolder, workspaceFolder } from "./config-folders.ts";
import { type ConfigProblem, FILE_START, inPlaceOrder } from "./config-problem.ts";
import { redactionFrom } from "./config-redaction.ts";
import { compileConfigRules } from "./config-rules.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";
import { type RawConfig, shapeProblems, wellShaped, wellShapedRules } from "./config-shape.ts";
import { readGovernorsFile } from "./governors-file.ts";
import { openConditions } from "./open-conditions.ts";
import { priceProblems, pricesFrom } from "./prices.ts";
import { realPath } from "./real-path.ts";
import { readRulesFile } from "./rules-file.ts";
import { sandboxRules } from "./sandbox-rules.ts";
import { type ServerSettings, serverFrom, serverProblems } from "./server-settings.ts";
import { contentOf, readToolSources, type ToolSources } from "./tool-sources.ts";
import type { Variables } from "./variables.ts";
import { placed, readYaml, type YamlSource } from "./yaml-source.ts";

export interface Config extends ToolSources {
  /** The real path of the file; null = there is none, and the defaults hold. */
  readonly path: string | null;
  /** Exactly what was read, the rules files too: what is trusted and what is in force must be the same text. */
  readonly text: string;
  readonly textHash: Digest;
  /** What answers of "always" have added, which has to be accepted by itself; null = nothing. */
  readonly always: { readonly path: string; readonly text: string } | null;
  /** All files that were read, and where another would be read if it came: what a change of the rules changes. */
  readonly files: readonly string[];
  /** Real and absolute, like `stateDir`. */
  readonly workspace: string;
  readonly stateDir: string;
  readonly project: "default";
  readonly builtin: readonly BuiltinSet[];
  /** Absolute. Beside those of PATH. */
  readonly toolchains: readonly string[];
  readonly rules: RuleSet;
  /** Of all that answers by itself; null = nothing does. */
  readonly automaticHash: Digest | null;
  /** Policies that say yes to questions; those that say something else are among the rules. */
  readonly autoApprovals: readonly AutoApproval[];
  /** Those among them that say no, or want a person, for what rules can't see. */
  readonly autoObjections: readonly AutoObjection[];
  /** The policy files of APM2 among `rulesFiles`, and where they decide otherwise here than there. */
  readonly policies: readonly { readonly name: string; readonly text: string }[];
  readonly notes: readonly ConfigProblem[];
  /** How many of them are the gate's own. */
  readonly ownRules: number;
  readonly sandboxMinimum: SandboxMinimum;
  /** Whether programs may trace other processes of their own sandbox. */
  readonly tracing: "deny" | "allow";
  /** Tools, by name or pattern, whose programs have to be held in even where that is `none`. */
  readonly containedTools: readonly string[];
  readonly durability: "full" | "normal";
  /** Whether the redacted texts of calls are kept beside the ledger. */
  readonly keep: "digests" | "texts";
  /** Takes out the secrets and what looks like one. Their values are nowhere else. */
  readonly redactor: Redactor;
  /** Who looks at every call and may object. */
  readonly governors: GovernorSpecs;
  readonly server: ServerSettings;
  /** What models cost. */
  readonly prices: readonly Price[];
}

/** The examples of rules come also with a config that does not load, as far as their rules could be read. */
export type LoadedConfig = (
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }
) & { readonly examples: readonly ExampleResult[] };

export interface ConfigRequest {
  /** Null = without a file: what `value` says, else the defaults, under which nothing is allowed. */
  readonly path: string | null;
  /** What a file would say, from a program. Relative paths in it are relative to the working directory. */
  readonly value?: JsonObject;
  /** Relative to the working directory. */
  readonly workspaceOverride?: string;
  /** Left out: the environment of this process. */
  readonly variables?: Variables;
}

/** The config's own file. */
interface Main extends YamlSource {
  readonly path: string | null;
  readonly base: string;
}

const NO_FILE: YamlSource = {
  file: "(no config)",
  text: "",
  document: { value: {}, placeOf: () => FILE_START },
};

/** All problems at once; a config with a problem is no config. */
export function loadConfig({ path, value, workspaceOverride, variables = process.env }: ConfigRequest): LoadedConfig {
  if (path === null && value !== undefined)
    return configFrom({ ...fromProgram(value), path, base: resolve(".") }, workspaceOverride, { variables });
  if (path === null)
    return configFrom({ ...NO_FILE, path, base: resolve(workspaceOverride ?? ".") }, workspaceOverride, { variables });
  const real = realPath(resolve(path));
  const read = readYaml(real.ok ? real.path : path, path);
  if (!read.ok) return { ok: false, problems: inPlaceOrder(read.problems), examples: [] };
  const own = real.ok ? real.path : resolve(path);
  return configFrom({ ...read.source, path: own, base: dirname(own) }, workspaceOverride, { variables });
}

/** Its text is what is hashed and told to the ledger. */
const fromProgram = (value: JsonObject): YamlSource => ({
  file: "(config)",
  text: canonicalJson(value),
  document: { value, placeOf: () => FILE_START },
});

interface ReadWith {
  readonly variables: Variables;
}

function configFrom(main: Main, override: string | undefined, { variables }: ReadWith): LoadedConfig {
  const { file, path, base, text, document } = main;
  const shape = shapeProblems(document.value);
  const raw = wellShaped(document.value, shape);
  const workspace = workspaceFolder(raw, base, override);
  const state = stateFolder(raw, base);
  const named = (raw.rulesFiles ?? []).map((name, index) => readRulesFile(name, index, base, main));
  const always = state.ok ? readAlwaysRules(state.path) : null;
  const files = always === null ? named : [...named, always];
  // All is looked at also where a folder is not: all problems at once.
  const root = workspace.ok ? workspace.path : "/";
  const tools = readToolSources(raw, { base, workspace: root, config: main, variables });
  const automatic = readAutoApprovals(raw, { base, workspace: root, config: main });
  const governors = readGovernorsFile(raw, { base, workspace: root, config: main, variables });
  const redaction = redactionFrom(raw, base, variables, [...tools.secrets, ...governors.secrets]);
  const { redactor } = redaction;
  const configPaths = [
    ...(path === null ? [] : [path, resolve(file)]),
    ...files.flatMap(({ paths }) => paths),
    ...tools.paths,
    ...automatic.paths,
    ...governors.paths,
    ...redaction.paths,
  ];
  const ownFiles = { workspace: root, stateDir: state.ok ? state.path : root, configPaths };
  const programs = operatorPrograms(tools.sources, governors.governors, root);
  const builtIn = [
    ...builtInRules(ownFiles),
    ...operatorCodeRules(programs, root),
    ...sandboxRules(raw),
    ...tools.rules,
  ];
  const own = wellShapedRules(document.value, shape).map(({ rule, index }) => ({
    rule,
    at: ["rules", index],
    source: main,
  }));
  const given = [...own, ...files.flatMap(({ rules }) => rules), ...automatic.rules];
  const compiled = compileConfigRules(given, builtIn, { workspace: root, conditions: openConditions() }, main);
  const { rules, examples } = compiled;
  const problems = [
    ...[
      ...shape,
      ...(workspace.ok ? [] : [workspace.problem]),
      ...(state.ok ? [] : [state.problem]),
      ...redaction.problems,
      ...serverProblems(raw),
      ...priceProblems(raw),
    ].map((problem) => placed(problem, main)),
    ...files.flatMap((rulesFile) => rulesFile.problems),
    ...tools.problems,
    ...automatic.problems,
    ...governors.problems,
    ...compiled.problems,
  ];
  if (problems.length > 0 || !workspace.ok || !state.ok || rules === null || redactor === null)
    return { ok: false, problems: inPlaceOrder(problems), examples };
  const answering = [...automatic.content, ...governors.content];
  const folders = { workspace: workspace.path, stateDir: state.path };
  return {
    ok: true,
    config: {
      path,
      ...acceptedAs([text, ...[...named, ...answering].map(contentOf), ...tools.contents].join("")),
      always: always && { path: alwaysFile(state.path), text: always.text },
      files: [...configPaths, alwaysFile(state.path)],
      ...folders,
      rules,
      automaticHash: answering.length === 0 ? null : digestOfText(answering.map(contentOf).join("")),
      autoApprovals: automatic.policies,
      autoObjections: automatic.objections,
      policies: named
        .filter(({ isPolicy }) => isPolicy === true)
        .map(({ name, text: policy }) => ({ name, text: policy })),
      notes: inPlaceOrder([
        ...files.flatMap(({ notes }) => notes),
        ...governors.notes,
        ...tools.notes,
        ...compiled.notes,
      ]),
      ownRules: builtIn.length,
      redactor,
      governors: governors.governors,
      server: serverFrom(raw),
      prices: pricesFrom(raw),
      ...tools.sources,
      ...settings(raw, base),
    },
    examples,
  };
}

/** Programs that are started for what they are, and not by a call: upstreams, agents and governors. */
function operatorPrograms(
  { upstreams, acp }: ToolSources,
  { specs }: GovernorSpecs,
  workspace: string,
): readonly NamedProgram[] {
  const started = [...upstreams, ...acp.agents].flatMap(({ way, grant }) =>
    way.kind === "stdio" ? [{ command: way.command, args: way.args, cwd: way.cwd, write: grant.write }] : [],
  );
  const governing = specs.flatMap(({ way }) => (way.kind === "script" ? [governorProgram(way, workspace)] : []));
  return [...started, ...governing];
}

/** One text, the config's own first. It is shown whole and accepted whole. */
const acceptedAs = (text: string): Pick<Config, "text" | "textHash"> => ({ text, textHash: digestOfText(text) });

function settings(
  raw: RawConfig,
  base: string,
): Pick<
  Config,
  "project" | "builtin" | "toolchains" | "sandboxMinimum" | "tracing" | "containedTools" | "durability" | "keep"
> {
  const { tools, sandbox, ledger } = CONFIG_SCHEMA.properties;
  return {
    project: "default",
    builtin: raw.tools?.builtin ?? tools.properties.builtin.default,
    toolchains: (raw.toolchains ?? []).map((folder) => resolve(base, folder)),
    sandboxMinimum: raw.sandbox?.minimum ?? sandbox.properties.minimum.default,
    tracing: raw.sandbox?.tracing ?? sandbox.properties.tracing.default,
    containedTools: raw.sandbox?.contained ?? [],
    durability: raw.ledger?.durability ?? ledger.properties.durability.default,
    keep: raw.ledger?.keep ?? ledger.properties.keep.default,
  };
}
