import { isJsonObject } from "../domain/json.ts";
import { anything, count, flag, listOf, object, oneOf, recordOf, type Shape, text, textLike } from "./shape.ts";

/** The newest version whose words are known here. */
const VERSION = textLike(/^0\.[1-6]$/, "a version from 0.1 to 0.6");

/** Text in the versions before 0.4, an object since. */
const PROTOCOL: Shape = (value, path, report) =>
  (isJsonObject(value)
    ? object({ version: VERSION, features: listOf(text), minAgentVersion: VERSION }, ["version"])
    : VERSION)(value, path, report);

const DEPTH_MAX = 16;
const SPAN = "a time such as `30s`, `5m` or `1h`";

const EFFECTS = object({
  filesystem: object({ read: flag, write: flag, delete: flag, paths: listOf(text) }),
  ...{ network: flag, subprocess: flag, idempotent: flag, reversible: flag, destructive: flag },
  ...{ creates: listOf(text), modifies: listOf(text), deletes: listOf(text) },
  interactive: object({ stdin: oneOf(["none", "optional", "required", "password"]), prompts: flag, tty: flag }),
  cost: object({ estimate: oneOf(["free", "low", "medium", "high"]), billable: flag }),
  duration: object({
    typical: textLike(/^\d+-\d+[smh]$/, "a span such as `1-5s`"),
    timeout: textLike(/^\d+[smh]$/, SPAN),
  }),
});

const NAMED = textLike(/^(?!__proto__$)[^\p{C}\p{Z}`][^\p{C}`]{0,99}$/u, "a name of 1 to 100 printed characters");

const CHOICE: Shape = (value, path, report) => {
  if (typeof value !== "string" && !Number.isFinite(value)) report("error", path, "has to be a text or a number");
};

const PARAMETER = {
  name: NAMED,
  type: oneOf(["string", "integer", "number", "boolean", "file", "directory", "url", "enum", "array"]),
  ...{ description: text, required: flag, default: anything, variadic: flag, enum: listOf(CHOICE) },
};

const ARGUMENT = object(PARAMETER, ["name", "type", "description"]);

const OPTION = object(
  {
    ...PARAMETER,
    flags: listOf(textLike(/^-/, "a text that begins with `-`"), 1),
    envVar: textLike(/^[A-Z_][A-Z0-9_]*$/, "the name of a variable, in capitals"),
  },
  ["name", "flags", "type", "description"],
);

/** One word of a command line. Never an option: who may write a command's name must not be able to write a flag. */
const COMMAND_NAME = /^[A-Za-z0-9_@%+:,./][\w@%+:,./-]{0,63}$/;

const commands = (depth: number): Shape =>
  recordOf((name) => (value, path, report) => {
    if (name !== "" && !COMMAND_NAME.test(name)) report("error", path, "is no name that a command can have");
    if (depth > DEPTH_MAX) return report("error", path, `lies deeper than ${DEPTH_MAX} commands`);
    command(depth)(value, path, report);
  });

const command = (depth: number): Shape =>
  object(
    {
      ...{ description: text, arguments: listOf(ARGUMENT), options: listOf(OPTION), effects: EFFECTS },
      examples: listOf(text),
      "x-end-of-options": flag,
      commands: (value, path, report) => commands(depth + 1)(value, path, report),
    },
    ["description"],
  );

const HASH = textLike(/^sha256:[a-fA-F0-9]{64}$/, "`sha256:` and 64 hexadecimal digits");
const CHECKSUM = textLike(/^[a-z0-9]+:[a-fA-F0-9]+$/, "an algorithm, `:` and hexadecimal digits");

const METHOD = object(
  {
    type: oneOf(["token", "oauth", "api-key", "password", "certificate"]),
    ...{ envVar: text, description: text, setupCommand: text },
  },
  ["type"],
);

/**
 * ATIP 0.4 and 0.6, and what came before. Written from the standard's own words: where the two versions differ, what one of
 * them knows is good in both, and a member that neither knows is left alone.
 */
export const METADATA = object(
  {
    atip: PROTOCOL,
    name: textLike(/^[a-zA-Z0-9_][a-zA-Z0-9_-]{0,63}$/, "the name of a program: letters, digits, `_` and `-`"),
    version: text,
    description: textLike(/^[\s\S]{0,200}$/u, "a text of at most 200 characters"),
    homepage: text,
    binary: object({ hash: HASH, name: text, version: text, platform: text }, ["hash"]),
    partial: flag,
    filter: object({ commands: listOf(text) }),
    ...{ totalCommands: count, includedCommands: count },
    omitted: object({
      reason: oneOf(["filtered", "depth-limited", "size-limited", "deprecated"]),
      safetyAssumption: oneOf(["unknown", "known-safe", "known-unsafe", "same-as-included"]),
    }),
    trust: object({
      source: oneOf(["native", "vendor", "org", "community", "user", "inferred"]),
      verified: flag,
      checksum: CHECKSUM,
      integrity: object({ checksum: CHECKSUM, signature: object({ type: oneOf(["cosign", "gpg", "minisign"]) }) }),
      provenance: object({ url: text, format: text, slsaLevel: count, builder: text }),
    }),
    commands: commands(1),
    globalOptions: listOf(OPTION),
    authentication: object({ required: flag, methods: listOf(METHOD), checkCommand: text }),
    effects: EFFECTS,
    patterns: listOf(object({ name: text, description: text, steps: listOf(object({ command: text }, ["command"])) })),
    "x-end-of-options": flag,
  },
  ["atip", "name", "version", "description"],
);
