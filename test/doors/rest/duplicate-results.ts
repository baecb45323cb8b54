import { expect } from "vitest";
import { DONE, openExecutor, withClientTools } from "../../support/test-executor.ts";
import { openTestServer } from "../../support/test-server.ts";

/**
 * F13: the result of each call is sent many times at once, some of them the same and most of them others. One of them is
 * the call's; the same is told so, and all others are told the winner.
 */
export async function duplicateResults(calls: number, posts: number): Promise<void> {
  await using server = await openTestServer(withClientTools(), undefined, { callsPerMinute: 1_000_000 });
  await using executor = await openExecutor(server);
  for (let call = 0; call < calls; call++) {
    const called = untilSent(() => server.execute("format", { path: `${call}.ts` }));
    const signal = await executor.signal();
    await untilSent(() => executor.ack(signal));
    const texts = Array.from({ length: posts }, (_, n) => (n % 10 === 0 ? "the same" : `post ${n}`));
    const answers = await Promise.all(
      texts.map((stdout) => untilSent(() => executor.result(signal, { ...DONE, result: { success: true, stdout } }))),
    );
    const { body } = await called;
    const won = body.content[0].text;
    const expected = texts.map((said) => (said === won ? 200 : 409));
    expect([call, answers.map(({ status }) => status)]).toEqual([call, expected]);
    for (const { status, body: said } of answers)
      if (status === 409) expect(said).toMatchObject({ code: "RESULT_CONFLICT", winner: { status: "COMPLETED" } });
  }
  await server.server.close();
  const ends = server.scratch.entries().filter(({ kind }) => kind === "tool.executed");
  expect(ends).toHaveLength(calls);
  expect(new Set(ends.map(({ callId }) => callId)).size).toBe(calls);
  expect(server.scratch.entries().filter(({ kind }) => kind === "tool.dispatched")).toHaveLength(calls);
  expect(server.scratch.rows().every(({ state }) => state === "completed")).toBe(true);
}

/** A connection that nobody has used for a while may be closed in the moment in which it is used: nothing was sent then. */
async function untilSent<T>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
}
