import { PassThrough } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { UsageError } from "../../src/doors/cli/command.ts";
import { ReportedFault } from "../../src/doors/cli/reported-fault.ts";
import { withGate } from "../../src/doors/cli/with-gate.ts";
import { LegacyDoor } from "../../src/doors/legacy/legacy-door.ts";
import { serveMcpStdio } from "../../src/doors/mcp/serve-stdio.ts";
import { type Fault, openGate } from "../../src/index.ts";
import { openAcpEditor } from "../support/acp-pair.ts";
import { ADMIN } from "../support/admin-token.ts";
import { needs } from "../support/parts.ts";
import { openCli } from "../support/run-cli.ts";
import { ALLOW_ALL, openScratchGate } from "../support/scratch-gate.ts";
import { openTestServer } from "../support/test-server.ts";
import { invoked } from "./cli/invoked.ts";

const SECRET = "correct-horse-battery-4711";
const thrown = (): never => {
  throw new Error(`thrown in a door with ${SECRET}`);
};
const PARTS = { config: { secrets: [{ env: "KEY" }] }, variables: { KEY: SECRET } };
const BODY = { jsonrpc: "2.0", id: 1 };

describe("an exception in a door on the network is in the server's log, and not on the wire", () => {
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ data: { tool: "read_file", input: {} } }] };

  it.each([
    ["REST", "/my/projects/default/tools/execute", { tool_name: "read_file" }, 500],
    ["A2A", "/a2a", { ...BODY, method: "SendMessage", params: { message } }, 500],
    ["the kernel protocol", "/toolgate.kernel.v1.ToolKernel/Execute", null, 500],
  ])("%s", async (_, path, body, status) => {
    await using server = await openTestServer(PARTS);
    vi.spyOn(server.gate.executions, "execute").mockImplementation(thrown);
    vi.spyOn(server.gate, "session").mockImplementation(thrown);
    vi.spyOn(server.gate.sessions, "check").mockImplementation(thrown);
    const response = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${ADMIN}`,
        "A2A-Version": "1.0",
        Accept: "application/json, text/event-stream",
        "Content-Type": body === null ? "application/proto" : "application/json",
      },
      // request_id, session_token and file_read.
      body: body === null ? Buffer.from("0a01721201745205 0a03612e62".replace(" ", ""), "hex") : JSON.stringify(body),
    });
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain("thrown in");
    const faults = server.logged.filter((line) => line.includes('"message":"fault"'));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain("thrown in a door with [REDACTED:KEY]");
    expect(faults[0]).toContain("faults.test.ts"); // the stack
  });
});

it("an exception in MCP over HTTP is in the server's log, and not on the wire", async () => {
  await using server = await openTestServer(PARTS);
  const post = async (message: object, session?: string) =>
    fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${ADMIN}`,
        Accept: "application/json, text/event-stream",
        "Content-Type": "application/json",
        ...(session !== undefined && { "Mcp-Session-Id": session }),
      },
      body: JSON.stringify({ ...BODY, ...message }),
    });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  const opened = await post({ method: "initialize", params });
  await opened.text();
  vi.spyOn(server.gate, "offer").mockImplementation(thrown);
  const call = { id: 2, method: "tools/call", params: { name: "read_file", arguments: {} } };
  const body = await (await post(call, opened.headers.get("mcp-session-id") ?? "")).text();
  expect(body).toContain("-32603");
  expect(body).not.toContain("thrown in");
  const faults = server.logged.filter((line) => line.includes('"message":"fault"'));
  expect(faults[0]).toContain("thrown in a door with [REDACTED:KEY]");
});

