import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Task, TaskState } from "@a2a-js/sdk";
import { expect, it } from "vitest";
import { openVictim } from "../../pipeline/history.ts";
import { a2aClient, BINDINGS, callMessage, dataMessage, textOf } from "../../support/a2a-client.ts";
import { type Cli, endOf, openCli } from "../../support/run-cli.ts";
import { startProgram } from "../../support/started-program.ts";

const RULES = JSON.stringify({
  rules: [
    { id: "look", effect: "allow", touch: { read: ["./**"] } },
    { id: "ask", effect: "ask", touch: { write: ["./**"] } },
  ],
});

async function started(cli: Cli) {
  const child = cli.start(["serve", "--port", "0", "--json"]);
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url, a2a } = JSON.parse(line);
  expect(a2a).toBe(`${url}/a2a`);
  return { child, url, token: cli.text(".toolgate/admin.token").trim() };
}

it.each(BINDINGS)(
  "a server that is killed forgets no task, and goes on with one that is answered later: %s",
  async (binding) => {
    using cli = openCli(RULES);
    cli.put("a.txt", "hello");
    const first = await started(cli);
    const before = await a2aClient(first.url, binding, first.token);
    const read = (await before.sendMessage(callMessage("read_file", { path: "a.txt" }))) as Task;
    const denied = (await before.sendMessage(callMessage("read_file", { path: "/etc/passwd" }))) as Task;
    const asked = (await before.sendMessage(callMessage("write_file", { path: "b.txt", content: "x" }))) as Task;
    const get = async (client: typeof before, { id }: Task) => await client.getTask({ tenant: "", id });
    const stream = before.resubscribeTask({ tenant: "", id: asked.id });
    await stream.next();
    first.child.kill("SIGKILL");
    await endOf(first.child);
    await expect(stream.next()).rejects.toThrow();

    const second = await started(cli);
    const after = await a2aClient(second.url, binding, second.token);
    for (const task of [denied, asked]) expect((await get(after, task)).status?.state).toBe(task.status?.state);
    expect((await get(after, read)).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const later = after.resubscribeTask({ tenant: "", id: asked.id });
    expect((await later.next()).value?.payload?.$case).toBe("task");
    const done = (await after.sendMessage(dataMessage({ answer: "approve" }, { taskId: asked.id }))) as Task;
    expect([done.id, done.status?.state]).toEqual([asked.id, TaskState.TASK_STATE_COMPLETED]);
    expect(cli.text("b.txt")).toBe("x");
    let last: unknown;
    for await (const { payload } of later)
      last = payload?.$case === "statusUpdate" ? payload.value.status?.state : last;
    expect(last).toBe(TaskState.TASK_STATE_COMPLETED);
    second.child.kill("SIGTERM");
    expect(await endOf(second.child)).toMatchObject({ code: 0 });

    const third = await started(cli);
    const again = await a2aClient(third.url, binding, third.token);
    expect(done.artifacts).toHaveLength(1);
    expect(await get(again, done)).toEqual(done);
    third.child.kill("SIGTERM");
    expect(await endOf(third.child)).toMatchObject({ code: 0 });
  },
);

it.each(BINDINGS)(
  "a call whose server was killed in its middle has failed, and its end is not known: %s",
  async (binding) => {
    using victim = openVictim("allowed");
    await using first = startProgram("serves-and-dies.ts", [victim.folder, "ran", "1"]);
    const before = await a2aClient(await first.line(), binding);
    await expect(before.sendMessage(callMessage("count", {}))).rejects.toThrow();
    await using second = startProgram("serves-and-dies.ts", [victim.folder, "never", "1"]);
    const after = await a2aClient(await second.line(), binding);
    const base = { tenant: "", contextId: "", status: 0, pageToken: "", statusTimestampAfter: undefined };
    const [{ id } = { id: "" }] = (await after.listTasks(base)).tasks;
    const task = await after.getTask({ tenant: "", id });
    expect(task.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    const parts = task.status?.message?.parts ?? [];
    expect(textOf(parts)).toContain("its end is not known");
    expect(parts.at(-1)?.content?.value).toMatchObject({ error: { code: "OUTCOME_UNKNOWN" } });
    const stream = after.resubscribeTask({ tenant: "", id });
    await expect(stream.next()).rejects.toThrow();
  },
);
