import { describe, expect, it } from "vitest";
import { actingTool } from "../../support/acting-tool.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { ADMIN, openTestServer, type TestServer } from "../../support/test-server.ts";

async function execute(server: TestServer, key: string, body: object) {
  const response = await fetch(`${server.url}/my/projects/default/tools/execute`, {
    method: "POST",
    headers: { Authorization: `Bearer ${ADMIN}`, "Idempotency-Key": key },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: looked at below
  return { status: response.status, body: (await response.json()) as any };
}

describe("Idempotency-Key", () => {
  it("makes a call once, however often it is sent, also at the same time", async () => {
    let ran = 0;
    await using server = await openTestServer({
      tools: ({ workspace }) => [actingTool(workspace, { act: () => `run ${++ran}` }).tool],
    });
    const send = () => execute(server, "k1", { tool_name: "act", tool_params: { n: 1 } });
    const answers = [...(await Promise.all([send(), send(), send()])), await send()];
    expect(ran).toBe(1);
    for (const { status, body } of answers) {
      expect([status, body.content[0].text]).toEqual([200, "run 1"]);
    }
    const other = await execute(server, "k1", { tool_name: "act", tool_params: { n: 2 } });
    expect([other.status, other.body.refusal.code]).toEqual([422, "DEDUPE_MISMATCH"]);
    expect((await execute(server, "k2", { tool_name: "act", tool_params: { n: 2 } })).body.content[0].text).toBe(
      "run 2",
    );
  });

  it("joins a call that waits for its answer", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const body = { tool_name: "write_file", tool_params: { path: "a.txt", content: "x" }, wait: false };
    const [first, second] = [await execute(server, "k", body), await execute(server, "k", body)];
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body.approval.id).toBe(first.body.approval.id);
    expect(server.scratch.rows().filter(({ state }) => state === "awaiting_approval")).toHaveLength(1);
  });

  it("is a short word", async () => {
    await using server = await openTestServer();
    expect((await execute(server, "x".repeat(257), { tool_name: "act" })).status).toBe(400);
    expect((await execute(server, "a b", { tool_name: "act" })).status).toBe(400);
    expect((await execute(server, "", { tool_name: "act" })).status).toBe(400);
  });
});
