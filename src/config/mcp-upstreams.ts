import { resolve } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import { Secret } from "../domain/secret.ts";
import type { InputTouches, UpstreamSpec, UpstreamValue, UpstreamWay } from "../domain/upstream.ts";
import { quoted } from "../domain/visible.ts";
import { webUrlFrom } from "../domain/web-target.ts";
import { compileCheck } from "../schema/compile-schema.ts";
import type { Path } from "../schema/mismatch.ts";
import type { RawConfig, ShapeProblem } from "./config-shape.ts";
import { INPUT_TOUCHES, isInputTouches } from "./input-touches.ts";
import { type RawUpstream, UPSTREAM_SCHEMA } from "./mcp-schema.ts";
import { upstreamSecrets } from "./mcp-secrets.ts";
import { operatorGrantFrom } from "./operator-grant.ts";
import type { Variables } from "./variables.ts";

export interface FoundUpstreams {
  readonly upstreams: readonly UpstreamSpec[];
  readonly problems: readonly ShapeProblem[];
  /** Secrets that are not set: each puts one server out of use, and nothing else. */
  readonly notes: readonly ShapeProblem[];
}

/** Short, and without `_`, so that where it ends in a tool's name is clear. */
const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const PREFIX = /^[A-Za-z0-9_.-]{0,40}$/;
const UPSTREAMS_MAX = 100;
const PLACE: Path = ["tools", "mcp"];

interface Reading extends Pick<NamedPrograms, "place" | "what"> {
  readonly base: string;
  readonly workspace: string;
  readonly variables: Variables;
  readonly problem: (path: Path, message: string, hint?: string) => void;
  readonly note: Reading["problem"];
}

/** Where programs of the operator are named, and what may be said of one there. */
export interface NamedPrograms {
  readonly given: JsonObject;
  readonly place: Path;
  readonly schema: JsonObject;
  readonly what: "server" | "agent";
}

export type ReadingPlace = Pick<Reading, "base" | "workspace" | "variables">;

/** The servers under `tools.mcp`. */
export const upstreamsFrom = (raw: RawConfig, reading: ReadingPlace): FoundUpstreams =>
  programsFrom({ given: raw.tools?.mcp ?? {}, place: PLACE, schema: UPSTREAM_SCHEMA, what: "server" }, reading);

/** Problems name the place, and never the value of a secret. */
export function programsFrom(
  { given: named, place, schema, what }: NamedPrograms,
  { base, workspace, variables }: ReadingPlace,
): FoundUpstreams {
  const problems: ShapeProblem[] = [];
  const notes: ShapeProblem[] = [];
  const into =
    (told: ShapeProblem[]): Reading["problem"] =>
    (path, message, hint) =>
      void told.push({ path: [...place, ...path], what: "value", message, ...(hint !== undefined && { hint }) });
  const [problem, note] = [into(problems), into(notes)];
  const given = Object.entries(named);
  if (given.length > UPSTREAMS_MAX) problem([], `there are more than ${UPSTREAMS_MAX} ${what}s`);
  const upstreams = given.flatMap(([name, value]) => {
    if (!NAME.test(name))
      problem(
        [name],
        `${quoted(name)} is no name for ${what === "agent" ? "an" : "a"} ${what}`,
        "use up to 32 lower-case letters, digits and `-`",
      );
    return isWellShaped({ name, value, place, schema }, problem)
      ? [upstreamFrom(name, value as RawUpstream, { base, workspace, variables, problem, note, place, what })]
      : [];
  });
  return { upstreams: problems.length > 0 ? [] : upstreams, problems, notes };
}

interface Shaped extends Pick<NamedPrograms, "place" | "schema"> {
  readonly name: string;
  readonly value: JsonValue;
}

function isWellShaped({ name, value, place, schema }: Shaped, problem: Reading["problem"]): boolean {
  const compiled = compileCheck(schema);
  if ("unsupported" in compiled) throw new TypeError(`the schema of programs uses \`${compiled.unsupported}\``);
  const mismatches = compiled.check(value);
  for (const { path, says } of mismatches)
    problem([name, ...path], `\`${[...place, name, ...path].join(".")}\` ${says}`);
  return mismatches.length === 0;
}

