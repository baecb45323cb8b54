import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { textOf } from "../../support/mcp-client.ts";
import { openCli } from "../../support/run-cli.ts";

const BIN = fileURLToPath(new URL("../../../bin/toolgate.js", import.meta.url));
const CONFIG = "rules:\n  - { id: read, effect: allow, touch: { read: ['./**'] } }\n";

describe("toolgate mcp", () => {
  it.each(["auto", "legacy"] as const)("serves a client that is %s", async (mode) => {
    using cli = openCli(CONFIG);
    cli.put("a.txt", "hello");
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN, "mcp"],
      cwd: cli.workspace,
      env: { ...cli.env },
      stderr: "pipe",
    });
    const client = new Client({ name: "cli-client", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("read_file");
    expect(textOf(await client.callTool({ name: "read_file", arguments: { path: "a.txt" } }))).toBe("hello");
    const denied = await client.callTool({ name: "write_file", arguments: { path: "b.txt", content: "x" } });
    expect(denied.isError).toBe(true);
    await client.close();
    expect(cli.lastState()).toBe("refused");
  });

  it("ends well when its input ends", async () => {
    using cli = openCli(CONFIG);
    expect(await cli.run(["mcp"])).toMatchObject({ code: 0, out: "", err: "" });
  });

  it.each([
    [["mcp", "--ask", "nobody"], "`--ask nobody` does not exist"],
    [["mcp", "serve"], "`mcp serve` does not exist"],
  ])("refuses %j", async (args, message) => {
    using cli = openCli(CONFIG);
    const { code, out, err } = await cli.run(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(message);
  });

  it("serves nothing without a config", async () => {
    using cli = openCli();
    const { code, out, err } = await cli.run(["mcp"]);
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toContain("toolgate init");
  });
});
