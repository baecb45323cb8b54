import { realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { OUTCOME_META } from "../../../src/doors/mcp/call-result.ts";
import { connectClient, connectHttp } from "../../support/mcp-client.ts";
import { needs } from "../../support/parts.ts";
import type { ScratchGate } from "../../support/scratch-gate.ts";
import { ADMIN, openTestServer, type TestServer } from "../../support/test-server.ts";

const PACKAGES = realpathSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)));
const server = (name: string, more: object = {}, ...args: readonly string[]) => ({
  command: "node",
  args: [`${PACKAGES}/@modelcontextprotocol/server-${name}/dist/index.js`, ...args],
  ...more,
});

const ENTITY = { name: "gate", entityType: "thing", observations: ["is closed"] };
const RELATION = { from: "gate", to: "gate", relationType: "is" };

/** Every tool of every server, with arguments that it takes, in an order in which they make sense. */
const CALLS: Readonly<Record<string, readonly (readonly [string, object])[]>> = {
  everything: [
    ["echo", { message: "hello" }],
    ["get-annotated-message", { messageType: "success" }],
    ["get-env", {}],
    ["get-resource-links", { count: 2 }],
    ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
    ["get-structured-content", { location: "Chicago" }],
    ["get-sum", { a: 1, b: 2 }],
    ["get-tiny-image", {}],
    ["gzip-file-as-resource", { name: "a.gz", data: "data:text/plain,hello", outputType: "resource" }],
    ["toggle-simulated-logging", {}],
    ["toggle-subscriber-updates", {}],
    ["trigger-long-running-operation", { duration: 0.1, steps: 2 }],
    ["simulate-research-query", { topic: "gates" }],
  ],
  filesystem: [
    ["list_allowed_directories", {}],
    ["create_directory", { path: "new" }],
    ["write_file", { path: "a.txt", content: "one\ntwo\n" }],
    ["read_file", { path: "a.txt" }],
    ["read_text_file", { path: "a.txt", head: 1 }],
    ["read_media_file", { path: "a.txt" }],
    ["read_multiple_files", { paths: ["a.txt"] }],
    ["edit_file", { path: "a.txt", edits: [{ oldText: "one", newText: "three" }] }],
    ["list_directory", { path: "." }],
    ["list_directory_with_sizes", { path: "." }],
    ["directory_tree", { path: "." }],
    ["search_files", { path: ".", pattern: "*.txt" }],
    ["get_file_info", { path: "a.txt" }],
    ["move_file", { source: "a.txt", destination: "b.txt" }],
  ],
  memory: [
    ["create_entities", { entities: [ENTITY] }],
    ["create_relations", { relations: [RELATION] }],
    ["add_observations", { observations: [{ entityName: "gate", contents: ["is open"] }] }],
    ["read_graph", {}],
    ["search_nodes", { query: "gate" }],
    ["open_nodes", { names: ["gate"] }],
    ["delete_observations", { deletions: [{ entityName: "gate", observations: ["is open"] }] }],
    ["delete_relations", { relations: [RELATION] }],
    ["delete_entities", { entityNames: ["gate"] }],
  ],
  thinking: [["sequentialthinking", { thought: "a", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }]],
};

/** Arguments of prompts that are not just any text. */
const VALUES: Readonly<Record<string, string>> = { resourceType: "Text" };

/** A tool that runs only as a task of 2025-11-25, which nobody here can start. */
const TASKS = new Set(["everything_simulate-research-query"]);

let running: TestServer;
let scratch: ScratchGate;

needs("bwrap", "node")("the reference servers as upstreams", () => {
  beforeAll(async () => {
    const read = [`${PACKAGES}/**`];
    running = await openTestServer({
      rules: [{ id: "any", effect: "allow", touch: { tool: ["*"] } }],
      config: {
        tools: {
          mcp: {
            everything: server("everything", { grant: { read } }),
            filesystem: server("filesystem", { grant: { read, write: ["./out/**"] } }, "out"),
            memory: server("memory", {
              grant: { read, write: ["./out/**"] },
              env: { MEMORY_FILE_PATH: "/tmp/memory.jsonl" },
            }),
            thinking: server("sequential-thinking", { grant: { read } }),
          },
        },
      },
    });
    scratch = running.scratch;
    scratch.put("out/.keep", "");
  }, 120_000);
  afterAll(() => running[Symbol.asyncDispose]());

  const callAll = async (client: Client) => {
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    const ours = listed.filter((name) => Object.keys(CALLS).some((upstream) => name.startsWith(`${upstream}_`)));
    const calls = Object.entries(CALLS).flatMap(([upstream, all]) =>
      all.map(([name, input]) => [`${upstream}_${name}`, input] as const),
    );
    expect(calls.map(([name]) => name).sort()).toEqual(ours.sort());
    rmSync(join(scratch.workspace, "out/b.txt"), { force: true });
    for (const [name, input] of calls) {
      const result = await client.callTool({ name, arguments: { ...input } });
      const kind = (result._meta?.[OUTCOME_META] as { kind: string } | undefined)?.kind;
      expect([name, kind], JSON.stringify(result)).toEqual([name, TASKS.has(name) ? "failed" : "completed"]);
    }
    expect(scratch.text("out/b.txt")).toBe("three\ntwo\n");
  };

  it.each(["2026-07-28", "2025-11-25"] as const)(
    "give every tool over pipes, %s",
    { timeout: 240_000 },
    async (era) => {
      await using connected = await connectClient(running.gate, { era });
      await callAll(connected.client);
    },
  );

  it.each(["2026-07-28", "2025-11-25"] as const)("give every tool over HTTP, %s", { timeout: 240_000 }, async (era) => {
    const client = await connectHttp(running.url, ADMIN, { era });
    await callAll(client);
    await client.close();
  });

  it.each(["2026-07-28", "2025-11-25"] as const)("give their prompts and resources, %s", async (era) => {
    const client = await connectHttp(running.url, ADMIN, { era });
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(1);
    for (const { name, arguments: wanted = [] } of prompts) {
      const given = Object.fromEntries(wanted.map((one) => [one.name, VALUES[one.name] ?? "1"]));
      const prompt = await client.getPrompt({ name, arguments: given });
      expect(prompt.messages.length, name).toBeGreaterThan(0);
    }
    const { resources } = await client.listResources();
    expect(resources.length).toBeGreaterThan(1);
    for (const { uri } of resources) expect((await client.readResource({ uri })).contents[0]?.uri).toBe(uri);
    const { resourceTemplates } = await client.listResourceTemplates();
    for (const { uriTemplate } of resourceTemplates) {
      const uri = uriTemplate.replaceAll(/\{[^}]*\}/g, "1");
      expect((await client.readResource({ uri })).contents).toHaveLength(1);
    }
    await client.close();
  });

  it("write nothing where they were granted nothing", async () => {
    const outcome = await running.gate.call({
      tool: "filesystem_write_file",
      input: { path: `${scratch.workspace}/elsewhere.txt`, content: "x" },
    });
    expect(outcome.kind).toBe("failed");
    expect(() => scratch.text("elsewhere.txt")).toThrow();
  });
});
