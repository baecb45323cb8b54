import { nearest } from "../../domain/nearest.ts";
import { visibleJson, visibleLine, visibleText } from "../../domain/visible.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { SeenTool, SeenUpstream } from "../../wiring/upstreams.ts";
import { CommandLineError, type Invocation, noWords } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { lineDifferences } from "./line-differences.ts";
import { type CommandError, showError } from "./show-error.ts";
import type { Terminal } from "./terminal.ts";
import { withGate } from "./with-gate.ts";

/** `mcp list`: the servers of the configuration, and what is known of them. Starts none that is known. */
export function listServers(invocation: Invocation): Promise<number> {
  const { flags, terminal, words } = invocation;
  noWords(words);
  return withGate(invocation, undefined, async (gate) => {
    const { unseen } = gate.upstreams;
    if (unseen.length > 0 && terminal.isErrTerminal)
      terminal.err(terminal.paint("dim", `asking ${unseen.map(visibleLine).join(", ")} for the first time\n`));
    await gate.upstreams.ready();
    const all = gate.upstreams.list();
    if (flags["json"]) terminal.out(`${visibleJson(all.map(asJson))}\n`);
    else for (const one of all) terminal.out(`${serverLine(one)}\n`);
    if (all.length === 0) terminal.err("no MCP server is configured; `toolgate mcp add NAME -- COMMAND` adds one\n");
    return EXIT.ok;
  });
}

/** `mcp inspect NAME`: asks the server anew, and shows each definition with what is odd about it. */
export function inspectServer(invocation: Invocation): Promise<number> {
  const { flags, terminal } = invocation;
  return withServer(invocation, async (_, seen, fault) => {
    if (flags["json"]) terminal.out(`${visibleJson({ ...asJson(seen), fault })}\n`);
    else terminal.out([...seen.code, ...seen.tools, ...seen.offers].map((tool) => toolLines(tool, terminal)).join(""));
    for (const { tool, because } of seen.leftOut)
      terminal.err(`left out ${visibleLine(tool)}: ${visibleLine(because)}\n`);
    if (fault !== null) showError(fault, false, terminal);
    return fault === null ? EXIT.ok : OUTCOME_EXIT.failed;
  });
}

type Use = (gate: Gate, seen: SeenUpstream, fault: CommandError | null) => Promise<number>;

/** Asks a server anew, and has it used as it was seen. */
export function withServer(invocation: Invocation, use: Use): Promise<number> {
  const [name, ...more] = invocation.words;
  if (name === undefined) throw new CommandLineError("no server is named", "`toolgate mcp list` names them");
  noWords(more);
  return withGate(invocation, undefined, async (gate) => {
    const looked = await gate.upstreams.look(name);
    if (looked !== null) return await use(gate, looked.seen, looked.fault);
    const names = gate.upstreams.list().map(({ spec }) => spec.name);
    const [near] = nearest(name, names, 1);
    const hint = near === undefined ? "`toolgate mcp list` names them" : `did you mean \`${near}\``;
    showError({ message: `no MCP server is called \`${name}\``, hint }, invocation.flags["json"], invocation.terminal);
    return OUTCOME_EXIT.refused;
  });
}

function serverLine({ spec, health, tools, offers, code, leftOut }: SeenUpstream): string {
  const where = spec.way.kind === "stdio" ? [spec.way.command, ...spec.way.args].join(" ") : spec.way.url;
  const held = [...tools, ...offers, ...code].filter(({ heldBack }) => heldBack !== null).length;
  const odd = [
    ...(held > 0 ? [`${held} held back`] : []),
    ...(leftOut.length > 0 ? [`${leftOut.length} left out`] : []),
    ...(health.last === null ? [] : [health.last]),
  ];
  const more = offers.length > 0 ? [`${offers.length} prompts and resources`] : [];
  const count = `${tools.length} tool${tools.length === 1 ? "" : "s"}`;
  return visibleLine([spec.name, count, ...more, where, ...odd].join("  "));
}

export function toolLines({ name, pin, heldBack }: SeenTool, { paint }: Pick<Terminal, "paint">): string {
  const marks = [...pin.flags, ...(heldBack === null ? [] : [`held back: ${heldBack}`])];
  const shown = (definition: object) => visibleText(JSON.stringify(definition, null, 2)).split("\n");
  const now = pin.changed;
  const before = shown(pin.definition);
  const lines = now === undefined ? before.map((line) => `  ${line}`) : lineDifferences(before, shown(now.definition));
  const head = `${paint("bold", visibleLine(name))}  ${marks.map((mark) => paint("red", mark)).join("  ")}`;
  return `${head.trimEnd()}\n${lines.join("\n")}\n  digest ${now?.digest ?? pin.digest}\n`;
}

const asJson = ({ spec, health, tools, offers, code, leftOut }: SeenUpstream) => ({
  name: spec.name,
  way: spec.way.kind === "stdio" ? { command: spec.way.command, args: spec.way.args } : { url: spec.way.url },
  health,
  tools: tools.map(({ name, pin, heldBack }) => ({ name, heldBack, ...pin })),
  offers: offers.map(({ name, pin, heldBack }) => ({ name, heldBack, ...pin })),
  code: code.map(({ name, pin, heldBack }) => ({ name, heldBack, ...pin })),
  leftOut,
});
