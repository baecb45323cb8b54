import { DESCRIPTION_MAX, describedIn } from "../description.ts";
import type { Defined, NamedTool } from "../format.ts";
import type { PlainObject } from "../plain-json.ts";
import { legalArguments, MOST_ARGUMENTS } from "../schema/legal-arguments.ts";
import { objectSchema } from "../schema/object-schema.ts";

export interface BedrockTool {
  toolSpec: { name: string; description: string; inputSchema: { json: PlainObject } };
}

export function bedrockDefinition({ name, tool }: NamedTool): Defined<BedrockTool> {
  const { schema, restore } = legalArguments(tool.inputSchema, MOST_ARGUMENTS);
  return {
    definition: {
      toolSpec: {
        name,
        description: describedIn(tool, DESCRIPTION_MAX),
        // The cast drops the members that may be undefined, which no schema of ours is.
        inputSchema: { json: objectSchema(schema) as PlainObject },
      },
    },
    restore,
  };
}
