import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import { asks, openAcpEditor, updates } from "../../support/acp-pair.ts";
import { withSharedData } from "../../support/parts.ts";
import { ALLOW_ALL } from "../../support/scratch-gate.ts";

const RULES = [
  ...ALLOW_ALL,
  { id: "ask", effect: "ask" as const, touch: { delete: ["./**"] } },
  { id: "run", effect: "allow" as const, touch: { exec: ["echo **"] } },
];

withSharedData("acp")("by the published schema of ACP, revision 1", (folder) => {
  const schema = JSON.parse(readFileSync(join(folder, "schema/v1/schema.json"), "utf8")) as JsonObject;
  const ajv = new Ajv.default({ strict: false, validateFormats: false });
  ajv.addSchema(schema, "acp");
  const problems = (name: string, value: unknown) => {
    const isGood = ajv.validate({ $ref: `acp#/$defs/${name}` }, value);
    return isGood ? [] : [name, value, ajv.errors];
  };
  const heard = (told: unknown) => (told as { _meta: { heard: unknown } })._meta.heard;

  it("knows bad from good", () => {
    expect(problems("RequestPermissionResponse", { outcome: { outcome: "selected" } })).not.toEqual([]);
    expect(problems("NewSessionRequest", { cwd: "/", mcpServers: [{ name: "x" }] })).not.toEqual([]);
  });

  it("is everything that the agent is sent good", async () => {
    const config = { tools: { builtin: ["files", "shell"] } };
    await using editor = await openAcpEditor({ rules: RULES, config });
    const path = editor.scratch.put("a.txt");
    const { initialized, opened } = editor.started as {
      readonly initialized: { agentCapabilities: unknown };
      readonly opened: unknown;
    };
    const use = (method: string) => ({ ask: [`terminal/${method}`, { terminalId: "toolgate-1" }] });
    const came = await editor.prompt(
      asks({ kind: "read", locations: [{ path }] }),
      asks({ kind: "other" }, []),
      { ask: ["fs/read_text_file", { path }] },
      { ask: ["fs/write_text_file", { path, content: "x" }] },
      { ask: ["terminal/create", { command: "echo a" }] },
      use("wait_for_exit"),
      use("output"),
      use("kill"),
      use("release"),
      { ask: ["fs/read_text_file", { path: "/etc/passwd" }] },
    );
    const names = [
      ...["RequestPermissionResponse", "RequestPermissionResponse", "ReadTextFileResponse", "WriteTextFileResponse"],
      ...["CreateTerminalResponse", "WaitForTerminalExitResponse", "TerminalOutputResponse", "KillTerminalResponse"],
      "ReleaseTerminalResponse",
    ];
    expect(names.flatMap((name, at) => problems(name, (came[at] as { value: unknown }).value))).toEqual([]);
    expect(problems("Error", (came.at(-1) as { error: unknown }).error)).toEqual([]);
    expect(problems("InitializeRequest", heard(initialized.agentCapabilities))).toEqual([]);
    expect(problems("NewSessionRequest", heard(opened))).toEqual([]);
  });

  it("is everything that the editor is sent good", async () => {
    await using editor = await openAcpEditor({ rules: RULES, fs: true });
    const path = editor.scratch.put("a.txt");
    await editor.prompt(
      asks({ kind: "delete", locations: [{ path }] }),
      updates({ status: "completed" }),
      { ask: ["fs/read_text_file", { path }] },
      { ask: ["fs/write_text_file", { path, content: "x" }] },
      updates({ content: [{ type: "terminal", terminalId: "x" }] }),
    );
    await expect(editor.agent.request("session/new", { cwd: "/", mcpServers: [] })).rejects.toThrow();
    const all = editor.sent.map((line) => JSON.parse(line) as { method?: string; params?: unknown; error?: unknown });
    const named: Readonly<Record<string, string>> = {
      "session/request_permission": "RequestPermissionRequest",
      "fs/read_text_file": "ReadTextFileRequest",
      "fs/write_text_file": "WriteTextFileRequest",
      "session/update": "SessionNotification",
    };
    for (const [method, name] of Object.entries(named)) {
      const sent = all.filter((one) => one.method === method);
      expect(sent.length, method).toBeGreaterThan(0);
      expect(sent.flatMap(({ params }) => problems(name, params))).toEqual([]);
    }
    expect(all.flatMap(({ error }) => (error === undefined ? [] : problems("Error", error)))).toEqual([]);
  });
});
