import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import { readJson } from "../schema/json/read-json.ts";
import { isSecretAddress, isSecretValue, secretArgument } from "./secret-like.ts";
import { readSettings } from "./settings-file.ts";

/** Servers of another client's settings, as ours write them. */
export type ClientServers =
  | {
      readonly ok: true;
      readonly servers: Readonly<Record<string, JsonObject>>;
      /** Variables that have to be set: what looked like a secret is not copied. */
      readonly secrets: readonly string[];
      readonly left: readonly { readonly name: string; readonly because: string }[];
      /** Variables that are not copied, since programs load code by them: `server: NAME`. */
      readonly dropped: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/** What a program loads is for the operator to say. */
const LOADS_CODE = /^(?:LD_|DYLD_|NODE_OPTIONS$|BASH_ENV$|PYTHONPATH$|PYTHONSTARTUP$|PATH$)/;
const NAME_MAX = 32;

/**
 * Reads the blocks of Claude Desktop, Cursor and others (`mcpServers`), VS Code (`servers`), Zed (`context_servers`) and the Zed seed.
 * `config`: the text that they are to be added to.
 */
export function readClientServers(path: string, config: string): ClientServers {
  const read = readSettings(path, "shared");
  if (!read.ok) return { ok: false, message: read.message };
  const parsed = readJson(withoutComments(read.text));
  if (!parsed.ok && path.endsWith(".toml")) return { ok: false, message: TOML };
  if (!parsed.ok) return { ok: false, message: `line ${parsed.error.line}: ${parsed.error.message}` };
  return serversIn(parsed.value, config);
}

const TOML = "TOML is not read, only JSON; `toolgate mcp add NAME -- COMMAND…` adds a server of it";

export function serversIn(settings: JsonValue, config = ""): ClientServers {
  const given = isJsonObject(settings)
    ? (settings["mcpServers"] ?? settings["servers"] ?? settings["context_servers"])
    : undefined;
  if (given === undefined) return { ok: false, message: "there are no `mcpServers`, `servers` or `context_servers`" };
  const servers: Record<string, JsonObject> = {};
  const taken = new Set(config.match(OWN_VARIABLE));
  const aside: Aside = { secrets: new Set(), taken, dropped: [] };
  const left: { name: string; because: string }[] = [];
  for (const [name, server] of namedServers(given)) {
    const called = freeName(name, servers);
    const found: Aside = { secrets: new Set(aside.secrets), taken, dropped: [] };
    const own = isJsonObject(server) ? serverFrom(called, server, found) : NEITHER;
    if (typeof own === "string") {
      left.push({ name, because: own });
      continue;
    }
    servers[called] = own;
    for (const variable of found.secrets) aside.secrets.add(variable);
    aside.dropped.push(...found.dropped.map((variable) => `${name}: ${variable}`));
  }
  return { ok: true, servers, secrets: [...aside.secrets], left, dropped: aside.dropped };
}

/** What is not copied of servers that are. */
interface Aside {
  readonly secrets: Set<string>;
  /** Variables that the config names, for whatever it may be: what they hold is not for a server that a file names. */
  readonly taken: ReadonlySet<string>;
  readonly dropped: string[];
}

/** By name, or as a list with `id` or `name` in each. */
const namedServers = (given: JsonValue): readonly (readonly [string, JsonValue])[] =>
  Array.isArray(given)
    ? given.map(
        (one, n) => [String((isJsonObject(one) && (one["id"] ?? one["name"])) || `server-${n + 1}`), one] as const,
      )
    : isJsonObject(given)
      ? Object.entries(given)
      : [];

const NEITHER = "it has no command and no address";
const OFF = "it is switched off there";
const ITSELF = "it is this gate itself";
const SSE =
  "it speaks HTTP+SSE, which MCP has given up and the gate does not speak; ask for its address of Streamable HTTP";
const ENV_FILE =
  "its variables lie in a file (`envFile`), which is not read: `toolgate mcp add` it, and put them into `env`";
const NO_TEXTS = "its arguments are not all texts, and without some of them it would be another command";
/** `${workspaceFolder}`, `${input:key}`, `${env:HOME}`: nobody here knows what they stand for. */
const PLACE = /\$\{[^}]*\}/;
const IN_ADDRESS =
  "its address holds what looks like a secret, which is not copied; `toolgate mcp add` it without, and put the secret into `headers: { NAME: { secret: VARIABLE } }`";
const IN_ARGUMENTS =
  "what looks like a secret, which is not copied: everybody on this machine sees arguments; add it by hand with `env: { NAME: { secret: VARIABLE } }`";

