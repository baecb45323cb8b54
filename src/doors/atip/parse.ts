import { randomUUID } from "node:crypto";
import { isJsonObject } from "../../domain/json.ts";
import { FORMATS } from "../../formats/formats.ts";
import { readCalls } from "../../formats/read-calls.ts";
import { readJson } from "../../schema/json/read-json.ts";
import { AtipExecuteError } from "./errors.ts";
import type { Provider, ToolCall } from "./types.ts";

/**
 * Every tool call of a model's response. Arguments that can't be read make a call with a `problem`, which is answered like
 * any other; only what is no response of the provider throws.
 */
export function parseToolCall(provider: Provider, response: unknown): readonly ToolCall[] {
  if (!Object.hasOwn(FORMATS, provider))
    throw new AtipExecuteError("UNKNOWN_PROVIDER", `\`${provider}\` is no provider`);
  const read = readCalls(provider, response, FORMATS[provider].find, { readJson, newId: () => `call_${randomUUID()}` });
  if (!read.ok) throw new AtipExecuteError("RESPONSE_INVALID", `${read.problem.at}: ${read.problem.message}`);
  return read.calls.map(({ id, name, input }) => {
    if ("unusable" in input) return { id, name, arguments: {}, problem: input.unusable, provider };
    const { value } = input;
    return isJsonObject(value)
      ? { id, name, arguments: value, provider }
      : { id, name, arguments: {}, problem: "the arguments have to be an object", provider };
  });
}
