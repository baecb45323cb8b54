import { describedIn, LONG_DESCRIPTION_MAX } from "../description.ts";
import type { Defined, NamedTool } from "../format.ts";
import { type PlainObject, plainObject } from "../plain-json.ts";
import { isReadOnly } from "../safety-suffix.ts";

export interface McpTool {
  name: string;
  description: string;
  inputSchema: { type: "object"; properties?: PlainObject; required?: string[]; [keyword: string]: unknown };
  outputSchema?: { type: "object"; [keyword: string]: unknown };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** Any JSON Schema is good there, as long as its root is an object. */
export const mcpDefinition = ({ name, tool }: NamedTool): Defined<McpTool> => ({
  definition: {
    name,
    description: describedIn(tool, LONG_DESCRIPTION_MAX),
    inputSchema: { ...plainObject(tool.inputSchema), type: "object" },
    ...(tool.outputSchema && { outputSchema: { ...plainObject(tool.outputSchema), type: "object" } }),
    annotations: annotationsFor(tool),
  },
  restore: null,
});

/** Hints that make a client ask less often are given only where the claim is believed; the others are MCP's defaults. */
function annotationsFor({ source, trust, effects = {} }: NamedTool["tool"]): McpTool["annotations"] {
  const isBelieved = source === "builtin" || trust === "vendor";
  return {
    readOnlyHint: isBelieved && isReadOnly(effects),
    destructiveHint: !(isBelieved && effects.destructive === false),
    idempotentHint: isBelieved && effects.idempotent === true,
    openWorldHint: !(isBelieved && effects.network === false),
  };
}
