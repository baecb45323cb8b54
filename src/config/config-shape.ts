import { isJsonObject, type JsonValue } from "../domain/json.ts";
import type { RuleSource } from "../rules/rule.ts";
import { compileCheck } from "../schema/compile-schema.ts";
import { fieldFromPath } from "../schema/field-from-path.ts";
import type { Mismatch, Path } from "../schema/mismatch.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";
import { isNotYet } from "./not-yet.ts";

/** `toolgate.yaml` as it is written, once `shapeProblems` has found nothing. */
export interface RawConfig {
  readonly workspace?: string;
  readonly state?: string;
  readonly tools?: { readonly builtin?: readonly "files"[] };
  readonly rules?: readonly RuleSource[];
  readonly sandbox?: { readonly minimum?: "namespaces" | "none" };
  readonly ledger?: { readonly durability?: "full" | "normal" };
}

export interface ShapeProblem {
  readonly path: Path;
  readonly what: "key" | "value";
  readonly message: string;
  readonly hint?: string;
}

/** In what a value differs from `CONFIG_SCHEMA`. */
export function shapeProblems(value: JsonValue): readonly ShapeProblem[] {
  if (value === null) return [EMPTY];
  const compiled = compileCheck(CONFIG_SCHEMA);
  if ("unsupported" in compiled) throw new TypeError(`the config's own schema uses \`${compiled.unsupported}\``);
  return compiled.check(value).map((mismatch) => problemFromMismatch(mismatch, value));
}

/** What can be looked at further although other parts are bad; `null` stands for a bad rule, so that places stay. */
export function wellShaped(
  value: JsonValue,
  problems: readonly ShapeProblem[],
): { raw: RawConfig; rules: readonly (RuleSource | null)[] } {
  if (!isJsonObject(value)) return { raw: {}, rules: [] };
  const bad = new Set(problems.map(({ path: [key] }) => key));
  const badRules = new Set(problems.filter(({ path: [key] }) => key === "rules").map(({ path: [, index] }) => index));
  // The casts are what the schema has found out: no problem at a key means a value of its type.
  const raw = Object.fromEntries(Object.entries(value).filter(([key]) => !bad.has(key))) as RawConfig;
  const rules = badRules.has(undefined) ? [] : ((value["rules"] ?? []) as unknown as readonly RuleSource[]);
  return { raw, rules: rules.map((rule, index) => (badRules.has(index) ? null : rule)) };
}

const EMPTY: ShapeProblem = {
  path: [],
  what: "value",
  message: "the config is empty",
  hint: "`toolgate init` writes one to start from",
};

function problemFromMismatch(mismatch: Mismatch, root: JsonValue): ShapeProblem {
  const { path, rule, says } = mismatch;
  const what = rule === "unknown_field" ? "key" : "value";
  const subject = path.length === 0 ? "the config" : `\`${fieldFromPath(path)}\``;
  const given = valueAt(root, path);
  if (!isNotYet(mismatch, given)) return { path, what, message: `${subject} ${says}` };
  const named = what === "key" ? subject : `\`${given}\``;
  return { path, what, message: `${named} is not supported by this version yet`, hint: "take it out" };
}

function valueAt(root: JsonValue, path: Path): unknown {
  let value: unknown = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}
