import { describedIn, LONG_DESCRIPTION_MAX } from "../description.ts";
import type { Defined, NamedTool } from "../format.ts";
import { type PlainObject, plainObject } from "../plain-json.ts";

export interface SeedTool {
  id: string;
  description: string;
  /** JSON Schema. */
  parameters: PlainObject;
}

export const seedDefinition = ({ name, tool }: NamedTool): Defined<SeedTool> => ({
  definition: {
    id: name,
    description: describedIn(tool, LONG_DESCRIPTION_MAX),
    parameters: plainObject(tool.inputSchema),
  },
  restore: null,
});
