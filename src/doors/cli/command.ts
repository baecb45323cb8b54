import type { ParseArgsConfig } from "node:util";
import type { Refusal } from "../../domain/outcome.ts";
import type { Environment } from "../../wiring/settings.ts";
import type { Terminal } from "./terminal.ts";

export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** A command line, taken apart. */
export interface Invocation {
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly cwd: string;
  /** Tells of a no to the whole command, as this command tells it. The exit code. */
  readonly refuse: (refusal: Refusal) => Promise<number>;
}

export interface FlagHelp {
  readonly type: "string" | "boolean";
  readonly means: string;
  /** The subcommands that take it, `""` = the command without one; left out = all. */
  readonly of?: readonly string[];
  /** What its value is, for completion: a path, or one of some words. */
  readonly value?: "file" | "directory" | readonly string[];
}

/** One row of the table that help, completion and the dispatcher are made from. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly details: string;
  readonly examples: readonly string[];
  readonly flags: Readonly<Record<string, FlagHelp>>;
  /** The first words that it knows, if it has such. */
  readonly subcommands?: readonly string[];
  /**
   * What of it an agent may use: with a token in the environment the caller is that session, and nobody else. Left out =
   * nothing; a list: with these as the first word (`""` = with none).
   */
  readonly agents?: "all" | readonly string[];
  /** What its words are otherwise, for completion. */
  readonly takes?: "tool" | "file";
  /**
   * How it tells of a no to the whole of it (settings that don't load, a token that is not good), where its answers have a
   * shape of their own. Left out = the refusal alone. The exit code.
   */
  readonly refused?: (refusal: Refusal, invocation: Invocation) => Promise<number>;
  /** The exit code. */
  readonly run: (invocation: Invocation) => Promise<number>;
}

/** A command line that can't be understood. Caught in `main`, which prints it and exits with 2. */
export class UsageError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** The form of the command line is wrong: `main` prints its usage as well. */
export class CommandLineError extends UsageError {}

/** For commands that take no words, or no more: one that is passed over in silence would be taken for obeyed. */
export function noWords([word]: readonly string[]): void {
  if (word !== undefined) throw new CommandLineError(`\`${word}\` is one word too many`);
}

/** The same for options: `sessions open --for 1h` would open a session for a day. */
export function noOtherFlags({ name, flags }: Pick<Command, "name" | "flags">, subcommand: string, given: Flags): void {
  for (const [flag, { of = [subcommand] }] of Object.entries(flags)) {
    if (given[flag] === undefined || of.includes(subcommand)) continue;
    const named = (taker: string) => (taker === "" ? `\`${name}\` alone` : `\`${name} ${taker}\``);
    throw new CommandLineError(
      `${named(subcommand)} takes no \`--${flag}\``,
      `it is for ${of.map(named).join(" and ")}`,
    );
  }
}

/** For whoever reads all options of a command together. */
export const flagMeans = ({ of, means }: FlagHelp): string => {
  const subcommands = of?.filter((taker) => taker !== "") ?? [];
  return subcommands.length === 0 ? means : `${subcommands.join(", ")}: ${means}`;
};

export const GLOBAL_FLAGS = {
  config: {
    type: "string",
    means: "the configuration to use; default: `toolgate.yaml` here or in a folder above",
    value: "file",
  },
  workspace: { type: "string", means: "another workspace than the configuration's", value: "directory" },
  json: {
    type: "boolean",
    means: "print the result as one line of JSON; of questions, sessions and entries a line each",
  },
  help: { type: "boolean", means: "explain the command" },
} as const satisfies Record<string, FlagHelp>;

export const parseOptions = (flags: Readonly<Record<string, FlagHelp>>): NonNullable<ParseArgsConfig["options"]> =>
  Object.fromEntries(Object.entries({ ...flags, ...GLOBAL_FLAGS }).map(([name, { type }]) => [name, { type }]));
