import { relative } from "node:path";
import type { GovernorSpec, GovernorWay } from "../domain/governor-spec.ts";
import { isJsonObject } from "../domain/json.ts";
import { quoted } from "../domain/visible.ts";
import { webUrlFrom } from "../domain/web-target.ts";
import { MISMATCHES_MAX, type Path } from "../schema/mismatch.ts";
import type { ConfigProblem } from "./config-problem.ts";
import { schemaProblems } from "./config-shape.ts";
import { filesNamedBy, isBehindLink } from "./governor-files.ts";
import { headersFrom } from "./governor-headers.ts";
import { GOVERNORS_FILE_SCHEMA, type RawGovernor, type RawGovernorsFile } from "./governors-schema.ts";
import { pathsOf } from "./named-file.ts";
import { NO_GOVERNORS } from "./no-governors.ts";
import { operatorGrantFrom } from "./operator-grant.ts";
import type { ScriptSecret } from "./script-environment.ts";
import type { SourcesPlace } from "./tool-sources.ts";
import type { Variables } from "./variables.ts";
import { isReadOnTheWay } from "./web-search.ts";
import { placed, type YamlSource } from "./yaml-source.ts";

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** One governor on its way to a spec: what is found out about it is put down here. */
interface Reading {
  readonly workspace: string;
  readonly variables: Variables;
  readonly paths: string[];
  readonly secrets: Omit<ScriptSecret, "file" | "at">[];
  readonly problem: (path: Path, message: string, hint?: string) => void;
  readonly note: (path: Path, message: string, hint?: string) => void;
}

/** What a file of governors says. */
export function governorsIn(source: YamlSource, { workspace, variables }: SourcesPlace) {
  const { value } = source.document;
  const shape = schemaProblems(value, GOVERNORS_FILE_SCHEMA, "a file of governors");
  const told = { problems: shape.map((one) => placed(one, source)), notes: [] as ConfigProblem[] };
  const tell =
    (where: keyof typeof told): Reading["problem"] =>
    (path, message, hint) =>
      void told[where].push(placed({ path, what: "value", message, ...(hint !== undefined && { hint }) }, source));
  const reading: Reading = {
    ...{ workspace, variables, paths: [], secrets: [] },
    ...{ problem: tell("problems"), note: tell("notes") },
  };
  // The cast is what the schema has found out.
  const raw = (isJsonObject(value) ? value : {}) as unknown as RawGovernorsFile;
  const bad = new Set(shape.map(({ path: [key, index] }) => (key === "permission_governors" ? index : null)));
  // After so many mismatches the rest was not looked at.
  const isUnsure = bad.has(undefined) || shape.length >= MISMATCHES_MAX;
  const listed = isUnsure ? [] : (raw.permission_governors ?? []);
  const specs = listed.flatMap((one, index) =>
    bad.has(index) ? [] : [specFrom(one, ["permission_governors", index], reading)],
  );
  tellTwice(specs, listed, reading);
  const { stop_on_first_reject: stops, auto_decision: decides } = shape.length > 0 ? {} : (raw.settings ?? {});
  const { stopOnFirstReject, autoDecision } = NO_GOVERNORS.settings;
  const settings = { stopOnFirstReject: stops ?? stopOnFirstReject, autoDecision: decides ?? autoDecision };
  const isGood = told.problems.length === 0;
  return { governors: isGood ? { specs, settings } : NO_GOVERNORS, ...told, ...reading };
}

function specFrom(raw: RawGovernor, at: Path, reading: Reading): GovernorSpec {
  const { timeout_ms: timeout, requires_manual: manual } =
    GOVERNORS_FILE_SCHEMA.properties.permission_governors.items.properties;
  if (!ID.test(raw.id))
    reading.problem([...at, "id"], `${quoted(raw.id)} is no name for a governor`, "use letters, digits, `.`, `_`, `-`");
  return {
    id: raw.id,
    way: raw.type === "script" ? scriptFrom(raw, at, reading) : httpFrom(raw, at, reading),
    timeoutMs: raw.timeout_ms ?? timeout.default,
    requiresManual: raw.requires_manual ?? manual.default,
  };
}

function scriptFrom(raw: RawGovernor, at: Path, reading: Reading): GovernorWay {
  const { workspace, problem } = reading;
  for (const key of ["url", "headers"] as const)
    if (raw[key] !== undefined) problem([...at, key], `a script has no \`${key}\``, "take it out, or say `type: http`");
  if (raw.command === undefined) problem(at, "a script has a `command`", "say which program is started");
  const { command = [""] as const } = raw;
  if (command[0] === "" && raw.command !== undefined) problem([...at, "command", 0], "the program has no name");
  const named = filesNamedBy(command, workspace);
  reading.paths.push(...named.flatMap(pathsOf));
  for (const path of named.filter((one) => isBehindLink(one, workspace)))
    problem(
      [...at, "command"],
      `${quoted(relative(workspace, path))} is reached by a link in the workspace, which tools may turn`,
      "name the file that it leads to",
    );
  const grant = operatorGrantFrom(raw.grant ?? {}, workspace, (path, message, hint) =>
    problem([...at, "grant", ...path], message, hint),
  );
  return { kind: "script", command, grant };
}

function httpFrom(raw: RawGovernor, at: Path, reading: Reading): GovernorWay {
  const { variables, problem } = reading;
  for (const key of ["command", "grant"] as const)
    if (raw[key] !== undefined)
      problem([...at, key], `what is asked by HTTP has no \`${key}\``, "take it out, or say `type: script`");
  const found = headersFrom(raw.headers ?? {}, variables);
  for (const kind of ["problem", "note"] as const)
    for (const { header, message, hint } of found[`${kind}s`])
      reading[kind]([...at, "headers", ...(header === null ? [] : [header])], message, hint);
  reading.secrets.push(...found.secrets);
  const { headers } = found;
  if (raw.url === undefined) {
    problem(at, "what is asked by HTTP has a `url`", "say where it is");
    return { kind: "http", url: "", headers };
  }
  const parsed = webUrlFrom(raw.url);
  if (!parsed.ok) problem([...at, "url"], `${quoted(raw.url)} can't be asked for: ${parsed.because}`);
  else if (found.secrets.length > 0 && isReadOnTheWay(parsed.value))
    problem([...at, "url"], "the secret would be sent where everybody on the way can read it", "use `https://`");
  return { kind: "http", url: parsed.ok ? parsed.value.href : raw.url, headers };
}

function tellTwice(specs: readonly GovernorSpec[], listed: readonly RawGovernor[], { problem }: Reading): void {
  const known = new Set<string>();
  for (const { id } of specs) {
    if (known.has(id)) {
      const index = listed.findLastIndex((one) => one.id === id);
      problem(["permission_governors", index, "id"], `the name ${quoted(id)} is given twice`, "give another one");
    }
    known.add(id);
  }
}