function upstreamFrom(name: string, raw: RawUpstream, reading: Reading): UpstreamSpec {
  const { grant = {}, prefix = `${name}_`, trust = null, connection = "shared" } = raw;
  const at = (...more: Path): Path => [name, ...more];
  if (!PREFIX.test(prefix)) reading.problem(at("prefix"), `${quoted(prefix)} can't be a part of a tool's name`);
  return {
    name,
    prefix,
    way: wayFrom(name, raw, reading),
    missing: missingIn(name, raw, reading),
    grant: operatorGrantFrom(grant, reading.workspace, (path, ...told) =>
      reading.problem(at("grant", ...path), ...told),
    ),
    touches: touchesFrom(name, raw.touches ?? {}, reading),
    trust,
    timeoutMs: raw.timeoutMs ?? UPSTREAM_SCHEMA.properties.timeoutMs.default,
    connection,
  };
}

function wayFrom(name: string, raw: RawUpstream, reading: Reading): UpstreamWay {
  const { command, url, args = [], cwd, env = {}, headers = {} } = raw;
  if ((command === undefined) === (url === undefined))
    reading.problem([name], "a server has either `command` or `url`", "say how it is reached");
  if (url === undefined) {
    if (raw.headers) reading.problem([name, "headers"], "a program has no headers", "use `env`");
    const folder = cwd === undefined ? reading.workspace : resolve(reading.base, cwd);
    return { kind: "stdio", command: command ?? "", args, cwd: folder, env: valuesFrom([name, "env"], env, reading) };
  }
  const parsed = webUrlFrom(url);
  if (!parsed.ok) reading.problem([name, "url"], `${quoted(url)} can't be asked for: ${parsed.because}`);
  if (raw.env) reading.problem([name, "env"], "what is reached by HTTP has no environment of ours", "use `headers`");
  const all = valuesFrom([name, "headers"], headers, reading);
  if (Object.values(all).filter((value) => typeof value !== "string").length > 1)
    reading.problem([name, "headers"], "more than one header holds a secret", "leave one");
  return { kind: "http", url: parsed.ok ? parsed.value.href : url, headers: all };
}

function valuesFrom(at: Path, given: JsonObject, reading: Reading): Readonly<Record<string, UpstreamValue>> {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, valueFrom([...at, key], value, reading)]),
  );
}

/** The variables that are not set, each once, and each place that wants one in the notes. */
function missingIn(name: string, raw: RawUpstream, { variables, note, what }: Reading): readonly string[] {
  const wanted = upstreamSecrets({ [name]: raw as JsonObject }).filter(
    ({ name: variable }) => !isSet(variables, variable),
  );
  for (const { name: variable, at } of wanted)
    note(
      at.slice(PLACE.length),
      `the variable ${quoted(variable)} is not set: without it the ${what} ${quoted(name)} is out of use`,
    );
  return [...new Set(wanted.map(({ name: variable }) => variable))];
}

const isSet = (variables: Variables, name: string): boolean => (variables[name] ?? "") !== "";

function valueFrom(at: Path, given: JsonValue, { variables, problem }: Reading): UpstreamValue {
  if (typeof given === "string") return given;
  const { secret, prefix = "", ...more } = isJsonObject(given) ? given : {};
  if (typeof secret !== "string" || typeof prefix !== "string" || Object.keys(more).length > 0) {
    problem(at, "it is a text or `{ secret: NAME }`");
    return "";
  }
  return { prefix, secret: new Secret(variables[secret] ?? "") };
}

function touchesFrom(name: string, given: JsonObject, { problem }: Reading): UpstreamSpec["touches"] {
  for (const [tool, mapped] of Object.entries(given))
    if (!isInputTouches(mapped)) problem([name, "touches", tool], INPUT_TOUCHES);
  return given as Readonly<Record<string, InputTouches>>;
}
