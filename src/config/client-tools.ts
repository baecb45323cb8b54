import { type ClientToolSpec, inputSlot } from "../domain/client-tool.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import { quoted } from "../domain/visible.ts";
import { compileCheck, compileSchema } from "../schema/compile-schema.ts";
import type { Path } from "../schema/mismatch.ts";
import type { TemplateParameter } from "../shell/check-pieces.ts";
import { checkWords } from "../shell/check-words.ts";
import { CLIENT_TOOL_SCHEMA, type RawClientTool } from "./client-schema.ts";
import type { RawConfig, ShapeProblem } from "./config-shape.ts";
import { INPUT_TOUCHES, isInputTouches, isNames } from "./input-touches.ts";

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
  const { exec = null, ...named } = touches;
  if (!isInputTouches(named)) problem([name, "touches"], INPUT_TOUCHES);
  if (exec !== null && !isCommand(exec, inputSchema)) problem([name, "touches", "exec"], EXEC_INPUTS, EXEC_HINT);
  const unfitHeads =
    command === null
      ? []
      : commandHeads(command, inputSchema, (at, ...said) => problem([name, "command", at], ...said));
  return {
    name,
    description,
    inputSchema,
    timeoutMs: raw.timeoutMs ?? CLIENT_TOOL_SCHEMA.properties.timeoutMs.default,
    effects,
    trust,
    touches: named,
    exec,
    command,
    unfitHeads,
  };
}

/** What inputs must not begin with in their places; and that they stay data there, or it is told where they would not. */
function commandHeads(
  command: readonly [string, ...string[]],
  inputSchema: JsonObject,
  problem: (at: number, message: string, hint: string) => void,
): readonly string[] {
  const [program] = command;
  if (program === "" || inputSlot(program) !== null) {
    problem(0, "the program has to be written out", "only its arguments may be inputs");
    return [];
  }
  const words = command.map((word) => {
    const parameter = inputSlot(word);
    return parameter === null ? word : { parameter };
  });
  const checked = checkWords(words, parametersIn(inputSchema));
  if (checked.ok) return checked.unfitHeads;
  const { at, why, fix } = checked;
  problem(at, `${quoted(command[at] ?? program)} can't stand here: ${why}`, fix);
  return [];
}

const EXEC_INPUTS = "it names the input with the program, then those with its arguments, all of the input schema";
const EXEC_HINT = "write `exec: [command, args]`";

/** INVARIANT (no input is passed over): a name that the schema does not have would judge another command than is run. */
const isCommand = (exec: JsonValue, { properties }: JsonObject): boolean =>
  isNames(exec) &&
  exec.length > 0 &&
  exec.every((input) => isJsonObject(properties) && Object.hasOwn(properties, input));

const TYPES = { number: "number", integer: "number", boolean: "boolean" } as const;

/** A number is no code anywhere. Of all else nothing is known. */
function parametersIn({ properties }: JsonObject): readonly TemplateParameter[] {
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]): readonly TemplateParameter[] => {
    if (!isJsonObject(schema)) return [];
    const type = Object.entries(TYPES).find(([own]) => own === schema["type"])?.[1] ?? "string";
    return [{ name, type, isClosed: false }];
  });
}