describe("an exception in a door on pipes is in the fault log, and not on the wire", () => {
  it("MCP", async () => {
    await using scratch = openScratchGate({ ...PARTS, rules: ALLOW_ALL });
    const { gate, faults } = scratch;
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const stop = new AbortController();
    let said = "";
    stdout.on("data", (chunk) => (said += chunk));
    const alarm = () => {};
    const serving = serveMcpStdio(gate, { stdin, stdout, ask: "desk", alarm }, stop.signal);
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } };
    stdin.write(`${JSON.stringify({ ...BODY, id: 0, method: "initialize", params })}\n`);
    await vi.waitFor(() => expect(said).toContain('"id":0'), { timeout: 60_000 });
    vi.spyOn(gate, "call").mockImplementation(thrown);
    vi.spyOn(gate, "offer").mockImplementation(thrown);
    stdin.write(`${JSON.stringify({ ...BODY, method: "tools/call", params: { name: "read_file", arguments: {} } })}\n`);
    await vi.waitFor(() => expect(said).toContain('"id":1'), { timeout: 60_000 });
    expect(said).toContain("-32603");
    expect(said).not.toContain("thrown in");
    expect(faults[0]?.cause).toContain("thrown in a door with [REDACTED:KEY]");
    stop.abort();
    stdin.end();
    await serving;
  });

  it("A2A-ACP", async () => {
    await using scratch = openScratchGate(PARTS);
    const { gate, faults } = scratch;
    vi.spyOn(gate, "call").mockImplementation(thrown);
    vi.spyOn(gate, "session").mockImplementation(thrown);
    const sent: object[] = [];
    const send = (message: object) => void sent.push(message);
    const door = new LegacyDoor({ gate, send, used: () => {}, signal: new AbortController().signal });
    const params = { sessionId: "s", toolName: "read_file", toolCallId: "t", input: {} };
    door.take(Buffer.from(JSON.stringify({ ...BODY, method: "tools/use", params })));
    await door.idle();
    expect(JSON.stringify(sent)).not.toContain("thrown in");
    expect(faults[0]?.cause).toContain("thrown in a door with [REDACTED:KEY]");
  });

  needs("bwrap")("ACP", () => {
    it("reports it with the agent's request", async () => {
      await using editor = await openAcpEditor({ ...PARTS, rules: ALLOW_ALL });
      const path = editor.scratch.put("a.txt");
      vi.spyOn(editor.gate, "call").mockImplementation(thrown);
      const [came] = await editor.prompt({ ask: ["fs/read_text_file", { path }] });
      expect(JSON.stringify(came)).not.toContain("thrown in");
      expect(editor.scratch.faults[0]?.cause).toContain("thrown in a door with [REDACTED:KEY]");
    });
  });
});

describe("an exception in a command", () => {
  const command = (run: () => never) => ({
    ...{ name: "throws", usage: "throws", summary: "throws", details: "", examples: [], flags: {} },
    run: (invocation: Parameters<typeof withGate>[0]) => withGate(invocation, undefined, async () => run()),
  });

  it("is on stderr without its secrets, once", async () => {
    using cli = openCli("rules: []\nsecrets: [{ file: key, name: KEY }]\n");
    cli.put("key", SECRET);
    const printed = vi.spyOn(process.stderr, "write");
    const running = invoked(cli, command(thrown));
    // `main` prints nothing more about an error of this class.
    await expect(running).rejects.toBeInstanceOf(ReportedFault);
    expect(printed.mock.calls).toEqual([]);
  });

  it("is not reported if it is a mistake on the command line", async () => {
    using cli = openCli("rules: []\n");
    const usage = () => {
      throw new UsageError("no such thing", "try another");
    };
    await expect(invoked(cli, command(usage))).rejects.toThrow("no such thing");
  });
});

it("a program that opens a gate hears of faults by its callback", async () => {
  const faults: string[] = [];
  await using scratch = openScratchGate();
  const onFault = ({ cause }: Fault) => void faults.push(cause);
  const gate = await openGate({ config: `${scratch.folder}/toolgate.yaml`, onFault });
  gate.faults.report(new Error("reported by the gate"), { stage: "door" });
  await gate.close();
  expect(faults).toEqual([expect.stringContaining("reported by the gate")]);
});
