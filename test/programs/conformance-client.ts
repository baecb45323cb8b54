// The gate as a client of the server that the conformance suite has started: makes the calls that the suite wants, or one
// of every tool that is offered.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { openGate } from "../../src/wiring/open-gate.ts";

const url = process.argv.at(-1) ?? "";
const folder = mkdtempSync(join(tmpdir(), "toolgate-conformance-client-"));
const config = join(folder, "toolgate.yaml");
writeFileSync(
  config,
  JSON.stringify({
    tools: { builtin: [], mcp: { up: { url } } },
    rules: [{ id: "any", effect: "allow", touch: { tool: ["*"] } }],
  }),
);

/** Something of the type that is wanted. */
function sample(schema: JsonObject): JsonValue {
  const { type, properties = {} } = schema;
  if (type === "number" || type === "integer") return 3;
  if (type === "boolean") return true;
  if (type === "array") return [];
  if (type !== "object") return "text";
  return Object.fromEntries(
    Object.entries(properties as JsonObject).map(([name, inner]) => [name, sample(inner as JsonObject)]),
  );
}

const gate = await openGate({ config });
try {
  await gate.upstreams.ready();
  const { toolCalls } = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as {
    toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
  };
  const calls =
    toolCalls?.map((call) => ({ tool: `up_${call.name}`, input: call.arguments })) ??
    gate.tools().map(({ name, inputSchema }) => ({ tool: name, input: sample(inputSchema) }));
  for (const call of calls) await gate.call(call);
} finally {
  await gate.close();
  rmSync(folder, { recursive: true, force: true });
}
