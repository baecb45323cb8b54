import type { Task } from "@a2a-js/sdk";
import { expect, it } from "vitest";
import { a2aClient, BINDINGS, callMessage, dataMessage } from "../../support/a2a-client.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { ALLOW_ALL } from "../../support/scratch-gate.ts";
import { ended, openTestServer, type TestServer } from "../../support/test-server.ts";

const RULES = [
  ...ALLOW_ALL,
  { id: "asked", effect: "ask", tools: ["write_file"], touch: { write: ["./**"] } },
  { id: "closed", effect: "deny", touch: { read: ["./secret/**"] } },
] as const;

type Answer = "approve" | "reject" | null;

/** Of each kind of end one. */
const CALLS: readonly (readonly [string, object, Answer])[] = [
  ["read_file", { path: "a.txt" }, null],
  ["read_file", { path: "gone" }, null],
  ["read_file", { path: "secret/a" }, null],
  ["read_file", { path: "/etc/passwd" }, null],
  ["read_file", { path: 1 }, null],
  ["nope", {}, null],
  ["act", {}, null],
  ["write_file", { path: "b.txt", content: "x" }, "approve"],
  ["write_file", { path: "c.txt", content: "x" }, "reject"],
];

/** What of an entry is not another for every call. */
function entriesOf(server: TestServer, callId: string) {
  return server.scratch.entries(callId).map(({ kind, actor, body }) => {
    const { decision, code, ruleId, outcome, answer, who, risk, message, inputDigest, resultDigest } = body;
    return { kind, actor, decision, code, ruleId, outcome, answer, who, risk, message, inputDigest, resultDigest };
  });
}

const open = () =>
  openTestServer({
    rules: RULES,
    tools: ({ workspace }) => [
      actingTool(workspace, {
        act: () => {
          throw new Error("it broke");
        },
      }).tool,
    ],
  });

async function overRest(server: TestServer, [tool, params, answer]: (typeof CALLS)[number]) {
  const { body } = await server.execute(tool, params, { wait: false });
  if (answer !== null) await server.post(`approvals/${body.approval.id}/${answer}`, {});
  if (answer === "approve") await ended(server, body.callId);
  return body.callId;
}

it.each(BINDINGS)("the same calls have the same entries and outcomes over REST and over A2A by %s", async (binding) => {
  await using rest = await open();
  await using a2a = await open();
  const client = await a2aClient(a2a.url, binding);
  for (const server of [rest, a2a]) server.scratch.put("a.txt", "hello");
  for (const call of CALLS) {
    const [tool, params, answer] = call;
    const callId = await overRest(rest, call);
    const sent = await client.sendMessage(callMessage(tool, { ...params })).catch(() => null);
    const taskId = (sent as Task | null)?.id ?? a2a.scratch.rows().at(-1)?.callId ?? "";
    if (answer !== null) await client.sendMessage(dataMessage({ answer }, { taskId }));
    expect(entriesOf(a2a, taskId), tool).toEqual(entriesOf(rest, callId));
    const [one, other] = [await rest.get(`executions/${callId}`), await a2a.get(`executions/${taskId}`)];
    const same = [
      "tool_name",
      "tool_params",
      "status",
      "error",
      "error_type",
      "risk_level",
      "user_id",
      "params_digest",
    ];
    for (const name of same) expect(other.body[name], `${tool} ${name}`).toEqual(one.body[name]);
    expect(other.body.result?.content).toEqual(one.body.result?.content);
    expect(other.body.result?.refusal?.code).toEqual(one.body.result?.refusal?.code);
  }
});
