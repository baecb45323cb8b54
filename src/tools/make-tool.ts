import type { Tool } from "../domain/call.ts";
import { digestOf } from "../domain/digest.ts";
import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import { compileSchema } from "../schema/compile-schema.ts";

/**
 * Puts a tool together. A definition that can't be checked makes no tool: that is a mistake of whoever wrote it.
 * INVARIANT (input): `Input` is what the schema lets through; `check` has run before `plan` and `run` see any.
 */
export function makeTool<Input extends object = JsonObject>(
  parts: Omit<Tool<Input>, "definitionDigest" | "coerce" | "check">,
  /** Where that is not all that the tool is shown with. */
  compiled: ReturnType<typeof compileSchema> = compileSchema(parts.definition.inputSchema),
): Tool<Input> {
  const { definition } = parts;
  if ("problem" in compiled) {
    const { code, message } = compiled.problem;
    const error = new TypeError(`tool \`${definition.name}\`: its input schema can't be used: ${message}`);
    throw Object.assign(error, { code });
  }
  const { minimum, maximum } = LIMITS.toolTimeoutMs;
  if (!(definition.timeoutMs >= minimum && definition.timeoutMs <= maximum)) {
    throw new TypeError(`tool \`${definition.name}\`: its \`timeoutMs\` has to lie from ${minimum} to ${maximum}`);
  }
  return { ...parts, definitionDigest: digestOf(definition), coerce: compiled.coerce, check: compiled.check };
}
