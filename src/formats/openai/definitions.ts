import { DESCRIPTION_MAX, describedIn } from "../description.ts";
import type { Defined, NamedTool } from "../format.ts";
import { legalArguments, MOST_ARGUMENTS } from "../schema/legal-arguments.ts";
import { type ObjectSchema, objectSchema } from "../schema/object-schema.ts";
import { undone } from "../schema/restore.ts";
import { strictSchema } from "../schema/strict-schema.ts";

export interface OpenAiTool {
  type: "function";
  function: OpenAiFunction;
}

export interface OpenAiFunction {
  name: string;
  description: string;
  parameters: ObjectSchema;
  strict: boolean;
}

export function openAiDefinition(named: NamedTool): Defined<OpenAiTool> {
  const { definition, restore } = openAiFunction(named);
  return { definition: { type: "function", function: definition }, restore };
}

/** Strict wherever the schema has a strict form, so that the model can't write anything else. */
export function openAiFunction({ name, tool }: NamedTool): Defined<OpenAiFunction> {
  const legal = legalArguments(tool.inputSchema, MOST_ARGUMENTS);
  const strict = strictSchema(legal.schema);
  return {
    definition: {
      name,
      description: describedIn(tool, DESCRIPTION_MAX),
      parameters: strict?.schema ?? objectSchema(legal.schema),
      strict: strict !== null,
    },
    restore: undone(strict?.restore ?? null, legal.restore),
  };
}
