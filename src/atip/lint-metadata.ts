import type { AtipCommand, AtipEffects, AtipOption, AtipTool } from "./metadata.ts";
import type { MetadataPath, Report } from "./shape.ts";

const PLACEHOLDER = /^\s*(?:todo|fixme|tbd|xxx)\b/i;
const DESCRIPTION_LEAST = 10;

/** What works and still should be looked at. Nothing of it makes the gate milder. */
export function lintMetadata(tool: AtipTool, report: Report): void {
  lintDescription(tool.description, ["description"], report);
  if (tool.trust?.source === undefined)
    report("warning", ["trust"], "does not say where this comes from, so it counts as `inferred`");
  const names = new Set<string>();
  const walk = (commands: AtipTool["commands"], at: MetadataPath, above: AtipEffects | undefined): void => {
    for (const [name, command] of Object.entries(commands ?? {})) {
      const here = [...at, "commands", name];
      if (name !== "") names.add(name);
      lintDescription(command.description, here, report);
      lintCommand(command, here, command.effects ?? above, report);
      walk(command.commands, here, command.effects ?? above);
    }
  };
  walk(tool.commands, [], tool.effects);
  lintNames([...names], report);
}

function lintDescription(description: string, at: MetadataPath, report: Report): void {
  if (PLACEHOLDER.test(description)) report("warning", at, "has a description that is still to be written");
  else if (description.trim() !== description || description.trim().length < DESCRIPTION_LEAST)
    report("warning", at, "has a description that tells a model little");
}

function lintCommand(command: AtipCommand, at: MetadataPath, effects: AtipEffects | undefined, report: Report): void {
  const isGroup = Object.keys(command.commands ?? {}).length > 0;
  if (!isGroup && (effects === undefined || Object.keys(effects).length === 0))
    report("warning", at, "does not say what it does (`effects`), so it is taken for the worst");
  if (effects?.destructive === true && effects.reversible === undefined)
    report("warning", at, "is destructive and does not say whether that can be undone (`reversible`)");
  const flags = new Map<string, string>();
  for (const [index, option] of (command.options ?? []).entries()) {
    lintParameter(option, [...at, "options", index], report);
    for (const flag of option.flags) {
      const other = flags.get(flag);
      if (other !== undefined && other !== option.name)
        report("warning", [...at, "options", index], `has the flag \`${flag}\`, as \`${other}\` has`);
      flags.set(flag, option.name);
    }
  }
  for (const [index, argument] of (command.arguments ?? []).entries())
    lintParameter(argument, [...at, "arguments", index], report);
}

function lintParameter({ type, enum: choices }: Pick<AtipOption, "type" | "enum">, at: MetadataPath, report: Report) {
  if (type === "enum" && (choices ?? []).length === 0)
    report("warning", at, "is one of several words and does not say which (`enum`), so any text is taken");
}

const STYLES: readonly RegExp[] = [
  /^[a-z0-9]+(?:-[a-z0-9]+)+$/,
  /^[a-z0-9]+(?:_[a-z0-9]+)+$/,
  /^[a-z]+(?:[A-Z][a-z0-9]*)+$/,
];

function lintNames(names: readonly string[], report: Report): void {
  const used = STYLES.filter((style) => names.some((name) => style.test(name)));
  if (used.length > 1) report("warning", ["commands"], "spells its commands in several ways (`a-b`, `a_b`, `aB`)");
}
