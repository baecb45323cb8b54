import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { InputError } from "../../domain/outcome.ts";
import { compileSchema } from "../../schema/compile-schema.ts";
import { readJsonBytes } from "../../schema/json/read-json.ts";
import type { BatchCall } from "../../wiring/gate.ts";
import type { UnmadeCall } from "../../wiring/gate-call.ts";
import type { Line } from "../wire/lines-of.ts";

const LINE_SCHEMA = {
  type: "object",
  properties: { tool: { type: "string" }, input: {}, params: {}, op: { enum: ["call", "explain"] } },
  required: ["tool"],
  additionalProperties: false,
} as const;

/** What a line becomes that is no call: what there is of one, why it is none, and the number of the line. */
export interface RefusedLine extends UnmadeCall {
  readonly line: number;
}

/** A line of a batch as the call it is, or as the refusal of what is none: with everything that is wrong with it. */
export function callFromLine({ number, bytes }: Line): BatchCall | RefusedLine {
  if (bytes === null) {
    const message = `is longer than ${LIMITS.jsonBytes.default} bytes`;
    return refusedLine(number, null, [{ field: "", rule: "max_size", message: `the line ${message}` }]);
  }
  const reading = readJsonBytes(bytes);
  if (!reading.ok) {
    const { column, message } = reading.error;
    return refusedLine(number, null, [{ field: "", rule: "json", message: `column ${column}: ${message}` }]);
  }
  const { value } = reading;
  const errors = shapeErrors(value);
  if (errors.length > 0) return refusedLine(number, value, errors);
  // The casts are what the schema has just found out.
  const { tool, input, params, op } = value as JsonObject;
  return {
    tool: tool as string,
    input: input ?? params ?? {},
    ...(op !== undefined && { op: op as "call" | "explain" }),
  };
}

function shapeErrors(value: JsonValue): readonly InputError[] {
  if (!isJsonObject(value)) return [{ field: "", rule: "type", message: "the line has to be an object" }];
  const both = value["input"] !== undefined && value["params"] !== undefined;
  return [
    ...check(value),
    ...(both
      ? [{ field: "params", rule: "mutually_exclusive", message: "`input` and `params` are two names of one thing" }]
      : []),
  ];
}

const check = checkOf(LINE_SCHEMA);

function checkOf(schema: JsonObject) {
  const compiled = compileSchema(schema);
  if ("problem" in compiled) throw new TypeError(compiled.problem.message);
  return compiled.check;
}

/** Its input is all that the line says, as far as it says anything: what was asked for is what is wrong with it. */
function refusedLine(line: number, value: JsonValue, errors: readonly InputError[]): RefusedLine {
  const { tool, op } = isJsonObject(value) ? value : {};
  const [first] = errors;
  return {
    tool: typeof tool === "string" ? tool : "",
    input: value,
    // Who only wants an explanation gets one, and nothing is written.
    ...(op === "explain" && { op }),
    refusal: {
      code: "INVALID_ARGUMENTS",
      stage: "validate",
      message: `line ${line} is not a call: ${errors.length === 1 ? first?.message : `${errors.length} things are wrong with it`}`,
      hint: 'a line is {"tool": "read_file", "input": {"path": "a.txt"}}',
      errors,
    },
    line,
  };
}
