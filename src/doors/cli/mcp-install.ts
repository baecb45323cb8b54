import { resolve } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import { visibleJson, visibleLine, visibleText } from "../../domain/visible.ts";
import { editForeign, type ForeignEntry } from "../../wiring/foreign-settings.ts";
import { readSettings } from "../../wiring/settings.ts";
import { type Invocation, noWords, UsageError } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { CLIENTS, type Client } from "./mcp-clients.ts";
import { showError } from "./show-error.ts";
import { settingsFlags } from "./with-gate.ts";

const NAME = "toolgate";

/** `mcp install CLIENT`: what belongs into that client's settings, or with `--write` puts it there. */
export async function installIn(invocation: Invocation): Promise<number> {
  const { flags, terminal, words } = invocation;
  const [name, ...more] = words;
  const client = name !== undefined && Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (client === undefined) {
    const message =
      name === undefined ? "no client is named" : `\`${visibleLine(name)}\` is not a client that toolgate knows`;
    throw new UsageError(message, `the clients are ${Object.keys(CLIENTS).join(", ")}`);
  }
  noWords(more);
  const args = ["toolgate", "mcp", ...configOf(invocation, client), ...workspaceOf(invocation)];
  const entry = { ...client.more, command: "npx", args };
  if (flags["write"] === true) return writeInto(invocation, client, entry);
  const text = textFor(client, entry);
  if (flags["json"]) terminal.out(`${visibleJson({ file: shownFile(client), text })}\n`);
  else {
    terminal.err(`for ${shownFile(client)} (\`--write\` puts it there):\n`);
    terminal.out(text);
  }
  return EXIT.ok;
}

const shownFile = ({ base, parts }: Client): string => `${base === "project" ? "" : "~/"}${parts.join("/")}`;

/** Another one than the configuration's, where the user has named it. */
const workspaceOf = ({ flags, cwd }: Invocation): readonly string[] =>
  typeof flags["workspace"] === "string" ? ["--workspace", resolve(cwd, flags["workspace"])] : [];

/** A client that is no project's is started anywhere, so it is told where the configuration is. */
function configOf(invocation: Invocation, { base }: Client): readonly string[] {
  const { flags, cwd } = invocation;
  if (typeof flags["config"] === "string") return ["--config", resolve(cwd, flags["config"])];
  if (base === "project") return [];
  const settings = readSettings(settingsFlags(invocation));
  const path = settings.kind === "ready" ? settings.config.path : null;
  return path === null ? [] : ["--config", path];
}

const textFor = ({ group }: Client, entry: JsonObject): string =>
  group === null ? tableFor(entry) : `${JSON.stringify({ [group]: { [NAME]: entry } }, null, 2)}\n`;

const tableFor = ({ command, args }: JsonObject): string =>
  `[mcp_servers.${NAME}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;

function writeInto(invocation: Invocation, client: Client, entry: JsonObject): number {
  const { cwd, environment, flags, terminal } = invocation;
  const base = client.base === "project" ? cwd : environment.home;
  const shown = shownFile(client);
  const refused = (message: string): number => {
    const hint = "without `--write` it is printed, and you can put it in";
    showError({ message: `\`${shown}\`: ${message}`, hint }, flags["json"], terminal);
    return OUTCOME_EXIT.refused;
  };
  if (base === null) return refused("there is no home folder");
  const edited = editForeign({ base, parts: client.parts }, entryFor(client, entry));
  if (!edited.ok) return refused(edited.message);
  const isNew = edited.after !== edited.before;
  if (isNew) {
    terminal.err(`${visibleLine(shown)}:\n${visibleText(changedLines(edited.before, edited.after))}`);
    const failed = edited.save();
    if (failed !== null) return refused(failed);
  }
  const done = isNew ? "is written" : "is there already";
  terminal.out(flags["json"] ? `${visibleJson({ file: shown, changed: isNew })}\n` : `it ${done}\n`);
  return EXIT.ok;
}

const entryFor = ({ group }: Client, entry: JsonObject): ForeignEntry =>
  group === null ? { table: `mcp_servers.${NAME}`, text: tableFor(entry) } : { group, name: NAME, value: entry };

/** The lines between those that both begin and end with. */
function changedLines(before: string, after: string): string {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const marked = (mark: string, lines: readonly string[]) =>
    lines.slice(start, lines.length - end).map((line) => `${mark} ${line}\n`);
  return [...marked("-", old), ...marked("+", fresh)].join("");
}
