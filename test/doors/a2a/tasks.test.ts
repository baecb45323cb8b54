import { type Task, TaskState } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import { a2aClient, BINDINGS, callMessage, dataMessage, textOf } from "../../support/a2a-client.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { handClock } from "../../support/hand-clock.ts";
import { ALLOW_ALL, ASK_ALL } from "../../support/scratch-gate.ts";
import { ADMIN, firstApproval, openTestServer, type TestServer, user } from "../../support/test-server.ts";

const WRITE = { path: "a.txt", content: "x" };
const PEOPLE = { server: { users: [user("cal", "caller"), user("dan", "caller"), user("ann", "approver")] } };

const send = async (client: Client, ...given: Parameters<typeof callMessage>): Promise<Task> =>
  (await client.sendMessage(callMessage(...given))) as Task;

const reasonOf = (error: unknown): string => {
  const { reason, message } = error as { readonly reason?: string; readonly message: string };
  return reason === undefined || reason === "INTERNAL_ERROR" ? message : reason;
};
const failing = (make: () => Promise<unknown>): Promise<string> =>
  Promise.resolve()
    .then(make)
    .then(() => "no error", reasonOf);

async function agentOf(server: TestServer, lease: object = { tools: "everything", write: ["./**"] }) {
  const { body } = await server.post("sessions", { lease });
  return body as { readonly token: string; readonly session_id: string };
}

