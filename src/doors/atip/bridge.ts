import type { AtipTool } from "../../atip/metadata.ts";
import { DESCRIPTION_MAX, describedIn } from "../../formats/description.ts";
import type { FormatName, ToolsFor } from "../../formats/formats.ts";
import { Offer } from "../../formats/offer.ts";
import { safetySuffix } from "../../formats/safety-suffix.ts";
import { legalArguments, MOST_ARGUMENTS } from "../../formats/schema/legal-arguments.ts";
import { objectSchema } from "../../formats/schema/object-schema.ts";
import { filterSecrets, type SecretFilter } from "./formatting.ts";
import { commandMap, type MappingOptions, mapToCommand } from "./mapping.ts";
import { definitionFor, ownArguments } from "./offered.ts";
import type { CommandMapping, ToolCall, ValidationResult } from "./types.ts";
import { validateToolCall } from "./validation.ts";

function mappingsOf(tools: readonly AtipTool[], options: MappingOptions = {}): readonly CommandMapping[] {
  const map = commandMap(tools, options);
  return [...map.entries()].flatMap(({ leaf }) => map.find(leaf.name) ?? []);
}

/** Every command of every tool, as a request of this provider takes them. */
export function compileTools<Name extends FormatName>(
  tools: readonly AtipTool[],
  provider: Name,
  options: MappingOptions = {},
): ToolsFor<Name> {
  return new Offer(provider, mappingsOf(tools, options).map(definitionFor)).tools();
}

export const toAnthropic = (tool: AtipTool, options: MappingOptions = {}): ToolsFor<"anthropic"> =>
  compileTools([tool], "anthropic", options);

/** One declaration for each command. */
export const toGemini = (tool: AtipTool, options: MappingOptions = {}) =>
  compileTools([tool], "gemini", options).flatMap(({ functionDeclarations }) => functionDeclarations);

export interface OpenAiOptions extends MappingOptions {
  /** Left out = yes: every parameter is there then, and null where it is meant to be absent. */
  readonly strict?: boolean;
}

export function toOpenAI(tool: AtipTool, { strict = true, ...options }: OpenAiOptions = {}): ToolsFor<"openai"> {
  const offered = compileTools([tool], "openai", options);
  if (strict) return offered;
  return mappingsOf([tool], options).map((mapping, index) => {
    const definition = definitionFor(mapping);
    const named = offered[index]?.function.name ?? mapping.name;
    const description = describedIn(definition, DESCRIPTION_MAX);
    const parameters = objectSchema(legalArguments(definition.inputSchema, MOST_ARGUMENTS).schema);
    return { type: "function", function: { name: named, description, parameters, strict: false } };
  });
}

/** For a system prompt: which tools do harm, and what that means. Empty where none does. */
export function generateSafetyPrompt(tools: readonly AtipTool[], options: MappingOptions = {}): string {
  const flagged = mappingsOf(tools, options)
    .map((mapping) => ({ mapping, flags: safetySuffix(definitionFor(mapping)) }))
    .filter(({ flags }) => flags !== "" && !/^\[READ-ONLY\]$/.test(flags));
  if (flagged.length === 0) return "";
  return [
    "Some tools do what can't be taken back. Use them only when the user wants exactly that, and say so before:",
    ...flagged.map(({ mapping, flags }) => `- ${mapping.name} ${flags}`),
  ].join("\n");
}

/** Checks calls of these tools. */
export const createValidator = (tools: readonly AtipTool[], options: MappingOptions = {}) => ({
  validate: (call: ToolCall): ValidationResult => {
    const mapping = mapToCommand(call.name, tools, options);
    return validateToolCall({ ...call, arguments: ownArguments(call, mapping) }, mapping);
  },
});

export const createResultFilter =
  (filter: SecretFilter = {}) =>
  (output: string): string =>
    filterSecrets(output, filter);
