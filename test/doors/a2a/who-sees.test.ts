import { type Task, TaskState } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { describe, expect, it } from "vitest";
import {
  a2aClient,
  agentOf,
  BINDINGS,
  callMessage,
  dataMessage,
  failing,
  send,
  textOf,
} from "../../support/a2a-client.ts";
import { ALLOW_ALL, ASK_ALL } from "../../support/scratch-gate.ts";
import { openTestServer, user } from "../../support/test-server.ts";

const WRITE = { path: "a.txt", content: "x" };
const PEOPLE = { server: { users: [user("cal", "caller"), user("dan", "caller"), user("ann", "approver")] } };

describe.each(BINDINGS)("A2A by %s", (binding) => {
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

  it("lists artifacts in pages that are not long, however many tasks are asked for", async () => {
    await using server = await openTestServer();
    server.scratch.put("a.txt", "x".repeat(1_000_000));
    const client = await a2aClient(server.url, binding);
    const made: string[] = [];
    for (let n = 0; n < 6; n++) made.unshift((await send(client, "read_file", { path: "a.txt" })).id);
    const base = { tenant: "", contextId: "", status: 0, statusTimestampAfter: undefined, includeArtifacts: true };
    const first = await client.listTasks({ ...base, pageToken: "" });
    expect(first.tasks).toHaveLength(5);
    expect(first.tasks.every(({ artifacts }) => artifacts.length === 1)).toBe(true);
    const second = await client.listTasks({ ...base, pageToken: first.nextPageToken });
    expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual(made);
    expect(second.nextPageToken).toBe("");
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

  it("does not show an agent what its lease does not cover any more, nor offers it the tools", async () => {
    await using server = await openTestServer();
    server.scratch.put("a.txt", "hello");
    const { token, session_id } = await agentOf(server, { tools: ["read_file"], read: ["./**"] });
    const client = await a2aClient(server.url, binding, token);
    const { id } = await send(client, "read_file", { path: "a.txt" });
    const seen = async () => await client.getTask({ tenant: "", id });
    expect(textOf((await seen()).artifacts[0]?.parts)).toBe("hello");
    await server.gate.sessions.renew(session_id, { read: ["./elsewhere/**"] });
    const told = await seen();
    expect([told.status?.state, told.artifacts]).toEqual([TaskState.TASK_STATE_COMPLETED, []]);
    expect(textOf(told.status?.message?.parts)).toContain("does not cover");
    const base = { tenant: "", contextId: "", status: 0, pageToken: "", statusTimestampAfter: undefined };
    const { tasks } = await client.listTasks({ ...base, includeArtifacts: true });
    expect(tasks.map(({ artifacts }) => artifacts)).toEqual([[]]);
  });
});
