import { parseArgs } from "node:util";
import { nearest } from "../../domain/nearest.ts";
import { visibleText } from "../../domain/visible.ts";
import { environmentOfProcess } from "../../wiring/environment.ts";
import { VERSION } from "../../wiring/version.ts";
import { type Command, CommandLineError, type Flags, type Invocation, parseOptions, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT } from "./exit-codes.ts";
import { invocationOf } from "./invocation-of.ts";
import { processTerminal } from "./process-terminal.ts";
import { ReportedFault } from "./reported-fault.ts";
import type { Terminal } from "./terminal.ts";

/** Whether it names a command, whatever else is on the line. */
export const isCommand = (name: string): boolean => Object.hasOwn(COMMANDS, name);

/** The command line. Returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const environment = environmentOfProcess();
  const terminal = processTerminal(environment);
  const [name, ...rest] = argv;
  let usage: string | null = null;
  try {
    if (name === undefined || name === "help" || name === "--help" || name === "-h") return await help(rest, terminal);
    if (name === "--version") return version(rest, terminal);
    const command = await load(name);
    usage = command.usage;
    const { words, flags } = parse(command, rest);
    if (flags["help"]) return await help([name], terminal);
    const invocation = invocationOf(command, { words, flags, terminal, environment, cwd: workingDirectory() });
    const refused = environment.token === null ? null : await refusalTo(command, invocation);
    return refused ?? (await command.run(invocation));
  } catch (error) {
    const { showError } = await import("./show-error.ts");
    const isUsage = error instanceof UsageError;
    // Internal errors go to stderr, never into the JSON result.
    if (!isUsage && !(error instanceof ReportedFault)) terminal.err(`${visibleText(causeOf(error))}\n`);
    showError(isUsage ? error : MISTAKE, isForPrograms(argv), terminal);
    if (error instanceof CommandLineError && usage !== null && !isForPrograms(argv))
      terminal.err(`  usage toolgate ${usage}\n`);
    return isUsage ? EXIT.usage : EXIT.fault;
  }
}

const MISTAKE = { code: "FAULT", message: "toolgate made a mistake", hint: "please report it" } as const;

const causeOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** Also where the rest of the line can't be understood: who asked for JSON reads nothing else. */
function isForPrograms(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end === -1 ? argv : argv.slice(0, end)).includes("--json");
}

/** A folder can be deleted under whoever works in it. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new UsageError("the working directory is gone", "change to a folder that is there, and try again");
  }
}

/** Loaded only where somebody gives a token. */
async function refusalTo(command: Command, invocation: Invocation): Promise<number | null> {
  const { refusedToAgent } = await import("./refused-to-agent.ts");
  const refusal = refusedToAgent(command, invocation);
  return refusal === null ? null : await invocation.refuse(refusal);
}

async function load(name: string): Promise<Command> {
  const known = isCommand(name) ? COMMANDS[name] : undefined;
  if (known) return await known.load();
  const [near] = nearest(name, Object.keys(COMMANDS), 1);
  const hint = near ? `did you mean \`${near}\`` : "`toolgate help` lists the commands";
  throw new UsageError(
    `\`${name}\` is not a command`,
    name.startsWith("-") ? "options come after the command: `toolgate call … --json`" : hint,
  );
}

function parse({ flags }: Command, args: readonly string[]): { words: readonly string[]; flags: Flags } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: parseOptions(flags),
      allowPositionals: true,
    });
    return { words: positionals, flags: values as Flags };
  } catch (error) {
    throw new CommandLineError(error instanceof Error ? firstSentence(error.message) : "not understood");
  }
}

/** Node's sentence in the house's style. */
function firstSentence(text: string): string {
  const [sentence = text] = text.split(/\.\s/);
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replaceAll("'", "`");
}

async function help([name]: readonly string[], terminal: Terminal): Promise<number> {
  const { HELP, commandHelp } = await import("./help.ts");
  terminal.out(name === undefined ? HELP : commandHelp(await load(name)));
  return EXIT.ok;
}

function version(rest: readonly string[], terminal: Terminal): number {
  terminal.out(isForPrograms(rest) ? `${JSON.stringify({ version: VERSION })}\n` : `toolgate ${VERSION}\n`);
  return EXIT.ok;
}
