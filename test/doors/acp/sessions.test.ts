import { describe, expect, it } from "vitest";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { type AcpEditor, choose, openAcpEditor } from "../../support/acp-pair.ts";
import { needs } from "../../support/parts.ts";
import { ALLOW_ALL } from "../../support/scratch-gate.ts";

const HELLO = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "fixture", version: "1" } },
};
const call = (name: string, input: object, id = 2) => ({
  id,
  method: "tools/call",
  params: { name, arguments: input },
});
const heard = (told: unknown) =>
  (told as { _meta: { heard: { mcpServers: readonly { name: string }[] } } })._meta.heard;
const mcpSaid = (came: readonly unknown[]) =>
  (came[0] as { value: readonly { result: Record<string, unknown> }[] }).value;

needs("bwrap")("a session of an agent", () => {
  it("has the gate's own server, by which calls are governed and recorded in the same session", async () => {
    await using editor = await openAcpEditor();
    editor.scratch.put("a.txt", "hello");
    const path = editor.scratch.put("b.txt");
    const ready = { method: "notifications/initialized" };
    const came = await editor.prompt(
      { mcp: [HELLO, ready, { id: 3, method: "tools/list" }, call("read_file", { path: "a.txt" })] },
      { ask: ["fs/read_text_file", { path }] },
    );
    const [, list, read] = mcpSaid(came);
    const names = ((list?.result["tools"] ?? []) as readonly { name: string }[]).map(({ name }) => name);
    expect(names).toContain("read_file");
    // What the agent does by itself is no tool that it could call.
    expect(names.filter((name) => /^(?:agent|editor)_/.test(name))).toEqual([]);
    expect(JSON.stringify(read?.result["content"])).toContain("hello");
    const sessions = editor.scratch
      .entries()
      .filter(({ kind }) => kind === "tool.requested")
      .map(({ sessionId }) => sessionId);
    expect(sessions).toHaveLength(2);
    expect(new Set(sessions).size).toBe(1);
  });

  it.each([
    ["allow", undefined],
    ["reject", true],
  ])("asks about calls of its server in the editor, and %s counts", async (answer, isError) => {
    const rules: RuleSource[] = [{ id: "ask", effect: "ask", touch: { write: ["./**"] } }];
    await using editor = await openAcpEditor({ rules, answers: choose(answer) });
    const input = { path: "a.txt", content: "x" };
    const came = await editor.prompt({
      mcp: [HELLO, { method: "notifications/initialized" }, call("write_file", input)],
    });
    expect(mcpSaid(came)[1]?.result["isError"]).toBe(isError);
    expect(editor.asked[0]?.toolCall.title).toBe("write_file");
  });

  it("is told of no server of the editor's, unless the operator says so", async () => {
    const own = { name: "theirs", command: "/bin/true", args: [], env: [] };
    await using editor = await openAcpEditor({ mcpServers: [own] });
    expect(heard(editor.started.opened).mcpServers.map(({ name }) => name)).toEqual(["toolgate"]);
    expect(editor.alarms.join()).toContain("theirs: `toolgate mcp import`");
    await using other = await openAcpEditor({ mcpServers: [own], config: { acp: { editorServers: "pass" } } });
    expect(heard(other.started.opened).mcpServers.map(({ name }) => name)).toEqual(["toolgate", "theirs"]);
  });

  it("is loaded with it as well, and only in the gate's workspace", async () => {
    await using editor = await openAcpEditor();
    const { workspace } = editor.scratch;
    await editor.agent.request("session/load", { sessionId: "old", cwd: workspace, mcpServers: [] });
    const answer = editor.agent.request("session/new", { cwd: "/etc", mcpServers: [] });
    await expect(answer).rejects.toMatchObject({ code: -32_602 });
    await expect(editor.agent.request("session/new", { cwd: "b", mcpServers: [] })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  it("does not reach the files and hosts that its process was not granted", async () => {
    await using editor = await openAcpEditor();
    const path = editor.scratch.put("a.txt", "hello");
    const came = await editor.prompt(
      { reads: path },
      { writes: `${editor.scratch.workspace}/b.txt` },
      { reads: "/etc/shadow" },
      { reads: editor.scratch.stateDir },
      { fetches: "http://127.0.0.1:9/" },
      { env: "HOME" },
    );
    expect(came.map((one) => "error" in (one as object))).toEqual([false, true, true, true, true, false]);
    expect(came[5]).not.toEqual({ value: process.env["HOME"] });
  });

  it("writes where its process was granted to", async () => {
    await using editor = await openAcpEditor({ agent: { grant: { read: [], write: ["./**"], connect: [] } } });
    const path = editor.scratch.put("out/a.txt");
    expect(await editor.prompt({ writes: path })).toEqual([{ value: null }]);
    expect(editor.scratch.text("out/a.txt")).toBe("written by the agent itself");
  });
});

const set = (editor: AcpEditor, modeId: string) =>
  editor.agent.request("session/set_mode", { sessionId: editor.sessionId, modeId });
const option = (editor: AcpEditor, configId: string, value: string) =>
  editor.agent.request("session/set_config_option", { sessionId: editor.sessionId, configId, value });

needs("bwrap")("a mode of an agent", () => {
  it.each(["default", "plan"])("in which it asks is set: %s", async (mode) => {
    await using editor = await openAcpEditor();
    expect(await set(editor, mode)).toMatchObject({ _meta: { heard: { modeId: mode } } });
    expect(editor.scratch.rows()).toEqual([]);
  });

  it("in which it may stop asking is asked about, and set only after a yes", async () => {
    let answer = "reject";
    await using editor = await openAcpEditor({ answers: () => choose(answer)({} as never) });
    await expect(set(editor, "bypassPermissions")).rejects.toMatchObject({ data: { code: "APPROVAL_REJECTED" } });
    expect(editor.sent.join()).not.toContain('"heard":{"sessionId":"session-1","modeId":"bypassPermissions"}');
    answer = "allow";
    expect(await set(editor, "bypassPermissions")).toMatchObject({ _meta: { heard: { modeId: "bypassPermissions" } } });
    expect(editor.scratch.rows().map(({ tool, state }) => `${tool} ${state}`)).toEqual([
      "agent_mode rejected",
      "agent_mode completed",
    ]);
  });

  it.each([
    ["deny", "rejects"],
    ["allow", "resolves"],
  ])("is as the operator says: %s", async (modes, ends) => {
    await using editor = await openAcpEditor({ config: { acp: { modes } } });
    const setting = set(editor, "bypassPermissions").then(
      () => "resolves",
      () => "rejects",
    );
    expect(await setting).toBe(ends);
    expect(editor.asked).toEqual([]);
  });

  it("and other settings: those that have to do with asking, and no others", async () => {
    await using editor = await openAcpEditor({ config: { acp: { modes: "deny" } } });
    expect(await option(editor, "model", "b")).toMatchObject({ _meta: { heard: { value: "b" } } });
    expect(await option(editor, "approvals", "ask")).toMatchObject({ _meta: { heard: { value: "ask" } } });
    await expect(option(editor, "approvals", "never")).rejects.toMatchObject({ data: { code: "RULE_DENY" } });
    await expect(option(editor, "unheard-of", "x")).rejects.toMatchObject({ data: { code: "RULE_DENY" } });
  });
});

needs("bwrap")("what passes through", () => {
  it("are methods that nobody here knows, both ways, with their answers", async () => {
    await using editor = await openAcpEditor();
    expect(await editor.agent.request("_vendor/ask", { a: 1 })).toEqual({ method: "_vendor/ask", params: { a: 1 } });
    const came = await editor.prompt({ ask: ["_agent/asks", { b: [2] }] });
    expect(came).toEqual([{ value: { method: "_agent/asks", params: { sessionId: "session-1", b: [2] } } }]);
    expect(editor.scratch.rows()).toEqual([]);
  });

  it("is another revision of ACP refused before anything is done by it", async () => {
    const opening = openAcpEditor({ agent: { args: ["2"] } });
    await expect(opening).rejects.toMatchObject({ message: expect.stringContaining("revision") });
  });

  it("is the order of what is said, under load and with calls in between", async () => {
    await using editor = await openAcpEditor({ rules: ALLOW_ALL });
    const path = editor.scratch.put("a.txt");
    const steps = Array.from({ length: 150 }, (_, n) => [
      {
        tell: [
          "session/update",
          { update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: String(n) } } },
        ],
      },
      ...(n % 10 === 0 ? [{ all: Array.from({ length: 10 }, () => ({ ask: ["fs/read_text_file", { path }] })) }] : []),
    ]).flat();
    const came = await editor.prompt(...steps);
    const numbers = came.filter((one) => typeof one === "number");
    expect(numbers).toEqual(Array.from({ length: 150 }, (_, n) => n));
    expect(editor.scratch.rows()).toHaveLength(150);
    expect(editor.scratch.rows().every(({ state }) => state === "completed")).toBe(true);
  });
});

describe("a sandbox that is missing", () => {
  it("starts no agent", async () => {
    const sandbox = {
      missing: () => ({ code: "SANDBOX_UNAVAILABLE" as const, message: "there is none" }),
      report: () => ({ backend: "namespaces" as const }) as never,
      start: () => expect.unreachable(),
    };
    const { openAcpWire } = await import("../../support/acp-pair.ts");
    await using wire = await openAcpWire({ inner: { sandbox } });
    expect(await wire.ended).toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
    expect(wire.scratch.entries().filter(({ kind }) => kind === "agent.started")).toEqual([]);
  });

  it("nor does a secret that is not set", async () => {
    const { openAcpWire } = await import("../../support/acp-pair.ts");
    await using wire = await openAcpWire({ agent: { missing: ["KEY"] } });
    expect(await wire.ended).toMatchObject({ code: "SECRET_MISSING" });
  });
});
