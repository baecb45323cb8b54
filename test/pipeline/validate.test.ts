import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/domain/json.ts";
import { validate } from "../../src/pipeline/validate.ts";
import { resolvedCall, sampleTool } from "../support/sample-calls.ts";

const tool = sampleTool({
  inputSchema: {
    type: "object",
    properties: { path: { type: "string", minLength: 1 }, limit: { type: "integer", minimum: 1 } },
    required: ["path"],
    additionalProperties: false,
  },
});

const validated = async (rawInput: JsonValue) => validate(resolvedCall({ tool, rawInput }), {});

async function errorsOf(rawInput: JsonValue) {
  const step = await validated(rawInput);
  if (step.kind === "pass") return [];
  const { code, stage, errors = [] } = step.refusal;
  expect({ code, stage }).toEqual({ code: "INVALID_ARGUMENTS", stage: "validate" });
  return errors.map(({ field, rule }) => `${field} ${rule}`);
}

describe("validate", () => {
  it("passes what fits, as the gate's own copy", async () => {
    const rawInput = { path: "a", limit: 1 };
    const step = await validated(rawInput);
    if (step.kind === "refuse") throw new Error(step.refusal.message);
    expect(step.call.input).toEqual(rawInput);
    expect(step.call.input).not.toBe(rawInput);
    expect(Object.isFrozen(step.call.input)).toBe(true);
  });

  it("passes on only the coerced form, frozen too", async () => {
    const step = await validated({ path: "7", limit: "7" });
    if (step.kind === "refuse") throw new Error(step.refusal.message);
    expect(step.call.input).toEqual({ path: "7", limit: 7 });
    expect(Object.isFrozen(step.call.input)).toBe(true);
  });

  it.each<[JsonValue, string[]]>([
    [null, [" type"]],
    ["{}", [" type"]],
    [7, [" type"]],
    [[], [" type"]],
    [[{ path: "a" }], [" type"]],
    [{}, ["path required"]],
    [{ path: "" }, ["path min_length"]],
    [{ path: "a", limit: 0 }, ["limit min_value"]],
    [{ path: "a", limit: 1.5 }, ["limit type"]],
    [{ path: "a", limit: "0" }, ["limit min_value"]],
    [{ path: "a", limit: "1.5" }, ["limit type"]],
    [{ path: "a", Path: "b" }, ["Path unknown_field"]],
    [{ path: 1, limit: "x", z: 1 }, ["path type", "limit type", "z unknown_field"]],
    [{ path: "\ud800" }, ["path json"]],
    [JSON.parse('{"path":"a","__proto__":{}}'), ["__proto__ unknown_field"]],
  ])("refuses %j with all that is wrong", async (rawInput, errors) => {
    expect(await errorsOf(rawInput)).toEqual(errors);
  });

  it("says one thing in a sentence and counts several", async () => {
    const one = await validated({});
    const two = await validated({ path: 1, limit: 0 });
    expect(one.kind === "refuse" && one.refusal.message).toBe("`path` is missing");
    expect(two.kind === "refuse" && two.refusal.message).toBe("2 things are wrong with the arguments");
  });
});
