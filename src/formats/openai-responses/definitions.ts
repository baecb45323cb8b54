import type { Defined, NamedTool } from "../format.ts";
import { type OpenAiFunction, openAiFunction } from "../openai/definitions.ts";

export interface ResponsesTool extends OpenAiFunction {
  type: "function";
}

export function responsesDefinition(named: NamedTool): Defined<ResponsesTool> {
  const { definition, restore } = openAiFunction(named);
  return { definition: { type: "function", ...definition }, restore };
}
