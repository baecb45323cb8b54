import { seedCalls } from "./a2a-acp/calls.ts";
import { seedDefinition } from "./a2a-acp/definitions.ts";
import { seedResults } from "./a2a-acp/results.ts";
import { anthropicCalls } from "./anthropic/calls.ts";
import { anthropicDefinition } from "./anthropic/definitions.ts";
import { anthropicResults } from "./anthropic/results.ts";
import { bedrockCalls } from "./bedrock/calls.ts";
import { bedrockDefinition } from "./bedrock/definitions.ts";
import { bedrockResults } from "./bedrock/results.ts";
import type { Format } from "./format.ts";
import { geminiCalls } from "./gemini/calls.ts";
import { geminiDefinition, geminiTools } from "./gemini/definitions.ts";
import { geminiResults } from "./gemini/results.ts";
import { mcpCalls } from "./mcp/calls.ts";
import { mcpDefinition } from "./mcp/definitions.ts";
import { mcpResults } from "./mcp/results.ts";
import { mistralCalls } from "./mistral/calls.ts";
import { mistralDefinition } from "./mistral/definitions.ts";
import { mistralResults } from "./mistral/results.ts";
import { openAiCalls } from "./openai/calls.ts";
import { openAiDefinition } from "./openai/definitions.ts";
import { openAiResults } from "./openai/results.ts";
import { responsesCalls } from "./openai-responses/calls.ts";
import { responsesDefinition } from "./openai-responses/definitions.ts";
import { responsesResults } from "./openai-responses/results.ts";
import { EVERY_MODEL, MCP_NAMES } from "./tool-names.ts";

const asTheyAre = <Definition>(definitions: Definition[]): Definition[] => definitions;

/** Keeps what is particular of each format in its type. */
const format = <Definition, Tools, Message>(parts: Format<Definition, Tools, Message>) => parts;

/** Every format there is. */
export const FORMATS = {
  anthropic: format({
    names: EVERY_MODEL,
    define: anthropicDefinition,
    tools: asTheyAre,
    find: anthropicCalls,
    results: anthropicResults,
  }),
  openai: format({
    names: EVERY_MODEL,
    define: openAiDefinition,
    tools: asTheyAre,
    find: openAiCalls,
    results: openAiResults,
  }),
  "openai-responses": format({
    names: EVERY_MODEL,
    define: responsesDefinition,
    tools: asTheyAre,
    find: responsesCalls,
    results: responsesResults,
  }),
  gemini: format({
    names: EVERY_MODEL,
    define: geminiDefinition,
    tools: geminiTools,
    find: geminiCalls,
    results: geminiResults,
  }),
  mistral: format({
    names: EVERY_MODEL,
    define: mistralDefinition,
    tools: asTheyAre,
    find: mistralCalls,
    results: mistralResults,
  }),
  bedrock: format({
    names: EVERY_MODEL,
    define: bedrockDefinition,
    tools: asTheyAre,
    find: bedrockCalls,
    results: bedrockResults,
  }),
  mcp: format({ names: MCP_NAMES, define: mcpDefinition, tools: asTheyAre, find: mcpCalls, results: mcpResults }),
  "a2a-acp": format({
    names: MCP_NAMES,
    define: seedDefinition,
    tools: asTheyAre,
    find: seedCalls,
    results: seedResults,
  }),
};

export type FormatName = keyof typeof FORMATS;
/** What a request takes. */
export type ToolsFor<Name extends FormatName> = ReturnType<(typeof FORMATS)[Name]["tools"]>;
/** What the next request holds behind the response. */
export type MessagesFor<Name extends FormatName> = ReturnType<(typeof FORMATS)[Name]["results"]>;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];
