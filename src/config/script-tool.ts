import type { JsonValue } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import type {
  BreakerPolicy,
  CachePolicy,
  ErrorProfile,
  ExitMapping,
  RetryPolicy,
  ScriptLimits,
  ScriptParameter,
  ScriptSandbox,
  ScriptTool,
} from "../domain/script-tool.ts";
import { quoted } from "../domain/visible.ts";
import type { Path } from "../schema/mismatch.ts";
import { exitMappingProblems, type ShapeProblem } from "./config-shape.ts";
import { environmentFrom, type ScriptEnvironment, type ScriptSecret } from "./script-environment.ts";
import type { RawParameter, RawResources, RawSandbox, RawScriptTool } from "./script-tool-shape.ts";
import type { Variables } from "./variables.ts";

/** What reading a tool depends on beside its own text. */
export interface ScriptPlace {
  /** The folder of the file. */
  readonly base: string;
  readonly variables: Variables;
  readonly profile: ErrorProfile;
}

export interface ReadScriptTool {
  readonly tool: ScriptTool;
  readonly secrets: readonly ScriptSecret[];
  readonly problems: readonly ShapeProblem[];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const ID = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
/** What the section of an object means by these. */
const OF_SECTIONS: ReadonlySet<string> = new Set(["key", "value"]);

/** From what is written to what holds: defaults filled in, and everything looked at that a schema can't say. */
export function scriptToolFrom(id: string, raw: RawScriptTool, place: ScriptPlace): ReadScriptTool {
  const { parameters = [], sandbox = {}, error_mapping: mapping = {} } = raw;
  const environment = environmentFrom(sandbox.environment_variables ?? {}, place);
  const limits = limitsFrom(sandbox);
  const shebang = bashOptions(raw.script);
  const problems: readonly ShapeProblem[] = [
    ...(ID.test(id) && id.length <= 128
      ? []
      : [problem([], "key", `${quoted(id)} can't be a tool's name`, "use letters, digits, `_`, `-` and `.`")]),
    ...parameterProblems(parameters),
    ...limits.problems,
    ...environment.problems,
    ...mappingProblems(mapping, place.profile),
    ...(typeof shebang === "string" ? [] : [shebang]),
  ];
  const effects = raw.effects ?? null;
  const isCached = raw.caching?.enabled === true && effects?.idempotent !== false && effects?.destructive !== true;
  const tool: ScriptTool = {
    id,
    title: raw.name ?? id,
    description: raw.description ?? "",
    script: raw.script,
    bashOptions: typeof shebang === "string" ? shebang : "",
    parameters: parameters.map(parameterFrom),
    dataFor: raw.data_for ?? [],
    sandbox: sandboxFrom(sandbox, limits.limits, environment),
    errorMapping: new Map(Object.entries(mapping).map(([exit, value]) => [Number(exit), exitMappingFrom(value)])),
    retry: raw.retry === undefined ? null : retryFrom(raw.retry),
    breaker: raw.circuit_breaker === undefined ? null : breakerFrom(raw.circuit_breaker),
    caching: isCached ? cachingFrom(raw.caching ?? {}) : null,
    effects,
    tags: raw.tags ?? [],
    examples: raw.examples ?? [],
    version: raw.version ?? "1.0.0",
    author: raw.author ?? null,
  };
  return { tool, secrets: environment.secrets, problems };
}

const problem = (path: Path, what: "key" | "value", message: string, hint: string): ShapeProblem => ({
  path,
  what,
  message,
  hint,
});

function parameterFrom(raw: RawParameter): ScriptParameter {
  const { type = "string" } = raw;
  return {
    name: raw.name,
    type: type === "option" ? "string" : type,
    required: raw.required ?? false,
    description: raw.description ?? "",
    fallback: raw.default,
    values: raw.enum ?? null,
    minimum: raw.minimum ?? null,
    maximum: raw.maximum ?? null,
    pattern: raw.pattern ?? null,
    allowsDash: type === "option" || raw.allow_dash === true,
  };
}

function parameterProblems(parameters: readonly RawParameter[]): readonly ShapeProblem[] {
  return parameters.flatMap((parameter, index): readonly ShapeProblem[] => {
    const { name, type = "string", minimum, maximum, pattern } = parameter;
    const at = (key: string): Path => ["parameters", index, key];
    const earlier = parameters.findIndex((other) => other.name === name);
    return [
      ...(OF_SECTIONS.has(name)
        ? [problem(at("name"), "value", `${quoted(name)} is reserved for the sections of objects`, "use another name")]
        : NAME.test(name)
          ? []
          : [
              problem(
                at("name"),
                "value",
                `${quoted(name)} can't be a parameter's name`,
                "use letters, digits and `_`",
              ),
            ]),
      ...(earlier < index ? [problem(at("name"), "value", `${quoted(name)} is declared twice`, "take one out")] : []),
      ...(type !== "number" && (minimum ?? maximum) !== undefined
        ? [problem(at(minimum === undefined ? "maximum" : "minimum"), "key", "only a number has limits", "take it out")]
        : []),
      ...(type !== "string" && type !== "option" && pattern !== undefined
        ? [problem(at("pattern"), "key", "only a string has a pattern", "take it out")]
        : []),
    ];
  });
}

/** The first line may name bash with a few options, and nothing else: templates are bash. */
function bashOptions(script: string): string | ShapeProblem {
  const [, line] = /^#!\s*([^\n]*)/.exec(script) ?? [];
  if (line === undefined) return "";
  const [whole, options = ""] = /^(?:\/usr)?\/bin\/(?:env\s+)?(?:bash|sh)(?:\s+(-[euxf]+))?\s*$/.exec(line) ?? [];
  if (whole !== undefined) return options;
  const message = `${quoted(line)} is not what runs a template: that is bash`;
  return problem(["script"], "value", message, "write `#!/bin/bash`, with `-e`, `-u`, `-x` or `-f` if you like");
}

const RESOURCE_KEYS = [
  "max_memory_mb",
  "max_cpu_time_seconds",
  "max_file_size_mb",
  "max_open_files",
  "max_processes",
] as const satisfies readonly (keyof RawResources)[];

/** The same keys may stand in `resource_limits`. Both, and different, would leave one of them without effect. */
function limitsFrom(sandbox: RawSandbox): {
  readonly limits: ScriptLimits;
  readonly problems: readonly ShapeProblem[];
} {
  const inner = sandbox.resource_limits ?? {};
  const given = (key: keyof RawResources): number | undefined => sandbox[key] ?? inner[key];
  const MB = 1024 * 1024;
  return {
    limits: {
      memoryBytes: Math.round((given("max_memory_mb") ?? LIMITS.scriptMemoryMb.default) * MB),
      cpuSeconds: given("max_cpu_time_seconds") ?? LIMITS.scriptCpuSeconds.default,
      fileBytes: Math.round((given("max_file_size_mb") ?? LIMITS.scriptFileMb.default) * MB),
      openFiles: given("max_open_files") ?? LIMITS.scriptOpenFiles.default,
      processes: given("max_processes") ?? LIMITS.scriptProcesses.default,
    },
    problems: RESOURCE_KEYS.flatMap((key) => {
      const [outer, alias] = [sandbox[key], inner[key]];
      if (outer === undefined || alias === undefined || outer === alias) return [];
      const path = ["sandbox", "resource_limits", key];
      return [problem(path, "key", `\`${key}\` is given twice, and differently`, "take one of them out")];
    }),
  };
}

function sandboxFrom(
  raw: RawSandbox,
  limits: ScriptLimits,
  { variables, inline }: Pick<ScriptEnvironment, "variables" | "inline">,
): ScriptSandbox {
  const workingDirectory = raw.working_directory ?? "/tmp";
  return {
    requiresConfirmation: raw.requires_confirmation ?? false,
    confirmationMessage: raw.confirmation_message ?? "",
    timeoutMs: raw.timeout === undefined ? LIMITS.scriptTimeoutMs.default : Math.round(raw.timeout * 1000),
    workingDirectory,
    tempIsolation: raw.use_temp_isolation ?? isPrivate(workingDirectory),
    environment: variables,
    inlineSecrets: inline,
    allowedCommands: raw.allowed_commands ?? null,
    allowedPaths: raw.allowed_paths ?? null,
    limits,
  };
}

const isPrivate = (folder: string): boolean => folder === "/tmp" || folder.startsWith("/tmp/");

function mappingProblems(mapping: Readonly<Record<string, JsonValue>>, profile: ErrorProfile): readonly ShapeProblem[] {
  return Object.entries(mapping).flatMap(([exit, value]): readonly ShapeProblem[] => {
    const at: Path = ["error_mapping", exit];
    const isExit = /^\d{1,3}$/.test(exit) && Number(exit) >= 1 && Number(exit) <= 255;
    const wrongKey = isExit
      ? []
      : [problem(at, "key", `${quoted(exit)} is no exit code of a failure`, "use a number from 1 to 255")];
    if (typeof value === "number") {
      const isCode = Number.isInteger(value);
      return isCode ? wrongKey : [...wrongKey, problem(at, "value", "an error's code is a whole number", "round it")];
    }
    const shape = exitMappingProblems(value).map((one) => ({ ...one, path: [...at, ...one.path] }));
    if (shape.length > 0) return [...wrongKey, ...shape];
    const { detail } = value as { readonly detail?: JsonValue };
    const isText = detail === undefined || typeof detail === "string";
    return isText || profile === "extended-json"
      ? wrongKey
      : [
          ...wrongKey,
          problem(
            [...at, "detail"],
            "value",
            "under the error profile `acp-basic` a `detail` is a text",
            "write a text, or set `errorProfile: extended-json`",
          ),
        ];
  });
}

function exitMappingFrom(value: JsonValue): ExitMapping {
  if (typeof value === "number") return { code: value, message: null, retryable: undefined, detail: undefined };
  const { code, message, retryable, detail } = value as unknown as Partial<ExitMapping> & { readonly code: number };
  return { code, message: message ?? null, retryable, detail };
}

const ms = (seconds: number): number => Math.round(seconds * 1000);

const retryFrom = (raw: NonNullable<RawScriptTool["retry"]>): RetryPolicy => ({
  attempts: raw.attempts ?? LIMITS.retryAttempts.default,
  backoff: raw.backoff ?? "exponential",
  multiplier: raw.backoff_multiplier ?? LIMITS.retryMultiplier.default,
  firstDelayMs: ms(raw.initial_delay ?? LIMITS.retryDelaySeconds.default),
  maxDelayMs: ms(raw.max_delay ?? LIMITS.retryMaxDelaySeconds.default),
});

const breakerFrom = (raw: NonNullable<RawScriptTool["circuit_breaker"]>): BreakerPolicy => ({
  failureThreshold: raw.failure_threshold ?? LIMITS.breakerFailures.default,
  recoveryMs: ms(raw.recovery_timeout ?? LIMITS.breakerRecoverySeconds.default),
  monitoringMs: ms(raw.monitoring_period ?? LIMITS.breakerPeriodSeconds.default),
});

const cachingFrom = (raw: NonNullable<RawScriptTool["caching"]>): CachePolicy => ({
  ttlMs: ms(raw.ttl ?? LIMITS.cacheTtlSeconds.default),
  maxEntries: raw.max_size ?? LIMITS.cacheEntries.default,
  keyTemplate: raw.key_template ?? null,
});
