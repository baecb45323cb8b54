import { expect, it } from "vitest";
import { connectClient, ERAS } from "../../support/mcp-client.ts";
import { needs } from "../../support/parts.ts";
import { openScriptGate } from "../../tools/script/script-gate.ts";

const TOOLS = {
  gone: { script: "exit 1", error_mapping: { "1": { code: -32002, message: "Resource not found" } } },
  broken: { script: "exit 1", error_mapping: { "1": -32603 } },
};

needs("bwrap")("a mapped error on the MCP door", () => {
  it.each(ERAS)("has the code that the protocol's version has: %s", async (era) => {
    await using scratch = openScriptGate(TOOLS);
    await using connected = await connectClient(scratch.gate, { era });
    const metaOf = async (name: string) => (await connected.client.callTool({ name, arguments: {} }))._meta;
    const code = era >= "2026-07-28" ? -32602 : -32002;
    expect(await metaOf("gone")).toMatchObject({
      mcp_error: { code, message: "Resource not found", retryable: false },
      a2a_diagnostics: { error_profile: "acp-basic", return_code: 1 },
    });
    expect(await metaOf("broken")).toMatchObject({ mcp_error: { code: -32603 } });
  });
});
