import type { ExecutionPolicy } from "../atip/execution-policy.ts";
import type { BuiltinSet } from "../domain/builtin-names.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import type { Price } from "../domain/price.ts";
import type { SandboxMinimum } from "../domain/sandbox-report.ts";
import type { ErrorProfile } from "../domain/script-tool.ts";
import type { Trust } from "../domain/tool-effects.ts";
import type { RuleSource } from "../rules/rule.ts";
import { compileCheck } from "../schema/compile-schema.ts";
import { fieldFromPath } from "../schema/field-from-path.ts";
import type { Mismatch, Path } from "../schema/mismatch.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";
import { isNotYet } from "./not-yet.ts";
import { RULES_FILE_SCHEMA } from "./rules-schema.ts";
import { EXIT_MAPPING_SCHEMA, SCRIPT_TOOL_SCHEMA, SCRIPTS_FILE_SCHEMA } from "./scripts-schema.ts";

/** `toolgate.yaml` as it is written, once `shapeProblems` has found nothing. */
export interface RawConfig {
  readonly workspace?: string;
  readonly state?: string;
  readonly tools?: {
    readonly builtin?: readonly BuiltinSet[];
    readonly scripts?: readonly string[];
    readonly inference?: { readonly providers?: JsonObject };
    readonly web?: { readonly search?: RawSearch };
    readonly mcp?: JsonObject;
    readonly client?: JsonObject;
    readonly atip?: readonly (string | RawAtip)[];
  };
  readonly acp?: {
    readonly agents?: JsonObject;
    readonly editorServers?: "drop" | "pass";
    readonly modes?: "ask" | "allow" | "deny";
  };
  readonly errorProfile?: ErrorProfile;
  readonly toolchains?: readonly string[];
  readonly rules?: readonly RuleSource[];
  readonly rulesFiles?: readonly string[];
  readonly autoApprovals?: string;
  readonly sandbox?: {
    readonly minimum?: SandboxMinimum;
    readonly tracing?: "deny" | "allow";
    readonly contained?: readonly string[];
  };
  readonly ledger?: { readonly durability?: "full" | "normal"; readonly keep?: "digests" | "texts" };
  readonly secrets?: readonly RawSecret[];
  readonly redact?: {
    readonly patterns?: readonly (string | { readonly name?: string; readonly pattern: string })[];
    readonly builtin?: "on" | "off";
  };
  readonly governors?: string;
  readonly prices?: readonly Price[];
  readonly server?: RawServer;
}

export interface RawSecret {
  readonly env?: string;
  readonly file?: string;
  readonly name?: string;
}

export interface RawAtip {
  readonly file: string;
  readonly trust?: Exclude<Trust, "native">;
  readonly sha256?: string;
  readonly policy?: ExecutionPolicy;
  readonly env?: readonly string[];
  readonly timeoutSeconds?: number;
}

export interface RawSearch {
  readonly backend: "searxng" | "brave" | "tavily";
  readonly url?: string;
  readonly key?: { readonly secret: string };
}

export interface RawServer {
  readonly host?: string;
  readonly port?: number;
  readonly hosts?: readonly string[];
  readonly callsPerMinute?: number;
  readonly users?: readonly RawUser[];
}

export interface RawUser {
  readonly name: string;
  readonly token: string;
  readonly roles: readonly string[];
}

export interface ShapeProblem {
  readonly path: Path;
  readonly what: "key" | "value";
  readonly message: string;
  readonly hint?: string;
  /** Where in the value's text. */
  readonly offset?: number;
}

/** In what a config differs from `CONFIG_SCHEMA`. */
export const shapeProblems = (value: JsonValue): readonly ShapeProblem[] =>
  value === null ? [EMPTY] : schemaProblems(value, CONFIG_SCHEMA, "the config");

/** In what a file of `rulesFiles` differs from its schema; one that is a list was made `{ rules: [...] }` before. */
export const rulesFileProblems = (value: JsonValue): readonly ShapeProblem[] =>
  schemaProblems(value, RULES_FILE_SCHEMA, "a file of rules");

/** In what one tool of a `tools.yaml` differs from its schema. */
export const scriptToolProblems = (value: JsonValue): readonly ShapeProblem[] =>
  schemaProblems(value, SCRIPT_TOOL_SCHEMA, "the tool");

