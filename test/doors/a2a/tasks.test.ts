import { type Task, TaskState } from "@a2a-js/sdk";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import {
  a2aClient,
  agentOf,
  BINDINGS,
  callMessage,
  dataMessage,
  failing,
  send,
  statesOf,
  textOf,
} from "../../support/a2a-client.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { handClock } from "../../support/hand-clock.ts";
import { ALLOW_ALL, ASK_ALL } from "../../support/scratch-gate.ts";
import { ADMIN, firstApproval, openTestServer, user } from "../../support/test-server.ts";

const WRITE = { path: "a.txt", content: "x" };
const PEOPLE = { server: { users: [user("cal", "caller"), user("dan", "caller"), user("ann", "approver")] } };

describe.each(BINDINGS)("A2A by %s", (binding) => {
  it("answers with the task of the call, and with what it printed", async () => {
    await using server = await openTestServer();
    server.scratch.put("a.txt", "hello");
    const client = await a2aClient(server.url, binding);
    const task = await send(client, "read_file", { path: "a.txt" });
    expect(task).toMatchObject({ contextId: "a2a:admin", status: { state: TaskState.TASK_STATE_COMPLETED } });
    expect(textOf(task.artifacts[0]?.parts)).toBe("hello");
    expect(task.metadata?.["toolgate/outcome"]).toMatchObject({ kind: "completed", callId: task.id });
    expect(await client.getTask({ tenant: "", id: task.id })).toEqual(task);
    expect(server.scratch.entries(task.id).map(({ actor }) => actor)).toEqual(["admin", "admin", "admin"]);
  });

  it("takes a call by the name of its skill, and as the A2A-ACP seed writes it", async () => {
    await using server = await openTestServer();
    server.scratch.put("a.txt", "hello");
    const client = await a2aClient(server.url, binding);
    const input = { path: "a.txt" };
    for (const data of [
      { skill: "read_file", input },
      { toolCalls: [{ id: "call_123", toolId: "read_file", parameters: input }] },
    ]) {
      const task = (await client.sendMessage(dataMessage(data))) as Task;
      expect(textOf(task.artifacts[0]?.parts)).toBe("hello");
    }
  });

  it("rejects what a rule denies, and fails what ran badly, in words for the model", async () => {
    await using server = await openTestServer();
    const client = await a2aClient(server.url, binding);
    const denied = await send(client, "read_file", { path: "/etc/passwd" });
    expect(denied.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    expect(textOf(denied.status?.message?.parts)).toContain("DEFAULT_DENY");
    expect(denied.metadata?.["toolgate/outcome"]).toMatchObject({ kind: "refused", code: "DEFAULT_DENY" });
    const failed = await send(client, "read_file", { path: "gone" });
    expect(failed.metadata?.["toolgate/outcome"]).toMatchObject({ code: "FILE_NOT_FOUND" });
    expect(failed.artifacts).toEqual([]);
  });

  it("refuses with all that is wrong, and names the call that came to nothing", async () => {
    await using server = await openTestServer();
    const client = await a2aClient(server.url, binding);
    expect(await failing(() => send(client, "nope", {}))).toBe("INVALID_PARAMS");
    expect(await failing(() => send(client, "read_file", { path: 1 }))).toBe("INVALID_PARAMS");
    expect(await failing(() => client.getTask({ tenant: "", id: "call_none" }))).toBe("TASK_NOT_FOUND");
  });

  it("waits for a person elsewhere, and the stream stays open until the end", async () => {
    await using server = await openTestServer({ rules: ASK_ALL, config: PEOPLE });
    const client = await a2aClient(server.url, binding, "cal");
    const heard = statesOf(client.sendMessageStream(callMessage("write_file", WRITE)));
    const { approval_id } = await firstApproval(server);
    await server.post(`approvals/${approval_id}/approve`);
    const states = await heard;
    expect(states[0]).toBe("task TASK_STATE_AUTH_REQUIRED");
    expect(states.at(-1)).toBe("statusUpdate TASK_STATE_COMPLETED");
    expect(states).toContain("artifactUpdate");
    expect(server.scratch.text("a.txt")).toBe("x");
  });

  it("is answered in band by who may answer, who is shown the whole plan", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const client = await a2aClient(server.url, binding);
    const asked = await send(client, "write_file", WRITE);
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const parts = asked.status?.message?.parts ?? [];
    expect(textOf(parts)).toContain("write `a.txt`");
    const { plan, approval } = parts.at(-1)?.content?.value ?? {};
    expect(plan.plan.input).toEqual(WRITE);
    const stale = dataMessage({ answer: "approve", planDigest: `sha256:${"0".repeat(64)}` }, { taskId: asked.id });
    expect(await failing(() => client.sendMessage(stale))).toBe("UNSUPPORTED_OPERATION");
    const yes = dataMessage({ answer: "approve", planDigest: approval.planDigest }, { taskId: asked.id });
    const done = (await client.sendMessage(yes)) as Task;
    expect([done.id, done.status?.state]).toEqual([asked.id, TaskState.TASK_STATE_COMPLETED]);
    expect(await failing(() => client.sendMessage(yes))).toBe("UNSUPPORTED_OPERATION");
    const second = await send(client, "write_file", { path: "b.txt", content: "x" });
    const no = dataMessage(
      { answer: "reject", reason: "not today" },
      { taskId: second.id, contextId: second.contextId },
    );
    const rejected = (await client.sendMessage(no)) as Task;
    expect(rejected.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    const answers = server.scratch.entries().filter(({ kind }) => kind === "approval.answered");
    expect(answers.map(({ body }) => [body["answer"], body["who"]])).toEqual([
      ["approve", "admin"],
      ["reject", "admin"],
    ]);
  });

  it("lets no agent, no caller and nobody whom the rule does not want answer", async () => {
    const rules = [{ ...ASK_ALL[0], id: "ask", effect: "ask", approvers: { requester: "never" } }] as const;
    await using server = await openTestServer({ rules, config: PEOPLE });
    const { token } = await agentOf(server);
    for (const who of [token, "cal", ADMIN]) {
      const client = await a2aClient(server.url, binding, who);
      const task = await send(client, "write_file", WRITE);
      expect(task.status?.state).toBe(TaskState.TASK_STATE_AUTH_REQUIRED);
      const yes = dataMessage({ answer: "approve" }, { taskId: task.id });
      expect(await failing(() => client.sendMessage(yes))).toMatch(
        /an agent does not|needs the role|wants somebody else/,
      );
    }
    expect(server.scratch.rows().map(({ state }) => state)).toEqual(Array(3).fill("awaiting_approval"));
  });

  it("cancels what waits and what runs, and not what has ended", async () => {
    const begun = Promise.withResolvers<void>();
    const act = (_: unknown, signal: AbortSignal) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("stopped")));
        begun.resolve();
      });
    await using server = await openTestServer({
      rules: [...ALLOW_ALL, { id: "ask", effect: "ask", tools: ["write_file"], touch: { write: ["./**"] } }],
      tools: ({ workspace }) => [actingTool(workspace, { act }).tool],
    });
    const client = await a2aClient(server.url, binding);
    const running = await send(client, "act", {}, { returnImmediately: true });
    expect(running.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    await begun.promise;
    const waiting = await send(client, "write_file", WRITE);
    for (const { id } of [running, waiting]) {
      const ended = await client.cancelTask({ tenant: "", id, metadata: undefined });
      expect([TaskState.TASK_STATE_CANCELED, TaskState.TASK_STATE_FAILED]).toContain(ended.status?.state);
      expect(await failing(() => client.cancelTask({ tenant: "", id, metadata: undefined }))).toBe(
        "TASK_NOT_CANCELABLE",
      );
      const stream = client.resubscribeTask({ tenant: "", id });
      expect(await failing(() => stream.next())).toContain("UNSUPPORTED_OPERATION");
    }
    expect(server.scratch.rows().find(({ callId }) => callId === waiting.id)?.state).toBe("cancelled");
  });

  it("tells who comes later what goes on, from the task to its end", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const client = await a2aClient(server.url, binding);
    const { id } = await send(client, "write_file", WRITE, { returnImmediately: true });
    const later = statesOf(client.resubscribeTask({ tenant: "", id }));
    const { approval_id } = await firstApproval(server);
    await server.post(`approvals/${approval_id}/reject`);
    expect(await later).toEqual(["task TASK_STATE_INPUT_REQUIRED", "statusUpdate TASK_STATE_REJECTED"]);
  });

  it("fails when nobody answers in time, also on a stream, and takes no answer then", async () => {
    const clock = handClock(Date.now());
    await using server = await openTestServer({ rules: ASK_ALL, inner: { clock } });
    const client = await a2aClient(server.url, binding);
    const stream = client.sendMessageStream(callMessage("write_file", WRITE));
    const first = await stream.next();
    const { id } = (first.value?.payload?.value ?? { id: "" }) as Task;
    clock.move(LIMITS.approvalHighMs.default);
    expect(await statesOf(stream)).toEqual(["statusUpdate TASK_STATE_FAILED"]);
    const late = dataMessage({ answer: "approve" }, { taskId: id });
    expect(await failing(() => client.sendMessage(late))).toBe("UNSUPPORTED_OPERATION");
    const task = await client.getTask({ tenant: "", id });
    expect(task.status?.message?.parts.at(-1)?.content?.value).toMatchObject({ error: { code: "APPROVAL_EXPIRED" } });
  });
});
