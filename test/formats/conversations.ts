import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import type { FormatName } from "../../src/formats/formats.ts";

/** The formats that are a provider's. */
export type Conversing = Exclude<FormatName, "mcp" | "a2a-acp">;

/** A turn of the model that called tools, and what came back. */
export interface Turn {
  readonly calls: readonly JsonValue[];
  readonly results: readonly JsonValue[];
  readonly texts: readonly string[];
}

interface Conversation {
  readonly path: RegExp;
  readonly toolsIn: (body: JsonObject) => unknown;
  /** Only results that stand right behind their calls are found: the providers look nowhere else. */
  readonly turnsIn: (body: JsonObject) => readonly Turn[];
}

type Objects = readonly JsonObject[];

const objects = (value: JsonValue | undefined): Objects => (Array.isArray(value) ? (value as Objects) : []);
const member = (value: JsonObject, ...names: readonly string[]): JsonValue | undefined =>
  names.reduce<JsonValue | undefined>((at, name) => (at as JsonObject | undefined)?.[name], value);

/** For providers that put all results of a turn into one message. */
function inMessages(
  messages: Objects,
  parts: (message: JsonObject) => Objects,
  names: { readonly call: string; readonly result: string; readonly idOf: (part: JsonObject) => JsonValue | undefined },
): readonly Turn[] {
  const of = (message: JsonObject | undefined, name: string) =>
    message === undefined ? [] : parts(message).filter((part) => part["type"] === name || part[name] !== undefined);
  return messages.flatMap((message, n): Turn[] => {
    const calls = of(message, names.call);
    const results = of(messages[n + 1], names.result);
    if (calls.length === 0) return [];
    const ids = (found: Objects) => found.map((part) => names.idOf(part) ?? null);
    return [{ calls: ids(calls), results: ids(results), texts: results.map((part) => JSON.stringify(part)) }];
  });
}

/** For those that want a message for each. */
const chat = ({ messages }: JsonObject): readonly Turn[] =>
  objects(messages).flatMap((message, n): Turn[] => {
    const calls = objects(message["tool_calls"]);
    const behind = objects(messages).slice(n + 1, n + 1 + calls.length);
    const results = behind.filter(({ role }) => role === "tool");
    if (calls.length === 0) return [];
    return [
      {
        calls: calls.map(({ id }) => id ?? null),
        results: results.map(({ tool_call_id }) => tool_call_id ?? null),
        texts: results.map(({ content }) => String(content)),
      },
    ];
  });

function responses({ input }: JsonObject): readonly Turn[] {
  const items = objects(input);
  const calls = items.filter(({ type }) => type === "function_call");
  const results = items.filter(({ type }) => type === "function_call_output");
  // Turns are not told apart there: what counts is that every call has its output.
  return calls.map((call, n) => ({
    calls: [call["call_id"] ?? null],
    results: [results[n]?.["call_id"] ?? null],
    texts: results.map(({ output }) => String(output)),
  }));
}

export const CONVERSATIONS: Readonly<Record<Conversing, Conversation>> = {
  anthropic: {
    path: /^\/anthropic\/v1\/messages$/,
    toolsIn: ({ tools }) => tools,
    turnsIn: ({ messages }) =>
      inMessages(objects(messages), ({ content }) => objects(content), {
        call: "tool_use",
        result: "tool_result",
        idOf: ({ id, tool_use_id }) => id ?? tool_use_id,
      }),
  },
  openai: { path: /^\/openai\/chat\/completions$/, toolsIn: ({ tools }) => tools, turnsIn: chat },
  "openai-responses": {
    path: /^\/openai(-responses)?\/responses$/,
    toolsIn: ({ tools }) => tools,
    turnsIn: responses,
  },
  gemini: {
    path: /^\/gemini\/v1beta\/models\/[^/]+:generateContent$/,
    toolsIn: ({ tools }) => tools,
    turnsIn: ({ contents }) =>
      inMessages(objects(contents), ({ parts }) => objects(parts), {
        call: "functionCall",
        result: "functionResponse",
        idOf: (part) => member(part, "functionCall", "id") ?? member(part, "functionResponse", "id"),
      }),
  },
  mistral: { path: /^\/mistral\/v1\/chat\/completions$/, toolsIn: ({ tools }) => tools, turnsIn: chat },
  bedrock: {
    path: /^\/bedrock\/model\/[^/]+\/converse$/,
    toolsIn: (body) => member(body, "toolConfig", "tools"),
    turnsIn: ({ messages }) =>
      inMessages(objects(messages), ({ content }) => objects(content), {
        call: "toolUse",
        result: "toolResult",
        idOf: (part) => member(part, "toolUse", "toolUseId") ?? member(part, "toolResult", "toolUseId"),
      }),
  },
};
