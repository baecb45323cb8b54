import { expect, it } from "vitest";
import { openEvents } from "../../support/event-reader.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { openTestServer, type TestServer, user } from "../../support/test-server.ts";

const USERS = [user("cal", "caller"), user("eve"), user("exe", "executor"), user("ann", "approver")];
const PATH = "words-of-cal.txt";
const REASON = "words of ann";

/** A rejected and an open call of cal's, with these words in them. */
async function asked(server: TestServer): Promise<string> {
  const ask = () => {
    const call = { tool_name: "write_file", tool_params: { path: PATH, content: "x" }, wait: false };
    return server.post("tools/execute", call, "cal");
  };
  const { body: rejected } = await ask();
  await server.post(`approvals/${rejected.approval.id}/reject`, { reason: REASON }, "ann");
  const { body: open } = await ask();
  await server.gate.ledger.checkpoint();
  return open.approval.id as string;
}

/** All that a token reads: each list and record, and the events from the first entry on and as somebody new. */
async function readAll(server: TestServer, token: string): Promise<string> {
  const paths = ["approvals", "approvals?status=all", "approvals?status=resolved", "executions", "ledger", "sessions"];
  const { body: list } = await server.get("executions", token);
  const ids: readonly string[] = list.executions.map(({ id }: { id: string }) => id);
  const { body: ledger } = await server.get("ledger", token);
  const seqs: readonly number[] = ledger.entries.map(({ seq }: { seq: number }) => seq);
  const more = [...ids.map((id) => `executions/${id}`), ...ids.map((id) => `ledger?call_id=${id}`)];
  const proofs = seqs.map((seq) => `ledger/${seq}/proof`);
  const answers = await Promise.all([...paths, ...more, ...proofs].map((path) => server.get(path, token)));
  return (
    JSON.stringify(answers.map(({ body }) => body)) + (await heard(server, token, 0)) + (await heard(server, token))
  );
}

async function heard(server: TestServer, token: string, lastEventId?: number): Promise<string> {
  await using events = await openEvents(server.url, { token, ...(lastEventId !== undefined && { lastEventId }) });
  const last = server.gate.events.lastSeq();
  for (;;) {
    const event = await events.next();
    if (event === null || Number(event.id ?? 0) >= last) return events.text();
  }
}

it("command lines and reasons of answers are for callers of their own calls and for approvers", async () => {
  await using server = await openTestServer({ rules: ASK_ALL, config: { server: { users: USERS } } });
  const open = await asked(server);
  for (const token of ["eve", "exe"]) {
    const all = await readAll(server, token);
    expect(all, token).toContain(open); // that there is a question is known to everybody
    for (const words of [PATH, REASON]) expect(all, `${token} reads ${words}`).not.toContain(words);
  }
  for (const token of ["cal", "ann"]) {
    const all = await readAll(server, token);
    for (const words of [PATH, REASON]) expect(all, token).toContain(words);
  }
});

it("members of an entry that are not known to be free of words are withheld, and named", async () => {
  await using server = await openTestServer({ rules: ASK_ALL, config: { server: { users: USERS } } });
  await asked(server);
  const { body } = await server.get("ledger", "eve");
  const withheld = body.entries.flatMap((entry: { kind: string; withheld?: string[] }) =>
    (entry.withheld ?? []).map((name) => `${entry.kind} ${name}`),
  );
  expect([...new Set(withheld)].toSorted()).toEqual(["approval.answered reason", "tool.decided touches"]);
});
