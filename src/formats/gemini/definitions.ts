import { DESCRIPTION_MAX, describedIn } from "../description.ts";
import type { Defined, NamedTool } from "../format.ts";
import { geminiSchema } from "../schema/gemini-schema.ts";
import { GEMINI_ARGUMENTS, legalArguments } from "../schema/legal-arguments.ts";
import type { ObjectSchema } from "../schema/object-schema.ts";

export interface GeminiFunction {
  name: string;
  description: string;
  parametersJsonSchema: ObjectSchema;
}

export interface GeminiTool {
  functionDeclarations: GeminiFunction[];
}

export function geminiDefinition({ name, tool }: NamedTool): Defined<GeminiFunction> {
  const { schema, restore } = legalArguments(tool.inputSchema, GEMINI_ARGUMENTS);
  return {
    definition: {
      name,
      description: describedIn(tool, DESCRIPTION_MAX),
      parametersJsonSchema: geminiSchema(schema),
    },
    restore,
  };
}

/** All functions are one tool there; without functions there is none. */
export const geminiTools = (functionDeclarations: GeminiFunction[]): GeminiTool[] =>
  functionDeclarations.length === 0 ? [] : [{ functionDeclarations }];
