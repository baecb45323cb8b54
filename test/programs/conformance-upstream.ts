// What the conformance suite asks for, on an upstream of 2025-11-25 without any library.
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
  test_custom_header: () => ({ content: [text("ok")] }),
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

const WITH_HEADERS = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    priority: { type: "number", "x-mcp-header": "Priority" },
  },
};

const SCHEMAS: Record<string, Json> = {
  json_schema_2020_12_tool: SCHEMA_2020,
  test_custom_header: WITH_HEADERS,
};

const tools = Object.keys(calls).map((name) => ({
  name,
  description: `${name.replaceAll("_", " ")} of the conformance suite`,
  inputSchema: SCHEMAS[name] ?? { type: "object" },
}));

const message = (content: Json): Json => ({ messages: [{ role: "user", content }] });
const prompts: Record<string, { arguments: readonly string[]; get: (given: Json) => Json }> = {
  test_simple_prompt: { arguments: [], get: () => message(text("This is a simple prompt for testing.")) },
  test_prompt_with_arguments: {
    arguments: ["arg1", "arg2"],
    get: ({ arg1, arg2 }) => message(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  test_prompt_with_embedded_resource: {
    arguments: ["resourceUri"],
    get: ({ resourceUri }) => ({
      messages: [
        {
          role: "user",
          content: resource(String(resourceUri), "text/plain", "Embedded resource content for testing."),
        },
        { role: "user", content: text("Please process the embedded resource above.") },
      ],
    }),
  },
  test_prompt_with_image: {
    arguments: [],
    get: () => ({
      messages: [
        { role: "user", content: image },
        { role: "user", content: text("Please analyze the image above.") },
      ],
    }),
  },
};

const held: Record<string, Json> = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PIXEL },
  "test://watched-resource": { mimeType: "text/plain", text: "watched" },
  "test://stateless-static-text": { mimeType: "text/plain", text: "stateless" },
};

function read(uri: string): Json | undefined {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  const found =
    id === undefined
      ? held[uri]
      : { mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) };
  return found && { contents: [{ uri, ...found }] };
}

const answers: Record<string, (params: Json) => Json | undefined> = {
  "prompts/list": () => ({
    prompts: Object.entries(prompts).map(([name, prompt]) => ({
      name,
      description: `${name} of the conformance suite`,
      arguments: prompt.arguments.map((one) => ({ name: one, description: `the argument ${one}`, required: true })),
    })),
  }),
  "prompts/get": ({ name, arguments: given = {} }) => prompts[String(name)]?.get(given as Json),
  "resources/list": () => ({
    resources: Object.entries(held).map(([uri, { mimeType }]) => ({
      uri,
      name: uri,
      description: "a resource of the conformance suite",
      mimeType,
    })),
  }),
  "resources/templates/list": () => ({
    resourceTemplates: [
      {
        uriTemplate: "test://template/{id}/data",
        name: "template",
        description: "a template of the conformance suite",
        mimeType: "application/json",
      },
    ],
  }),
  "resources/read": ({ uri }) => read(String(uri)),
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: {} },
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
