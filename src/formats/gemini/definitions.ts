import { DESCRIPTION_MAX, describedIn } from "../description.ts";
import type { Defined, NamedTool } from "../format.ts";
import { geminiSchema } from "../schema/gemini-schema.ts";
import type { ObjectSchema } from "../schema/object-schema.ts";

export interface GeminiFunction {
  name: string;
  description: string;
  parametersJsonSchema: ObjectSchema;
}

export interface GeminiTool {
  functionDeclarations: GeminiFunction[];
}

export const geminiDefinition = ({ name, tool }: NamedTool): Defined<GeminiFunction> => ({
  definition: {
    name,
    description: describedIn(tool, DESCRIPTION_MAX),
    parametersJsonSchema: geminiSchema(tool.inputSchema),
  },
  restore: null,
});

/** All functions are one tool there; without functions there is none. */
export const geminiTools = (functionDeclarations: GeminiFunction[]): GeminiTool[] =>
  functionDeclarations.length === 0 ? [] : [{ functionDeclarations }];
