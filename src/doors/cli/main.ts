import { parseArgs } from "node:util";
import { nearest } from "../../domain/nearest.ts";
import { visibleLine } from "../../domain/visible.ts";
import { environmentOfProcess } from "../../wiring/settings.ts";
import { type Command, type Flags, parseOptions, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT } from "./exit-codes.ts";
import { processTerminal } from "./process-terminal.ts";
import type { Terminal } from "./terminal.ts";

/** The command line. Returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const environment = environmentOfProcess();
  const terminal = processTerminal(environment);
  const [name, ...rest] = argv;
  try {
    if (name === undefined || name === "help" || name === "--help" || name === "-h") return await help(rest, terminal);
    if (name === "--version") return await version(terminal);
    const command = await load(name);
    const { words, flags } = parse(command, rest);
    if (flags["help"]) return await help([name], terminal);
    return await interruptible((signal) =>
      command.run({ words, flags, terminal, environment, cwd: process.cwd(), signal }),
    );
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.err(`${terminal.paint("red", "error")} ${visibleLine(error.message)}\n`);
    if (error.hint) terminal.err(`  ${terminal.paint("cyan", "hint")} ${visibleLine(error.hint)}\n`);
    return EXIT.usage;
  }
}

async function load(name: string): Promise<Command> {
  const known = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (known) return await known.load();
  const [near] = nearest(name, Object.keys(COMMANDS), 1);
  throw new UsageError(
    `\`${name}\` is not a command`,
    near ? `did you mean \`${near}\`` : "`toolgate help` lists the commands",
  );
}

function parse({ flags, usage }: Command, args: readonly string[]): { words: readonly string[]; flags: Flags } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: parseOptions(flags),
      allowPositionals: true,
    });
    return { words: positionals, flags: values as Flags };
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? firstSentence(error.message) : "not understood",
      `usage: toolgate ${usage}`,
    );
  }
}

const firstSentence = (text: string): string => (text.split(". ")[0] ?? text).toLowerCase();

/** Ctrl-C and a hang-up cancel the call, which then ends with its outcome; a second Ctrl-C ends the process. */
async function interruptible(run: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, onSignal);
  try {
    return await run(stop.signal);
  } finally {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(name, onSignal);
  }
}

async function help([name]: readonly string[], terminal: Terminal): Promise<number> {
  const { HELP, commandHelp } = await import("./help.ts");
  terminal.out(name === undefined ? HELP : commandHelp(await load(name)));
  return EXIT.ok;
}

async function version(terminal: Terminal): Promise<number> {
  const { VERSION } = await import("../../wiring/version.ts");
  terminal.out(`toolgate ${VERSION}\n`);
  return EXIT.ok;
}