async function statesOf(stream: ReturnType<Client["sendMessageStream"]>): Promise<string[]> {
  const heard: string[] = [];
  for await (const { payload } of stream) {
    const isStated = payload?.$case === "task" || payload?.$case === "statusUpdate";
    const state = isStated ? ` ${TaskState[payload.value.status?.state ?? 0]}` : "";
    heard.push(`${payload?.$case}${state}`);
  }
  return heard;
}

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

  it("shows nobody the tasks of others, but who answers questions one whose id they know", async () => {
    await using server = await openTestServer({ rules: ASK_ALL, config: PEOPLE });
    const { token } = await agentOf(server);
    const { token: other } = await agentOf(server);
    const [cal, dan, agent, stranger, ann] = await Promise.all(
      ["cal", "dan", token, other, "ann"].map((who) => a2aClient(server.url, binding, who)),
    );
    if (!cal || !dan || !agent || !stranger || !ann) throw new Error("no clients");
    const list = async (client: Client) => {
      const params = { tenant: "", contextId: "", status: 0, pageToken: "", statusTimestampAfter: undefined };
      return (await client.listTasks(params)).tasks.map(({ id }) => id);
    };
    const [his, its] = [await send(cal, "write_file", WRITE), await send(agent, "write_file", WRITE)];
    expect([await list(cal), await list(agent), await list(dan), await list(stranger), await list(ann)]).toEqual([
      [his.id],
      [its.id],
      [],
      [],
      [],
    ]);
    for (const [client, id] of [
      [dan, his.id],
      [dan, its.id],
      [stranger, its.id],
      [stranger, his.id],
      [cal, its.id],
      [agent, his.id],
    ] as const) {
      expect(await failing(() => client.getTask({ tenant: "", id }))).toBe("TASK_NOT_FOUND");
      expect(await failing(() => client.cancelTask({ tenant: "", id, metadata: undefined }))).toBe("TASK_NOT_FOUND");
      expect(await failing(() => client.resubscribeTask({ tenant: "", id }).next())).toContain("TASK_NOT_FOUND");
      const yes = dataMessage({ answer: "approve" }, { taskId: id });
      expect(await failing(() => client.sendMessage(yes))).toBe("TASK_NOT_FOUND");
    }
    const shown = await ann.getTask({ tenant: "", id: its.id });
    expect(shown.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const done = (await ann.sendMessage(dataMessage({ answer: "approve" }, { taskId: its.id }))) as Task;
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    // What somebody names as their context is not by it theirs.
    const foreign = dataMessage({ tool: "read_file", input: {} }, { contextId: its.contextId });
    expect(await failing(() => dan.sendMessage(foreign))).toContain("for its agent, for who has opened it");
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

  it("lists tasks page by page, the newest first, by state and context", async () => {
    await using server = await openTestServer({
      rules: [...ALLOW_ALL, { id: "ask", effect: "ask", tools: ["write_file"], touch: { write: ["./**"] } }],
    });
    server.scratch.put("a.txt", "hello");
    const client = await a2aClient(server.url, binding);
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift((await send(client, "read_file", { path: "a.txt" })).id);
    const waiting = await send(client, "write_file", WRITE, { contextId: "chat" });
    const base = { tenant: "", contextId: "", status: 0, pageToken: "", statusTimestampAfter: undefined };
    const heard: string[] = [];
    for (let pageToken = ""; ; ) {
      const { tasks, nextPageToken, pageSize } = await client.listTasks({ ...base, pageSize: 2, pageToken });
      expect(pageSize).toBe(2);
      heard.push(...tasks.map(({ id }) => id));
      pageToken = nextPageToken;
      if (pageToken === "") break;
    }
    expect(heard).toEqual([waiting.id, ...made]);
    const ids = async (more: object) => (await client.listTasks({ ...base, ...more })).tasks.map(({ id }) => id);
    expect(await ids({ contextId: "chat" })).toEqual([waiting.id]);
    expect(await ids({ status: TaskState.TASK_STATE_INPUT_REQUIRED })).toEqual([waiting.id]);
    expect(await ids({ status: TaskState.TASK_STATE_AUTH_REQUIRED })).toEqual([]);
    expect(await ids({ status: TaskState.TASK_STATE_COMPLETED })).toEqual(made);
    expect(await ids({ statusTimestampAfter: "2999-01-01T00:00:00Z" })).toEqual([]);
    const bare = await client.listTasks(base);
    expect(bare.tasks.every(({ artifacts }) => artifacts.length === 0)).toBe(true);
    const whole = await client.listTasks({ ...base, includeArtifacts: true });
    expect(whole.tasks.filter(({ artifacts }) => artifacts.length === 1).map(({ id }) => id)).toEqual(made);
  });

  it("has no push notifications, and connects to nobody", async () => {
    await using server = await openTestServer();
    const client = await a2aClient(server.url, binding);
    const config = {
      tenant: "",
      id: "p",
      taskId: "call_x",
      url: "http://169.254.169.254/",
      token: "",
      authentication: undefined,
    };
    expect(await failing(() => client.createTaskPushNotificationConfig(config))).toBe(
      "PUSH_NOTIFICATION_NOT_SUPPORTED",
    );
    const message = callMessage("read_file", { path: "a.txt" });
    const withPush = { ...message, configuration: { ...message.configuration, taskPushNotificationConfig: config } };
    expect(await failing(() => client.sendMessage(withPush))).toBe("PUSH_NOTIFICATION_NOT_SUPPORTED");
    expect(server.scratch.rows()).toEqual([]);
  });

  it("has a card for everybody that names no tool, and one for each caller that names theirs", async () => {
    await using server = await openTestServer({ config: PEOPLE });
    const { token } = await agentOf(server, { tools: ["read_file"], read: ["./**"] });
    const names = async (who: string) => {
      const client = await a2aClient(server.url, binding, who);
      const { skills } = await client.getAgentCard();
      return skills.map(({ id }) => id);
    };
    expect(await names(token)).toEqual(["read_file"]);
    expect(await names("cal")).toContain("write_file");
    expect(await names("ann")).toEqual(["call_tool"]);
    const published = await fetch(`${server.url}/.well-known/agent-card.json`);
    expect([published.status, published.headers.get("cache-control")]).toEqual([200, "public, max-age=300"]);
    const text = await published.text();
    for (const { name } of server.gate.tools()) expect(text).not.toContain(name);
    expect(JSON.parse(text).supportedInterfaces[0].url).toBe(`${server.url}/a2a`);
    const known = { "If-None-Match": published.headers.get("etag") ?? "" };
    expect((await fetch(`${server.url}/.well-known/agent-card.json`, { headers: known })).status).toBe(304);
  });
});
