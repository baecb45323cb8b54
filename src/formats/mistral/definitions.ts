import { DESCRIPTION_MAX, describedIn } from "../description.ts";
import type { Defined, NamedTool } from "../format.ts";
import { legalArguments, MOST_ARGUMENTS } from "../schema/legal-arguments.ts";
import { type ObjectSchema, objectSchema } from "../schema/object-schema.ts";

export interface MistralTool {
  type: "function";
  function: { name: string; description: string; parameters: ObjectSchema };
}

export function mistralDefinition({ name, tool }: NamedTool): Defined<MistralTool> {
  const { schema, restore } = legalArguments(tool.inputSchema, MOST_ARGUMENTS);
  return {
    definition: {
      type: "function",
      function: {
        name,
        description: describedIn(tool, DESCRIPTION_MAX),
        parameters: objectSchema(schema),
      },
    },
    restore,
  };
}
