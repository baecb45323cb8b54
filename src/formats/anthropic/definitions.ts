import { describedIn, LONG_DESCRIPTION_MAX } from "../description.ts";
import type { Defined, NamedTool } from "../format.ts";
import { legalArguments, MOST_ARGUMENTS } from "../schema/legal-arguments.ts";
import { type ObjectSchema, objectSchema } from "../schema/object-schema.ts";

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ObjectSchema;
}

export function anthropicDefinition({ name, tool }: NamedTool): Defined<AnthropicTool> {
  const { schema, restore } = legalArguments(tool.inputSchema, MOST_ARGUMENTS);
  return {
    definition: {
      name,
      description: describedIn(tool, LONG_DESCRIPTION_MAX),
      input_schema: objectSchema(schema),
    },
    restore,
  };
}
