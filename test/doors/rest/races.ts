import { expect } from "vitest";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { openTestServer } from "../../support/test-server.ts";

/** Each question is approved and rejected at the same time, over HTTP; one answer counts, and the other is told it. */
export async function raceAnswers(count: number, atOnce: number): Promise<{ readonly approved: number }> {
  const inner = { approval: { openQuestionsMax: Number.POSITIVE_INFINITY } };
  await using server = await openTestServer({ rules: ASK_ALL, inner }, undefined, { callsPerMinute: 1_000_000 });
  let approved = 0;
  for (let done = 0; done < count; done += atOnce) {
    const size = Math.min(atOnce, count - done);
    await Promise.all(
      Array.from({ length: size }, async (_, n) => {
        const path = `${done + n}.txt`;
        const { body } = await server.execute("write_file", { path, content: "x" }, { wait: false });
        const id = body.approval.id;
        const [yes, no] = await Promise.all(
          n % 2 === 0
            ? [server.post(`approvals/${id}/approve`), server.post(`approvals/${id}/reject`)]
            : [server.post(`approvals/${id}/reject`), server.post(`approvals/${id}/approve`)].reverse(),
        );
        expect([yes?.status, no?.status].sort()).toEqual([200, 409]);
        const [winner, loser] = yes?.status === 200 ? [yes, no] : [no, yes];
        expect(loser?.body.winner.status).toBe(winner?.body.status);
        if (yes?.status === 200) approved++;
      }),
    );
  }
  await server.server.close();
  const answers = server.scratch.entries().filter(({ kind }) => kind === "approval.answered");
  expect(answers).toHaveLength(count);
  const states = Object.groupBy(server.scratch.rows(), ({ state }) => state);
  expect(states.completed?.length ?? 0).toBe(approved);
  expect(states.rejected?.length ?? 0).toBe(count - approved);
  return { approved };
}
