import type { JsonObject } from "../../domain/json.ts";
import type { ScriptParameter, ScriptTool } from "../../domain/script-tool.ts";
import type { ToolDefinition } from "../../domain/tool.ts";

/** What a script tool says of itself. `undeclared` are slots with a default that nobody declared: optional strings. */
export function scriptDefinition(tool: ScriptTool, undeclared: readonly string[]): ToolDefinition {
  const { id, title, description, parameters, sandbox, effects, tags, examples, version, author } = tool;
  return {
    name: id,
    description: description === "" ? title : description,
    source: "script",
    containment: "sandbox",
    timeoutMs: sandbox.timeoutMs,
    effects: { subprocess: true, ...effects },
    about: { title, tags, examples, version, ...(author !== null && { author }) },
    inputSchema: {
      type: "object",
      properties: {
        ...Object.fromEntries(undeclared.map((name) => [name, { type: "string" }])),
        ...Object.fromEntries(parameters.map((parameter) => [parameter.name, schemaOf(parameter)])),
      },
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    },
  };
}

function schemaOf({ type, description, values, minimum, maximum, pattern, fallback }: ScriptParameter): JsonObject {
  return {
    type,
    ...(description !== "" && { description }),
    ...(values !== null && { enum: [...values] }),
    ...(minimum !== null && { minimum }),
    ...(maximum !== null && { maximum }),
    ...(pattern !== null && { pattern: anchored(pattern) }),
    ...(fallback !== undefined && { default: fallback }),
  };
}

/** The whole value has to match, unless the pattern says for itself where it begins or ends. */
const anchored = (pattern: string): string => (/^\^|(?<!\\)(?:\\\\)*\$$/.test(pattern) ? pattern : `^(?:${pattern})$`);