export const exitMappingProblems = (value: JsonValue): readonly ShapeProblem[] =>
  schemaProblems(value, EXIT_MAPPING_SCHEMA, "the mapping");

/** The same for the file as a whole, whose tools are looked at one by one. */
export const scriptsFileProblems = (value: JsonValue): readonly ShapeProblem[] =>
  schemaProblems(value, SCRIPTS_FILE_SCHEMA, "a file of tools");

/** In what a value differs from one of our own schemas; `whole` is what the value is. */
export function schemaProblems(value: JsonValue, schema: JsonObject, whole: string): readonly ShapeProblem[] {
  const compiled = compileCheck(neededFor(value, schema));
  if ("unsupported" in compiled) throw new TypeError(`the config's own schema uses \`${compiled.unsupported}\``);
  return compiled.check(value).map((mismatch) => problemFromMismatch(mismatch, whole));
}

/** Without what the schema says of members that the value does not have: reading all of it takes longer than the rest. */
function neededFor(value: JsonValue, schema: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(value) || !isJsonObject(properties)) return schema;
  const needed = Object.entries(properties).map(([name, inner]) => [name, Object.hasOwn(value, name) ? inner : {}]);
  return { ...schema, properties: Object.fromEntries(needed) };
}

/** The settings that can be looked at further although others are bad; of the sources of tools, each by itself. */
export function wellShaped(value: JsonValue, problems: readonly ShapeProblem[]): RawConfig {
  if (!isJsonObject(value)) return {};
  const sound = withoutBad(value, new Set(problems.map(({ path: [key] }) => key)));
  const { tools } = value;
  const ofTools = problems.filter(({ path: [key] }) => key === "tools").map(({ path: [, source] }) => source);
  const isPartly = ofTools.length > 0 && !ofTools.includes(undefined) && isJsonObject(tools);
  // The cast is what the schema has found out: no problem at a key means a value of its type.
  return (isPartly ? { ...sound, tools: withoutBad(tools, new Set(ofTools)) } : sound) as RawConfig;
}

const withoutBad = (value: JsonObject, bad: ReadonlySet<unknown>): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !bad.has(key)));

/**
 * The rules that can be looked at further, each with its index: a bad one does not hide what is wrong with the rest, nor a
 * bad part of it what is wrong with its others. Where a part is bad there is a problem, so what is made up here is never in force.
 */
export function wellShapedRules(
  value: JsonValue,
  problems: readonly ShapeProblem[],
): readonly { readonly rule: RuleSource; readonly index: number }[] {
  if (!isJsonObject(value)) return [];
  const bad = Map.groupBy(
    problems.filter(({ path: [key] }) => key === "rules"),
    ({ path: [, index] }) => index,
  );
  const rules = bad.has(undefined) ? [] : ((value["rules"] ?? []) as unknown as readonly RuleSource[]);
  return rules.flatMap((whole, index) => {
    const wrong = bad.get(index);
    const rule = wrong === undefined ? whole : partOfRule(whole, new Set(wrong.map(({ path: [, , name] }) => name)));
    return rule === null ? [] : [{ rule, index }];
  });
}

/** Without a name it is none. An ask may have what any rule may have; examples are about the rule as a whole. */
function partOfRule(rule: RuleSource, wrong: ReadonlySet<unknown>): RuleSource | null {
  if (wrong.has(undefined) || wrong.has("id")) return null;
  const left = { ...withoutBad(rule as unknown as JsonObject, wrong) };
  delete left["examples"];
  if (wrong.has("touch")) {
    delete left["dynamic"];
    delete left["options"];
  }
  return { effect: "ask", ...left } as unknown as RuleSource;
}

const EMPTY: ShapeProblem = {
  path: [],
  what: "value",
  message: "the config is empty",
  hint: "delete it, and `toolgate init` writes one to start from",
};

function problemFromMismatch(mismatch: Mismatch, whole: string): ShapeProblem {
  const { path, rule, says } = mismatch;
  const what = rule === "unknown_field" ? "key" : "value";
  const subject = path.length === 0 ? whole : `\`${fieldFromPath(path)}\``;
  if (!isNotYet(mismatch)) return { path, what, message: `${subject} ${says}` };
  return { path, what, message: `${subject} is not supported by this version yet`, hint: "take it out" };
}