/** A text: why it is left out. */
function serverFrom(name: string, server: JsonObject, aside: Aside): JsonObject | string {
  const { url, httpUrl, serverUrl, headers, disabled, enabled, type } = server;
  if (disabled === true || enabled === false) return OFF;
  const address = [httpUrl, url, serverUrl].find((one) => typeof one === "string");
  if (typeof address === "string") {
    if (type === "sse") return SSE;
    if (PLACE.test(address)) return filledIn(address);
    if (isSecretAddress(address)) return IN_ADDRESS;
    const values = valuesFrom(name, "headers", headers, aside);
    return values === null ? noValues("headers") : { url: address, ...values };
  }
  if (server["envFile"] !== undefined) return ENV_FILE;
  // Zed once had the program in an object of its own.
  const nested = isJsonObject(server["command"]) ? server["command"] : server;
  const command = nested["path"] ?? nested["command"];
  if (typeof command !== "string" || command === "") return NEITHER;
  const args = nested["args"] ?? [];
  if (!Array.isArray(args) || !args.every((one) => typeof one === "string")) return NO_TEXTS;
  if (isThisGate([command, ...args])) return ITSELF;
  const cwd = typeof nested["cwd"] === "string" ? nested["cwd"] : undefined;
  const place = [command, ...args, cwd ?? ""].find((word) => PLACE.test(word));
  if (place !== undefined) return filledIn(place);
  const secretAt = secretArgument(args);
  if (secretAt !== null) return `its argument ${secretAt + 1} holds ${IN_ARGUMENTS}`;
  const values = valuesFrom(name, "env", nested["env"], aside);
  if (values === null) return noValues("env");
  return { command, ...(args.length > 0 && { args }), ...(cwd !== undefined && { cwd }), ...values };
}

/** `npx toolgate mcp`, as `mcp install` writes it: a gate behind itself would never come to an end. */
const isThisGate = (words: readonly string[]): boolean =>
  words.some((word, at) => /(?:^|\/)toolgate(?:@[^/]*|\.js)?$/.test(word) && words[at + 1] === "mcp");

const filledIn = (text: string): string =>
  `its client puts something in the place of \`${PLACE.exec(text)?.[0] ?? ""}\`, which the gate does not: \`toolgate mcp add\` it as it is meant`;

/** An object, or a list of names and values. Null: it is neither, or holds what is no text. */
function valuesFrom(
  server: string,
  part: "env" | "headers",
  given: JsonValue | undefined,
  { secrets, taken, dropped }: Aside,
): JsonObject | null {
  const entries = textsIn(given ?? {});
  if (entries === null) return null;
  const values = entries.flatMap(([name, value]): readonly (readonly [string, JsonValue])[] => {
    if (part === "env" && LOADS_CODE.test(name)) {
      dropped.push(name);
      return [];
    }
    if (!isSecretValue(name, value) && !PLACE.test(value)) return [[name, value]];
    // By a name of its own: what the user's variables of the same name hold is not for a server that a file names.
    const variable = freeVariable(variableOf(server, name), secrets.union(taken));
    secrets.add(variable);
    const prefix = part === "headers" && /^Bearer /i.test(value) ? { prefix: "Bearer " } : {};
    return [[name, { secret: variable, ...prefix }]];
  });
  return values.length === 0 ? {} : { [part]: Object.fromEntries(values) };
}

function textsIn(given: JsonValue): readonly (readonly [string, string])[] | null {
  const entries = Array.isArray(given) ? given.map(namedValue) : isJsonObject(given) ? Object.entries(given) : [[]];
  const texts = entries.flatMap(([name, said]) => {
    const value = typeof said === "number" || typeof said === "boolean" ? String(said) : said;
    return typeof name === "string" && typeof value === "string" ? [[name, value] as const] : [];
  });
  return texts.length === entries.length ? texts : null;
}

const namedValue = (one: JsonValue): readonly JsonValue[] =>
  isJsonObject(one) ? [one["name"] ?? null, one["value"] ?? null] : [];

const noValues = (part: "env" | "headers"): string =>
  `its \`${part}\` is no object of texts, and without some of them it would be called otherwise`;

/** All that `variableOf` makes. */
const OWN_VARIABLE = /TOOLGATE_[A-Z0-9_]+/g;

const variableOf = (server: string, name: string): string =>
  `TOOLGATE_${server}_${name}`.toUpperCase().replace(/[^A-Z0-9]+/g, "_");

/**
 * INVARIANT (own secrets): `a-b` with `C` and `a` with `B_C` are two secrets, and neither server is given the other's, also where one of
 * them was imported before.
 */
function freeVariable(base: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}_${n}`;
    if (!taken.has(name)) return name;
  }
}

function freeName(given: string, taken: Readonly<Record<string, JsonObject>>): string {
  const legal = given
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "")
    .slice(0, NAME_MAX);
  const base = legal === "" ? "server" : legal;
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base.slice(0, NAME_MAX - 4)}-${n}`;
    if (!Object.hasOwn(taken, name)) return name;
  }
}

/** Editors allow comments and a comma at the end. Texts are left as they are, and lines where they stand: a mistake is told by its line. */
export function withoutComments(text: string): string {
  return text
    .replace(
      /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (comment, string: string | undefined) => string ?? comment.replace(/[^\n]/g, " "),
    )
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? " ");
}
