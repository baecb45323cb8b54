import { isAbsolute, resolve } from "node:path";
import { isJsonObject, type JsonValue } from "../domain/json.ts";
import { Secret } from "../domain/secret.ts";
import { quoted } from "../domain/visible.ts";
import type { Path } from "../schema/mismatch.ts";
import type { ShapeProblem } from "./config-shape.ts";
import { readSettings } from "./settings-file.ts";
import type { Variables } from "./variables.ts";

/** A value of a tool's environment that is taken out of everything that leaves the gate. */
export interface ScriptSecret {
  readonly name: string;
  readonly value: Secret;
  /** The file that it came from. */
  readonly file: string | null;
  /** Where in the config it comes from. Left out = the script tools. */
  readonly at?: Path;
}

export interface ScriptEnvironment {
  readonly variables: Readonly<Record<string, string | Secret>>;
  readonly secrets: readonly ScriptSecret[];
  /** Names of variables whose secret is written out. */
  readonly inline: readonly string[];
  readonly problems: readonly ShapeProblem[];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const REFERENCE = /^\$\{secret:([A-Za-z_][A-Za-z0-9_]*)\}$/;
/** Names whose values are nobody's business, also where they were written out. */
const SECRETIVE = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|(?:^|_)PWD|AUTH/i;
const SECRET_CHARS_MIN = 6;

/**
 * `environment_variables`: a text, `${secret:NAME}`, `{ secret: NAME }` or `{ env: NAME }` for a variable of the gate's own
 * environment, `{ file: PATH }` for what a file holds.
 */
export function environmentFrom(
  given: Readonly<Record<string, JsonValue>>,
  { base, variables }: { readonly base: string; readonly variables: Variables },
): ScriptEnvironment {
  const found: Record<string, string | Secret> = {};
  const secrets: ScriptSecret[] = [];
  const problems: ShapeProblem[] = [];
  const inline: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const read = NAME.test(name) ? valueFrom(name, value, base, variables) : WRONG_NAME(name);
    if ("problem" in read) {
      const [message, hint] = read.problem;
      problems.push({ path: ["sandbox", "environment_variables", name], what: "value", message, hint });
      continue;
    }
    found[name] = read.value;
    if (read.value instanceof Secret && typeof value === "string" && !REFERENCE.test(value)) inline.push(name);
    if (read.value instanceof Secret) secrets.push({ name: read.name, value: read.value, file: read.file });
  }
  return { variables: found, secrets, inline, problems };
}

type Read =
  | { readonly value: string | Secret; readonly name: string; readonly file: string | null }
  | { readonly problem: readonly [message: string, hint: string] };

const WRONG_NAME = (name: string): Read => ({
  problem: [`${quoted(name)} can't be a variable's name`, "use letters, digits and `_`"],
});

function valueFrom(name: string, value: JsonValue, base: string, variables: Variables): Read {
  if (typeof value === "number" || typeof value === "boolean") return { value: String(value), name, file: null };
  if (typeof value === "string") {
    const [, referred] = REFERENCE.exec(value) ?? [];
    if (referred !== undefined) return fromVariable(referred, variables);
    const isSecret = SECRETIVE.test(name) && value.length >= SECRET_CHARS_MIN;
    return { value: isSecret ? new Secret(value) : value, name, file: null };
  }
  if (isJsonObject(value) && Object.keys(value).length === 1) {
    const { secret, env, file } = value;
    const variable = secret ?? env;
    if (typeof variable === "string") return fromVariable(variable, variables);
    if (typeof file === "string") return fromFile(name, file, base);
  }
  return {
    problem: ["a variable is a text, `{ secret: NAME }`, `{ env: NAME }` or `{ file: PATH }`", "write one of these"],
  };
}

function fromVariable(name: string, variables: Variables): Read {
  const value = variables[name];
  if (value === undefined || value === "")
    return { problem: [`the variable ${quoted(name)} is not set`, "set it where the gate is started, or take it out"] };
  return { value: new Secret(value), name, file: null };
}

function fromFile(name: string, file: string, base: string): Read {
  const path = isAbsolute(file) ? file : resolve(base, file);
  const read = readSettings(path, "shared");
  if (!read.ok) return { problem: [`the secret in ${quoted(file)}: ${read.message}`, "name a file that is there"] };
  return { value: new Secret(read.text.replace(/[\r\n]+$/, "")), name, file: path };
}
