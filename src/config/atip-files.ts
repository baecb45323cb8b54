import { dirname, isAbsolute, join, resolve } from "node:path";
import { type ExecutionPolicy, policyFindings } from "../atip/execution-policy.ts";
import { gateFindings, isPartial } from "../atip/gate-policy.ts";
import { policyRules } from "../atip/policy-rules.ts";
import { type ReadTool, readMetadata } from "../atip/read-metadata.ts";
import type { MetadataProblem } from "../atip/shape.ts";
import { type OperatorsWord, trustIn, verificationOf } from "../atip/trust.ts";
import { BUILTIN_NAMES } from "../domain/builtin-names.ts";
import { type Digest, digestOfText } from "../domain/digest.ts";
import { Secret } from "../domain/secret.ts";
import { quoted } from "../domain/visible.ts";
import type { RuleSource } from "../rules/rule.ts";
import { fieldFromPath } from "../schema/field-from-path.ts";
import { readJson } from "../schema/json/read-json.ts";
import { BUILT_IN_PREFIX } from "./built-in-rules.ts";
import { type ConfigProblem, FILE_START } from "./config-problem.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";
import type { RawAtip, RawConfig } from "./config-shape.ts";
import { pathsOf } from "./named-file.ts";
import { readSettings } from "./settings-file.ts";
import type { Variables } from "./variables.ts";
import { parseYaml } from "./yaml-document.ts";
import { placed, type YamlSource } from "./yaml-source.ts";

/** A program that is described, and what the operator says of it. */
export interface AtipEntry extends ReadTool {
  /** As the config names its file. */
  readonly file: string;
  readonly textHash: Digest;
  readonly word: OperatorsWord;
  /** What else makes it stricter. */
  readonly policy?: ExecutionPolicy;
  readonly timeoutMs?: number;
  /** Variables that its program gets. */
  readonly secrets?: Readonly<Record<string, Secret>>;
  /** How it is run for the seed's own API, which has settings of its own. */
  readonly outputBytes?: number;
  readonly form?: "text" | "streams";
  readonly shell?: boolean;
}

export interface AtipFiles {
  readonly entries: readonly AtipEntry[];
  /** As they were named, and what those names lead to: tools may write neither. */
  readonly paths: readonly string[];
  readonly rules: readonly RuleSource[];
  readonly problems: readonly ConfigProblem[];
}

/** Everything about the files of `tools.atip`, all problems at once. `config` is the file that names them. */
export function readAtipFiles(raw: RawConfig, base: string, config: YamlSource, variables: Variables): AtipFiles {
  const given = (raw.tools?.atip ?? []).map((each) => (typeof each === "string" ? { file: each } : each));
  const read = given.map((each, index) => readOne(each, index, base, config));
  const unset = given.flatMap(({ env = [] }, index) =>
    env.filter((name) => !variables[name]).map((name) => notSet(index, name, config)),
  );
  const entries = read.flatMap(({ entry, index }) =>
    entry === null ? [] : [{ ...entry, ...secretsOf(given[index]?.env ?? [], variables) }],
  );
  return {
    entries,
    paths: read.flatMap(({ paths }) => paths),
    rules: entries.flatMap(rulesOf),
    problems: [...read.flatMap(({ problems }) => problems), ...unset, ...collisions(read, raw, config)],
  };
}

interface ReadFile {
  readonly index: number;
  readonly entry: AtipEntry | null;
  readonly paths: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

function readOne(
  { file, trust, sha256, policy, timeoutSeconds }: RawAtip,
  index: number,
  base: string,
  config: YamlSource,
): ReadFile {
  const path = resolve(base, file);
  const paths = pathsOf(path);
  const shown = isAbsolute(file) ? file : join(dirname(config.file), file);
  const text = readSettings(path, "shared");
  // A file that can't be read is a mistake of the line that names it.
  if (!text.ok)
    return {
      index,
      entry: null,
      paths,
      problems: [at(index, `the tools in ${quoted(file)}: ${text.message}`, config)],
    };
  const json = readJson(text.text);
  if (!json.ok) return { index, entry: null, paths, problems: [{ file: shown, ...json.error }] };
  const metadata = readMetadata(json.value);
  if (!metadata.ok) return { index, entry: null, paths, problems: inPlace(metadata.problems, shown, text.text) };
  const { tool, leaves } = metadata;
  const word = { ...(trust !== undefined && { trust }), ...(sha256 !== undefined && { sha256: sha256.toLowerCase() }) };
  const timeoutMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
  const entry = {
    file,
    textHash: digestOfText(text.text),
    tool,
    leaves,
    word,
    ...(policy && { policy }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  return { index, entry, paths, problems: [] };
}

const notSet = (index: number, name: string, config: YamlSource): ConfigProblem => ({
  ...placed(
    { path: ["tools", "atip", index, "env"], what: "value", message: `the variable ${quoted(name)} is not set` },
    config,
  ),
  hint: "set it, or take it out of `env`",
});

function secretsOf(names: readonly string[], variables: Variables): Pick<AtipEntry, "secrets"> {
  const secrets = names.map((name) => [name, new Secret(variables[name] ?? "")] as const);
  return secrets.length === 0 ? {} : { secrets: Object.fromEntries(secrets) };
}

const at = (index: number, message: string, config: YamlSource): ConfigProblem =>
  placed({ path: ["tools", "atip", index], what: "value", message }, config);

/** JSON is YAML, and the reader of YAML knows where everything stands. Only asked when something is wrong. */
function inPlace(problems: readonly MetadataProblem[], file: string, text: string): readonly ConfigProblem[] {
  const parsed = parseYaml(text);
  return problems
    .filter(({ level }) => level === "error")
    .map(({ path, message }) => ({
      file,
      ...(parsed.ok ? parsed.document.placeOf(path, "value") : FILE_START),
      message: `${path.length === 0 ? "the description" : `\`${fieldFromPath(path)}\``} ${message}`,
    }));
}

/** What the gate itself says of the commands. Only tightens: see `gateFindings`. */
function rulesOf({ tool, leaves, word, policy }: AtipEntry): readonly RuleSource[] {
  const trust = trustIn(tool, word);
  const standing = { trust, verification: verificationOf(tool, word), isPartial: isPartial(tool, trust) };
  return policyRules(`${BUILT_IN_PREFIX}atip:${tool.name}`, leaves, ({ effects }) => [
    ...gateFindings(effects, standing),
    ...(policy === undefined ? [] : policyFindings(effects, trust, policy)),
  ]);
}

function collisions(read: readonly ReadFile[], raw: RawConfig, config: YamlSource): readonly ConfigProblem[] {
  const programs = new Map<string, string>();
  const sets = raw.tools?.builtin ?? CONFIG_SCHEMA.properties.tools.properties.builtin.default;
  const tools = new Map<string, string>(
    sets.flatMap((set) => BUILTIN_NAMES[set].map((name) => [name, "tools.builtin"] as const)),
  );
  return read.flatMap(({ index, entry }) => {
    if (entry === null) return [];
    const { tool, leaves, file } = entry;
    const other = programs.get(tool.name);
    if (other !== undefined) return [at(index, `\`${tool.name}\` is described in ${quoted(other)} already`, config)];
    programs.set(tool.name, file);
    const taken = leaves.find(({ name }) => tools.has(name));
    const owner = taken === undefined ? undefined : tools.get(taken.name);
    for (const { name } of leaves) tools.set(name, file);
    if (taken === undefined || owner === undefined) return [];
    return [at(index, `${quoted(owner)} has a tool \`${taken.name}\` already`, config)];
  });
}
