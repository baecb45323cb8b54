import { type ClientToolSpec, inputSlot } from "../domain/client-tool.ts";
import type { JsonValue } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import { quoted } from "../domain/visible.ts";
import { compileCheck, compileSchema } from "../schema/compile-schema.ts";
import type { Path } from "../schema/mismatch.ts";
import { CLIENT_TOOL_SCHEMA, type RawClientTool } from "./client-schema.ts";
import type { RawConfig, ShapeProblem } from "./config-shape.ts";
import { INPUT_TOUCHES, isInputTouches } from "./input-touches.ts";

export interface FoundClientTools {
  readonly tools: readonly ClientToolSpec[];
  readonly problems: readonly ShapeProblem[];
}

/** Legal for every model. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,49}$/;

type Tell = (path: Path, message: string, hint?: string) => void;

/** The tools under `tools.client`. */
export function clientToolsFrom(raw: RawConfig): FoundClientTools {
  const problems: ShapeProblem[] = [];
  const problem: Tell = (path, message, hint) =>
    void problems.push({
      path: ["tools", "client", ...path],
      what: "value",
      message,
      ...(hint !== undefined && { hint }),
    });
  const given = Object.entries(raw.tools?.client ?? {});
  const most = LIMITS.clientTools.maximum;
  if (given.length > most) problem([], `there are more than ${most} tools`);
  const tools = given.flatMap(([name, value]) => {
    if (!NAME.test(name))
      problem([name], `${quoted(name)} is no name for a tool`, "use up to 50 letters, digits, `_` and `-`");
    return isWellShaped(name, value, problem) ? [toolFrom(name, value as unknown as RawClientTool, problem)] : [];
  });
  return { tools: problems.length > 0 ? [] : tools, problems };
}

function isWellShaped(name: string, value: JsonValue, problem: Tell): boolean {
  const compiled = compileCheck(CLIENT_TOOL_SCHEMA);
  if ("unsupported" in compiled) throw new TypeError(`the schema of client tools uses \`${compiled.unsupported}\``);
  const mismatches = compiled.check(value);
  for (const { path, says } of mismatches)
    problem([name, ...path], `\`${["tools.client", name, ...path].join(".")}\` ${says}`);
  return mismatches.length === 0;
}

function toolFrom(name: string, raw: RawClientTool, problem: Tell): ClientToolSpec {
  const { description, inputSchema, effects = null, touches = {}, trust = null, command = null } = raw;
  const compiled = compileSchema(inputSchema);
  if ("problem" in compiled)
    problem([name, "inputSchema"], `its input schema can't be used: ${compiled.problem.message}`);
  if (!isInputTouches(touches)) problem([name, "touches"], INPUT_TOUCHES);
  const [program] = command ?? [];
  if (program !== undefined && (program === "" || inputSlot(program) !== null))
    problem([name, "command", 0], "the program has to be written out", "only its arguments may be inputs");
  return {
    name,
    description,
    inputSchema,
    timeoutMs: raw.timeoutMs ?? CLIENT_TOOL_SCHEMA.properties.timeoutMs.default,
    effects,
    trust,
    touches,
    command,
  };
}
