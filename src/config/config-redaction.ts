import { createRequire } from "node:module";
import { isAbsolute, resolve } from "node:path";
import { Secret } from "../domain/secret.ts";
import { quoted } from "../domain/visible.ts";
import { buildRedactor } from "../redact/build-redactor.ts";
import type { NamedSecret } from "../redact/known-values.ts";
import type { RedactProblem } from "../redact/problem.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { PatternSource } from "../redact/user-patterns.ts";
import type { Path } from "../schema/mismatch.ts";
import { agentSecrets } from "./acp-settings.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";
import type { RawConfig, RawSecret, ShapeProblem } from "./config-shape.ts";
import { providerSecrets } from "./inference.ts";
import { upstreamSecrets } from "./mcp-secrets.ts";
import type { ScriptSecret } from "./script-environment.ts";
import { readSettings } from "./settings-file.ts";
import type { Variables } from "./variables.ts";

export interface Redaction {
  /** Null = there are problems. */
  readonly redactor: Redactor | null;
  /** The files that hold secrets: tools may not write them. */
  readonly paths: readonly string[];
  readonly problems: readonly ShapeProblem[];
}

interface Named<Item> {
  readonly item: Item;
  readonly at: Path;
}

/** What is taken out of everything that leaves the gate. Problems name the place and never a value. */
export function redactionFrom(
  raw: RawConfig,
  base: string,
  variables: Variables,
  scripts: readonly ScriptSecret[] = [],
): Redaction {
  const given = raw.secrets ?? [];
  const found = given.map((secret, index) => secretFrom(secret, ["secrets", index], base, variables));
  const named = [...found.flatMap((one) => ("item" in one ? [one] : [])), ...keysOf(raw, variables)];
  const secrets = [...named, ...ofScripts(scripts, named)];
  const patterns = (raw.redact?.patterns ?? []).map((given, index) => {
    const { name = `pattern-${index + 1}`, pattern } = typeof given === "string" ? { pattern: given } : given;
    return { item: { name, pattern }, at: ["redact", "patterns", index] };
  });
  const built = buildRedactor({
    secrets: secrets.map(({ item }) => item),
    patterns: patterns.map(({ item }) => item),
    builtin: raw.redact?.builtin ?? CONFIG_SCHEMA.properties.redact.properties.builtin.default,
    engine: () => createRequire(import.meta.url)("re2js"),
  });
  const problems = [
    ...found.flatMap((one) => ("item" in one ? [] : [one])),
    ...twice(secrets),
    ...twice(patterns),
    ...(built.ok ? [] : built.problems.map((problem) => placedIn(problem, secrets, patterns))),
  ];
  return {
    redactor: built.ok && problems.length === 0 ? built.redactor : null,
    paths: [
      ...given.flatMap(({ file }) => (file === undefined ? [] : [resolve(base, file)])),
      ...scripts.flatMap(({ file }) => file ?? []),
    ],
    problems,
  };
}

/** What script tools are given in their environment, and governors in headers. One name may stand for several values: each gets a marker. */
function ofScripts(
  scripts: readonly ScriptSecret[],
  named: readonly Named<NamedSecret>[],
): readonly Named<NamedSecret>[] {
  const all = [...named];
  for (const { name, value, at = ["tools", "scripts"] } of scripts) {
    if (all.some(({ item }) => item.value.reveal() === value.reveal())) continue;
    let own = name;
    for (let n = 2; all.some(({ item }) => item.name === own); n++) own = `${name}-${n}`;
    all.push({ item: { name: own, value }, at });
  }
  return all.slice(named.length);
}

/** Keys of services and programs are secrets without being called so; one that is not set is a problem of its user. */
function keysOf({ secrets = [], tools, acp }: RawConfig, variables: Variables): readonly Named<NamedSecret>[] {
  const key = tools?.web?.search?.key?.secret;
  const wanted = new Map<string, Path>(key === undefined ? [] : [[key, ["tools", "web", "search", "key"]]]);
  for (const [index, entry] of (tools?.atip ?? []).entries())
    for (const name of typeof entry === "string" ? [] : (entry.env ?? []))
      if (!wanted.has(name)) wanted.set(name, ["tools", "atip", index, "env"]);
  const named = [upstreamSecrets(tools?.mcp), providerSecrets(tools?.inference), agentSecrets(acp?.agents)];
  for (const { name, at } of named.flat()) if (!wanted.has(name)) wanted.set(name, at);
  return [...wanted].flatMap(([name, at]) => {
    const value = variables[name];
    if (value === undefined || value === "" || secrets.some(({ env }) => env === name)) return [];
    return [{ item: { name, value: secretOf(value) }, at }];
  });
}

function secretFrom(
  { env, file, name }: RawSecret,
  at: Path,
  base: string,
  variables: Variables,
): Named<NamedSecret> | ShapeProblem {
  if (env !== undefined && file === undefined) {
    const value = variables[env];
    const problem = missing([...at, "env"], `the variable ${quoted(env)} is not set`, "set it, or take the line out");
    return value === undefined || value === "" ? problem : { item: { name: name ?? env, value: secretOf(value) }, at };
  }
  if (file !== undefined && env === undefined) {
    const read = readSettings(isAbsolute(file) ? file : resolve(base, file), "shared");
    if (!read.ok) return missing([...at, "file"], `the secret in ${quoted(file)}: ${read.message}`, read.hint);
    return { item: { name: name ?? nameFromPath(file), value: secretOf(read.text) }, at };
  }
  return missing(at, "a secret has either `env` or `file`", "name the variable or the file that holds its value");
}

/** Editors and `echo` end a text with a line break; the secret is what stands before it. */
const secretOf = (text: string): Secret => new Secret(text.replace(/[\r\n]+$/, ""));

const missing = (path: Path, message: string, hint?: string): ShapeProblem =>
  hint === undefined ? { path, what: "value", message } : { path, what: "value", message, hint };

const nameFromPath = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function twice(all: readonly Named<{ readonly name: string }>[]): readonly ShapeProblem[] {
  const names = all.map(({ item }) => item.name);
  return all
    .filter(({ item }, index) => names.indexOf(item.name) < index)
    .map(({ item, at }) =>
      missing(at, `the name ${quoted(item.name)} is given twice`, "give one of them another `name`"),
    );
}

function placedIn(
  { kind, subject, message, hint }: RedactProblem,
  secrets: readonly Named<NamedSecret>[],
  patterns: readonly Named<PatternSource>[],
): ShapeProblem {
  const all: readonly Named<{ readonly name: string }>[] = kind === "secret" ? secrets : patterns;
  const at = all.find(({ item }) => item.name === subject)?.at ?? [];
  return missing(kind === "secret" ? at : [...at, "pattern"], message, hint);
}
