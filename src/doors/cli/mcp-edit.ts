import type { JsonObject } from "../../domain/json.ts";
import { visibleJson, visibleLine, visibleText } from "../../domain/visible.ts";
import { editConfig, serversOfClient } from "../../wiring/edit-config.ts";
import { readSettings } from "../../wiring/settings.ts";
import { CommandLineError, type Invocation, noWords } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { isYes } from "./is-yes.ts";
import { CLIENTS } from "./mcp-clients.ts";
import { type CommandError, showError } from "./show-error.ts";
import { refuseAll, settingsFlags } from "./with-gate.ts";

/** `mcp add NAME -- COMMAND…`, or with `--url`. */
export async function addServer(invocation: Invocation): Promise<number> {
  const { flags, words } = invocation;
  const [name, ...command] = words;
  const { url } = flags;
  if (name === undefined) throw new CommandLineError("no name is given", "`toolgate mcp add NAME -- COMMAND…`");
  if ((url === undefined) === (command.length === 0))
    throw new CommandLineError(
      "neither a command nor an address is given",
      "write its command behind `--`, or its address as `--url`",
    );
  const [program = "", ...args] = command;
  const server = typeof url === "string" ? { url } : { command: program, ...(args.length > 0 && { args }) };
  return await save(invocation, readSettings(settingsFlags(invocation)), { [name]: server }, null);
}

/** `mcp import FILE`: the servers of another client's settings. */
export async function importServers(invocation: Invocation): Promise<number> {
  const { cwd, terminal, words } = invocation;
  const [file, ...more] = words;
  if (file === undefined)
    throw new CommandLineError("no file is named", "the settings of Claude Desktop, Cursor, VS Code or Zed");
  noWords(more);
  const settings = readSettings(settingsFlags(invocation));
  const found = serversOfClient(cwd, file, settings.kind === "ready" ? settings.config : null);
  if (!found.ok) return complain(invocation, { message: `\`${file}\`: ${found.message}`, hint: fileOf(file) });
  for (const { name, because } of found.left) terminal.err(`left out ${visibleLine(name)}: ${visibleLine(because)}\n`);
  if (found.dropped.length > 0)
    terminal.err(`not copied, since programs load code by it: ${found.dropped.map(visibleLine).join(", ")}\n`);
  if (found.secrets.length > 0)
    terminal.err(`secrets are not copied; set ${found.secrets.map(visibleLine).join(", ")} in the environment\n`);
  if (Object.keys(found.servers).length === 0) return complain(invocation, NO_SERVER);
  return await save(invocation, settings, found.servers, found);
}

const NO_SERVER = {
  message: "there is no server in it that can be added",
  hint: "servers stand under `mcpServers`, `servers` or `context_servers`",
} as const;

/** Who names a client and no file means its settings, which lie here, at home, or in both. */
function fileOf(given: string): string | undefined {
  const parts = Object.hasOwn(CLIENTS, given) ? CLIENTS[given]?.parts.join("/") : undefined;
  return parts === undefined ? undefined : `name the file, such as \`${parts}\` or \`~/${parts}\``;
}

/** What of a client's settings is not taken over. */
interface NotTaken {
  readonly left: readonly { readonly name: string; readonly because: string }[];
  readonly dropped: readonly string[];
  readonly secrets: readonly string[];
}

/** `from`: what it is comes from a file that somebody else may have written, so it is shown first. Null: the user has said it. */
async function save(
  invocation: Invocation,
  settings: ReturnType<typeof readSettings>,
  servers: Readonly<Record<string, JsonObject>>,
  from: NotTaken | null,
): Promise<number> {
  const { environment, flags, terminal } = invocation;
  if (settings.kind !== "ready") return refuseAll(settings, invocation);
  const edited = editConfig(settings.config, servers, environment, Date.now());
  if ("message" in edited) return complain(invocation, edited);
  if (from !== null) {
    for (const [name, server] of Object.entries(servers))
      terminal.err(`+ ${visibleLine(name)}: ${visibleLine(JSON.stringify(server))}\n`);
    const why = await whyNotMeant(invocation);
    if (why !== null) return complain(invocation, why);
  }
  const saved = edited.save();
  if (!saved.ok) return complain(invocation, saved);
  const names = Object.keys(servers);
  if (flags["json"]) terminal.out(`${visibleJson({ added: names, ...(from && notTaken(from)) })}\n`);
  else {
    terminal.out(`added ${names.map(visibleLine).join(", ")}\n`);
    terminal.err(visibleText(howToCall(names)));
    if (from !== null)
      terminal.err("take them out of that client's settings: what it starts itself goes past the gate\n");
  }
  return EXIT.ok;
}

/** As `list` and `inspect` call it. */
const notTaken = ({ left, dropped, secrets }: NotTaken): JsonObject => ({
  leftOut: left.map(({ name, because }) => ({ server: name, because })),
  dropped,
  secrets,
});

/** Null: it is meant. */
async function whyNotMeant({ flags, terminal }: Invocation): Promise<CommandError | null> {
  if (flags["write"] === true) return null;
  const message = "nothing was written";
  if (!terminal.isInteractive) return { message, hint: "use a terminal, or say `--write` once you have read this" };
  const typed = await terminal.question("add them to the configuration? [y]es, [N]o: ");
  return isYes(typed) ? null : { message };
}

/** For each a rule that is good to begin with. */
const howToCall = (names: readonly string[]): string =>
  `none of ${names.length === 1 ? "its" : "their"} tools can be called yet: \`toolgate mcp inspect ${names[0]}\` shows them, and a rule lets them through, such as\n` +
  names.map((name) => `  - { id: ${name}, effect: ask, otherwise: true, touch: { tool: ["${name}_*"] } }\n`).join("");

function complain({ flags, terminal }: Invocation, error: CommandError): number {
  showError(error, flags["json"], terminal);
  return OUTCOME_EXIT.refused;
}
