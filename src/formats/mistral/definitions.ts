import { DESCRIPTION_MAX, describedIn } from "../description.ts";
import type { Defined, NamedTool } from "../format.ts";
import { type ObjectSchema, objectSchema } from "../schema/object-schema.ts";

export interface MistralTool {
  type: "function";
  function: { name: string; description: string; parameters: ObjectSchema };
}

export const mistralDefinition = ({ name, tool }: NamedTool): Defined<MistralTool> => ({
  definition: {
    type: "function",
    function: {
      name,
      description: describedIn(tool, DESCRIPTION_MAX),
      parameters: objectSchema(tool.inputSchema),
    },
  },
  restore: null,
});
