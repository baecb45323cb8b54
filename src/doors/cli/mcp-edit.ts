import type { JsonObject } from "../../domain/json.ts";
import { visibleJson, visibleLine, visibleText } from "../../domain/visible.ts";
import { editConfig, serversOfClient } from "../../wiring/edit-config.ts";
import { readSettings } from "../../wiring/settings.ts";
import { type Invocation, noWords, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { CLIENTS } from "./mcp-clients.ts";
import { refuseAll, settingsFlags } from "./with-gate.ts";

/** `mcp add NAME -- COMMAND…`, or with `--url`. */
export async function addServer(invocation: Invocation): Promise<number> {
  const { flags, words } = invocation;
  const [name, ...command] = words;
  const { url } = flags;
  if (name === undefined) throw new UsageError("which name", "`toolgate mcp add NAME -- COMMAND…`");
  if ((url === undefined) === (command.length === 0))
    throw new UsageError("how is it reached", "write its command behind `--`, or its address as `--url`");
  const [program = "", ...args] = command;
  const server = typeof url === "string" ? { url } : { command: program, ...(args.length > 0 && { args }) };
  return save(invocation, { [name]: server });
}

/** `mcp import FILE`: the servers of another client's settings. */
export async function importServers(invocation: Invocation): Promise<number> {
  const { cwd, terminal, words } = invocation;
  const [file, ...more] = words;
  if (file === undefined) throw new UsageError("which file", "the settings of Claude Desktop, Cursor, VS Code or Zed");
  noWords(more);
  const found = serversOfClient(cwd, file);
  if (!found.ok) return complain(invocation, `\`${file}\`: ${found.message}`);
  for (const name of found.left) terminal.err(`left out ${visibleLine(name)}: it has no command and no address\n`);
  if (found.secrets.length > 0)
    terminal.err(`secrets are not copied; set ${found.secrets.map(visibleLine).join(", ")} in the environment\n`);
  if (Object.keys(found.servers).length === 0) return complain(invocation, "there is no server in it");
  return save(invocation, found.servers);
}

/** `mcp install CLIENT`: what belongs into that client's settings. */
export async function installIn({ flags, terminal, words }: Invocation): Promise<number> {
  const [name, ...more] = words;
  const client = name !== undefined && Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (client === undefined) throw new UsageError("which client", `it is ${Object.keys(CLIENTS).join(", ")}`);
  noWords(more);
  const config = typeof flags["config"] === "string" ? ["--config", flags["config"]] : [];
  terminal.err(`for ${client.file}:\n`);
  terminal.out(client.text({ command: "npx", args: ["toolgate", "mcp", ...config] }));
  return EXIT.ok;
}

function save(invocation: Invocation, servers: Readonly<Record<string, JsonObject>>): number {
  const { environment, flags, terminal } = invocation;
  const settings = readSettings(settingsFlags(invocation));
  if (settings.kind !== "ready") return refuseAll(settings, invocation);
  const edited = editConfig(settings.config, servers, environment, Date.now());
  if ("message" in edited) return complain(invocation, edited.message, edited.hint);
  const saved = edited.save();
  if (!saved.ok) return complain(invocation, saved.message, saved.hint);
  const names = Object.keys(servers);
  if (flags["json"]) terminal.out(`${visibleJson({ added: names })}\n`);
  else {
    terminal.out(`added ${names.map(visibleLine).join(", ")}\n`);
    terminal.err(`${visibleText(HOW)}\n`);
  }
  return EXIT.ok;
}

const HOW =
  "its tools are called NAME_TOOL, and none can be called yet: write a rule, such as\n" +
  '  - { id: mcp, effect: ask, otherwise: true, touch: { tool: ["NAME_*"] } }';

function complain({ terminal }: Invocation, message: string, hint?: string): number {
  terminal.err(`${terminal.paint("red", "error")} ${visibleLine(message)}\n`);
  if (hint !== undefined) terminal.err(`  ${terminal.paint("cyan", "hint")} ${visibleLine(hint)}\n`);
  return OUTCOME_EXIT.refused;
}
