import type { Tool } from "../domain/call.ts";
import { digestOf } from "../domain/digest.ts";
import type { JsonObject } from "../domain/json.ts";
import { compileSchema } from "../schema/compile-schema.ts";

/**
 * Puts a tool together. A definition that can't be checked makes no tool: that is a mistake of whoever wrote it.
 * INVARIANT (input): `Input` is what the schema lets through; `check` has run before `plan` and `run` see any.
 */
export function makeTool<Input extends object = JsonObject>(
  parts: Omit<Tool<Input>, "definitionDigest" | "check">,
): Tool<Input> {
  const { definition } = parts;
  const compiled = compileSchema(definition.inputSchema);
  if ("unsupported" in compiled) {
    throw new TypeError(
      `tool \`${definition.name}\`: its input schema uses ${compiled.unsupported}, which is not supported`,
    );
  }
  return { ...parts, definitionDigest: digestOf(definition), check: compiled.check };
}
