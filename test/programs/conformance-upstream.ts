// The tools that the conformance suite calls, on an upstream of 2025-11-25 without any library.
import { createInterface } from "node:readline";

type Json = Record<string, unknown>;

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SOUND = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";
const text = (words: string): Json => ({ type: "text", text: words });
const image: Json = { type: "image", data: PIXEL, mimeType: "image/png" };
const resource = (uri: string, mimeType: string, words: string): Json => ({
  type: "resource",
  resource: { uri, mimeType, text: words },
});

const calls: Record<string, (meta: Json) => Json> = {
  test_simple_text: () => ({ content: [text("This is a simple text response for testing.")] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: SOUND, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({
    content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  }),
  test_multiple_content_types: () => ({
    content: [
      text("Multiple content types test:"),
      image,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    content: [text("This tool intentionally returns an error for testing")],
    isError: true,
  }),
  test_tool_with_progress: ({ progressToken }) => {
    for (const progress of [0, 50, 100])
      send({
        method: "notifications/progress",
        params: { progressToken, progress, total: 100, message: `at ${progress}` },
      });
    return { content: [text("done")] };
  },
  json_schema_2020_12_tool: () => ({ content: [text("ok")] }),
};

const SCHEMA_2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const tools = Object.keys(calls).map((name) => ({
  name,
  description: `${name.replaceAll("_", " ")} of the conformance suite`,
  inputSchema: name === "json_schema_2020_12_tool" ? SCHEMA_2020 : { type: "object" },
}));

const answers: Record<string, (params: Json) => Json | undefined> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "conformance-fixture", version: "1" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name, _meta = {} }) => calls[String(name)]?.(_meta as Json),
};

const send = (message: Json) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line) as { id?: unknown; method: string; params?: Json };
  if (id === undefined) return;
  const result = answers[method]?.(params);
  send(result === undefined ? { id, error: { code: -32_601, message: "Method not found" } } : { id, result });
});
