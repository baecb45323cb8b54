import type { ToolEffects } from "../domain/tool-effects.ts";
import { mergeEffects } from "../rules/effects.ts";
import { commandEffects } from "./effects-of.ts";
import { flagOf } from "./flag.ts";
import type { AtipArgument, AtipCommand, AtipEffects, AtipOption, AtipTool } from "./metadata.ts";
import type { MetadataPath, Report } from "./shape.ts";

/** A command that can be called: one tool of the gate. */
export interface Leaf {
  /** Flattened: `gh_pr_create`. */
  readonly name: string;
  readonly description: string;
  readonly program: string;
  /** The words between the program's global options and the command's own: `pr create`. */
  readonly path: readonly string[];
  readonly globals: readonly AtipOption[];
  readonly options: readonly AtipOption[];
  readonly arguments: readonly AtipArgument[];
  readonly effects: ToolEffects;
  /** Words behind `--` are no options to it. */
  readonly endOfOptions: boolean;
}

interface Above {
  readonly path: readonly string[];
  readonly at: MetadataPath;
  readonly effects: AtipCommand["effects"];
}

/** Every command that can be called, in the order of the file. What has no commands at all is one itself. */
export function leavesOf(tool: AtipTool, separator: string, report: Report): readonly Leaf[] {
  const globals = usable(tool.globalOptions ?? [], ["globalOptions"], report);
  const leaves: Leaf[] = [];
  const add = (command: AtipCommand, { path, at }: Above, effects: ToolEffects): void => {
    const options = usable(command.options ?? [], [...at, "options"], report);
    const given = [...(command.arguments ?? []), ...options];
    reportTwice(given, at, report);
    const own = new Set(given.map(({ name }) => name));
    leaves.push({
      name: [tool.name, ...path].join(separator),
      description: command.description,
      program: tool.name,
      path,
      // What a command calls by the same name is meant.
      globals: globals.filter(({ name }) => !own.has(name)),
      options,
      arguments: command.arguments ?? [],
      effects,
      endOfOptions: command["x-end-of-options"] ?? tool["x-end-of-options"] ?? false,
    });
  };
  const walk = (command: AtipCommand, above: Above, beside: AtipCommand["commands"] = {}): void => {
    const inner = Object.entries(command.commands ?? {});
    const here: Above = { ...above, effects: ownEffects(command) ?? above.effects };
    // A group's argument may be the name of a command below it, or a short form of one: it does what they do. That of
    // the key "" may name a command beside it.
    const hasArguments = (command.arguments ?? []).length > 0;
    const through = hasArguments ? { ...command, commands: { ...beside, ...command.commands } } : command;
    const effects = hasArguments
      ? effectsThrough(through, above.effects, tool)
      : commandEffects(here.effects, tool.effects);
    if (inner.length === 0 || isCallable(command)) add(command, here, effects);
    // Below "" no word has been said yet: what stands beside the group can still be named.
    for (const [name, each] of inner)
      walk(each, below(here, name), name === "" ? { ...beside, ...othersIn(command.commands) } : {});
  };
  const top: Above = { path: [], at: [], effects: undefined };
  for (const [name, command] of Object.entries(tool.commands ?? {}))
    walk(command, below(top, name), name === "" ? othersIn(tool.commands) : {});
  if (leaves.length === 0) add({ description: tool.description }, top, commandEffects(undefined, tool.effects));
  reportCollisions(leaves, report);
  return leaves;
}

/** The worst of all that can be reached through it. What one of them leaves out is not known of all of them. */
function effectsThrough(command: AtipCommand, above: AtipEffects | undefined, tool: AtipTool): ToolEffects {
  const own = ownEffects(command) ?? above;
  return Object.values(command.commands ?? {})
    .map((each) => effectsThrough(each, own, tool))
    .reduce(mergeEffects, commandEffects(own, tool.effects));
}

/** Effects that say nothing are none: what the nearest group says holds. */
const ownEffects = ({ effects }: AtipCommand): AtipEffects | undefined =>
  effects !== undefined && Object.keys(effects).length > 0 ? effects : undefined;

/** What stands beside the key `""`. */
const othersIn = (commands: AtipCommand["commands"] = {}): NonNullable<AtipCommand["commands"]> =>
  Object.fromEntries(Object.entries(commands).filter(([name]) => name !== ""));

/** The key `""` means no further word. */
const below = ({ path, at, effects }: Above, name: string): Above => ({
  path: name === "" ? path : [...path, name],
  at: [...at, "commands", name],
  effects,
});

/** A group that can be called by itself says how. */
const isCallable = ({ arguments: given = [], options = [], examples = [] }: AtipCommand): boolean =>
  given.length + options.length + examples.length > 0;

/** Options that have a flag which can be written. Real files have others, and one bad line should not cost a whole tool. */
function usable(options: readonly AtipOption[], at: MetadataPath, report: Report): readonly AtipOption[] {
  const flags = new Map<string, string>();
  return options.filter((option, index) => {
    const flag = flagOf(option);
    if (flag === null) {
      const level = option.required === true ? "error" : "warning";
      report(level, [...at, index, "flags"], `has no flag that can be written: \`${option.name}\` is left out`);
      return false;
    }
    const other = flags.get(flag);
    if (other !== undefined)
      report("error", [...at, index, "flags"], `has the flag \`${flag}\`, which is \`${other}\` already`);
    flags.set(flag, option.name);
    return true;
  });
}

function reportTwice(parameters: readonly AtipArgument[], at: MetadataPath, report: Report): void {
  const seen = new Set<string>();
  for (const { name } of parameters) {
    if (seen.has(name)) report("error", at, `has two parameters that are called \`${name}\``);
    seen.add(name);
  }
}

/** `a_b` with `c` and `a` with `b_c` have one name, and a model could not say which it means. */
function reportCollisions(leaves: readonly Leaf[], report: Report): void {
  const seen = new Map<string, Leaf>();
  for (const leaf of leaves) {
    const other = seen.get(leaf.name);
    if (other !== undefined)
      report(
        "error",
        ["commands"],
        `has two commands that become \`${leaf.name}\`: \`${spelled(other)}\` and \`${spelled(leaf)}\``,
      );
    seen.set(leaf.name, leaf);
  }
}

const spelled = ({ program, path }: Leaf): string => [program, ...path].join(" ");
