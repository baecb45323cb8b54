import { readEnvironment } from "../../../src/config/environment.ts";
import type { Command, Flags } from "../../../src/doors/cli/command.ts";
import { invocationOf } from "../../../src/doors/cli/invocation-of.ts";
import { type PaperOptions, paperTerminal } from "../../support/paper-terminal.ts";
import type { Cli } from "../../support/run-cli.ts";

export interface Invoked {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A command in this process, on paper instead of a terminal: for what needs no process of its own. */
export async function invoked(
  cli: Cli,
  command: Command,
  words: readonly string[] = [],
  { flags = {}, ...paper }: PaperOptions & { readonly flags?: Flags } = {},
): Promise<Invoked> {
  const terminal = paperTerminal(paper);
  const home = process.cwd();
  process.chdir(cli.workspace);
  try {
    const environment = readEnvironment(cli.env);
    const code = await command.run(invocationOf(command, { words, flags, terminal, environment, cwd: process.cwd() }));
    return { code, out: terminal.outText(), err: terminal.errText() };
  } finally {
    process.chdir(home);
  }
}
