import { describedIn, LONG_DESCRIPTION_MAX } from "../description.ts";
import type { Defined, NamedTool } from "../format.ts";
import { type ObjectSchema, objectSchema } from "../schema/object-schema.ts";

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ObjectSchema;
}

export const anthropicDefinition = ({ name, tool }: NamedTool): Defined<AnthropicTool> => ({
  definition: {
    name,
    description: describedIn(tool, LONG_DESCRIPTION_MAX),
    input_schema: objectSchema(tool.inputSchema),
  },
  restore: null,
});
