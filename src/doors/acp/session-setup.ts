import { isAbsolute, resolve } from "node:path";
import { isWithin } from "../../domain/is-within.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { ToolDefinition } from "../../domain/tool.ts";
import type { Offered } from "./door-parts.ts";
import { withMember } from "./splice.ts";
import { invalidParams, type RpcError } from "./wire-errors.ts";

/** The only revision whose questions we know; a later one has others, and would go by us. */
export const PROTOCOL = 1;

/** What an agent may ask us for: of the editor where it can, else of the gate's own tools where those are switched on. */
export function offeredBy(capabilities: JsonValue | undefined, tools: readonly ToolDefinition[]): Offered {
  const fs = isJsonObject(capabilities) && isJsonObject(capabilities["fs"]) ? capabilities["fs"] : {};
  const has = (name: string) => tools.some((tool) => tool.name === name);
  const by = (declared: JsonValue | undefined, tool: string): "editor" | "gate" | null =>
    declared === true ? "editor" : has(tool) ? "gate" : null;
  return {
    read: by(fs["readTextFile"], "read_file"),
    write: by(fs["writeTextFile"], "write_file"),
    terminal: has("run_command"),
  };
}

/** `initialize`, as the agent is to hear it. */
export function initializeText(text: string, params: JsonObject, { read, write, terminal }: Offered): string {
  const given = isJsonObject(params["clientCapabilities"]) ? params["clientCapabilities"] : {};
  const fs = { readTextFile: read !== null, writeTextFile: write !== null };
  const changed = { ...params, protocolVersion: PROTOCOL, clientCapabilities: { ...given, fs, terminal } };
  return withMember(text, "params", JSON.stringify(changed));
}

export interface SetUp {
  readonly cwd: string;
  /** Names of servers that the agent is not told of. */
  readonly dropped: readonly string[];
  /** Folders outside of the workspace, which it is not told of either. */
  readonly outside: readonly string[];
  readonly textWith: (server: JsonObject) => string;
}

/** `session/new` and its like: the gate's own server put in, and what it does not govern left out. */
export function setUpFrom(
  { text, params }: { readonly text: string; readonly params: JsonObject },
  workspace: string,
  editorServers: "drop" | "pass",
): SetUp | { readonly error: RpcError } {
  const { cwd, mcpServers, additionalDirectories } = params;
  if (typeof cwd !== "string" || !isAbsolute(cwd)) return { error: invalidParams("`cwd` has to be an absolute path") };
  if (!isWithin(resolve(cwd), workspace)) return { error: invalidParams(OUTSIDE(workspace)) };
  const given = Array.isArray(mcpServers) ? (mcpServers as readonly JsonValue[]) : [];
  const kept = editorServers === "pass" ? given.map(inListForm) : [];
  const folders = Array.isArray(additionalDirectories) ? (additionalDirectories as readonly JsonValue[]) : [];
  const isInside = (folder: JsonValue) => typeof folder === "string" && isWithin(resolve(folder), workspace);
  return {
    cwd: resolve(cwd),
    dropped: editorServers === "pass" ? [] : given.map(nameOf),
    outside: folders.filter((folder) => !isInside(folder)).map(String),
    textWith: (server) => {
      const more = additionalDirectories === undefined ? {} : { additionalDirectories: folders.filter(isInside) };
      return withMember(text, "params", JSON.stringify({ ...params, ...more, mcpServers: [server, ...kept] }));
    },
  };
}

const OUTSIDE = (workspace: string): string =>
  `this gate is for the workspace \`${workspace}\`: start another one with \`toolgate acp --workspace DIR\``;

const nameOf = (server: JsonValue): string => (isJsonObject(server) ? String(server["name"]) : "?");

/** The Zed seed writes the variables as an object, and gives servers an id. */
function inListForm(server: JsonValue): JsonValue {
  if (!isJsonObject(server) || !isJsonObject(server["env"])) return server;
  const { id: _, env, ...rest } = server;
  return { ...rest, env: Object.entries(env as JsonObject).map(([name, value]) => ({ name, value })) };
}
