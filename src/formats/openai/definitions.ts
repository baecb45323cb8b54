import { DESCRIPTION_MAX, describedIn } from "../description.ts";
import type { Defined, NamedTool } from "../format.ts";
import { type ObjectSchema, objectSchema } from "../schema/object-schema.ts";
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
  const strict = strictSchema(tool.inputSchema);
  return {
    definition: {
      name,
      description: describedIn(tool, DESCRIPTION_MAX),
      parameters: strict?.schema ?? objectSchema(tool.inputSchema),
      strict: strict !== null,
    },
    restore: strict?.restore ?? null,
  };
}
