import { describe, expect, it, vi } from "vitest";
import { stallWatch } from "../../../src/doors/serve/stall-watch.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { handClock } from "../../support/hand-clock.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { ADMIN, openTestServer, rawRequest, type TestServer } from "../../support/test-server.ts";
import { reloadUnderLoad } from "./reloads.ts";

const DAY = 86_400_000;
const LATER_MS = 301_000;

/** The wall clock can be set without time going by. */
function jumpyClock() {
  const hand = handClock(Date.now());
  let offMs = 0;
  const clock: Clock = { ...hand, nowMs: () => hand.nowMs() + offMs };
  return { clock, move: hand.move, jump: (ms: number) => (offMs += ms) };
}

const asked = async (server: TestServer, path = "a.txt") =>
  (await server.execute("write_file", { path, content: "x" }, { wait: false })).body;

describe("F09: a clock that jumps", () => {
  it("back: nothing can be answered for longer, ids stay unique, and entries keep their order", async () => {
    const { clock, move, jump } = jumpyClock();
    await using server = await openTestServer({ rules: ASK_ALL, inner: { clock } });
    const first = await asked(server);
    jump(-DAY);
    const second = await asked(server, "b.txt");
    expect((await server.post(`approvals/${second.approval.id}/approve`)).status).toBe(200);
    move(LATER_MS);
    expect((await server.post(`approvals/${first.approval.id}/approve`)).status).toBe(410);
    await server.server.close();
    const entries = server.scratch.entries();
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, n) => n + 1));
    expect(new Set([first.callId, second.callId, first.approval.id, second.approval.id]).size).toBe(4);
    expect(server.scratch.rows().map(({ state }) => state)).toEqual(expect.arrayContaining(["expired", "completed"]));
  });

  it("forward: what is open is over, and nothing of it runs", async () => {
    const { clock, move, jump } = jumpyClock();
    const rules = ASK_ALL;
    await using server = await openTestServer({ rules, inner: { clock } });
    const { approval } = await asked(server);
    jump(DAY);
    expect((await server.post(`approvals/${approval.id}/approve`)).status).toBe(410);
    move(1000);
    expect(server.scratch.rows()).toMatchObject([{ state: "expired" }]);
  });
});

describe("F16: an answer in the same tick as the deadline", () => {
  it.each([
    ["just before", -1],
    ["at", 0],
  ])("%s it: one of them is written, and never both", async (_, offMs) => {
    const clock = handClock(Date.now());
    const acting: ReturnType<typeof actingTool>[] = [];
    await using server = await openTestServer({
      rules: [{ id: "ask", effect: "ask", touch: { write: ["./**"] } }],
      inner: { clock },
      tools: ({ workspace }) => {
        acting.push(actingTool(workspace));
        return acting.map(({ tool }) => tool);
      },
    });
    const pending = await Promise.all(
      Array.from({ length: 20 }, async () => (await server.execute("act", {}, { wait: false })).body),
    );
    clock.move(300_000 + offMs);
    const answers = await Promise.all(
      pending.flatMap(({ approval }) => [
        server.post(`approvals/${approval.id}/approve`),
        server.gate.approvals.list().then(() => null),
      ]),
    );
    const approved = answers.filter((answer) => answer?.status === 200).length;
    expect(approved).toBe(offMs < 0 ? 20 : 0);
    await server.server.close();
    const written = server.scratch.entries().filter(({ kind }) => kind === "approval.answered");
    expect(written).toHaveLength(20);
    expect(acting[0]?.ran()).toBe(approved);
  });
});

describe("F25: a body that has no end", () => {
  it("is cut off where it is too long, and others are answered meanwhile", async () => {
    await using server = await openTestServer();
    const chunk = "x".repeat(1_000_000);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(Buffer.from(sent++ === 0 ? '{"tool_name":"' : chunk));
        if (sent > 100) controller.close();
      },
    });
    const request = fetch(`${server.url}/my/projects/default/tools/execute`, {
      method: "POST",
      headers: { Authorization: `Bearer ${ADMIN}`, "Content-Type": "application/json" },
      body,
      duplex: "half",
    } as RequestInit).then(
      ({ status }) => status,
      () => "cut",
    );
    expect((await server.get("approvals")).status).toBe(200);
    expect([413, "cut"]).toContain(await request);
    expect(sent).toBeLessThan(100);
    const compressed = { Authorization: `Bearer ${ADMIN}`, "Content-Encoding": "gzip" };
    const path = "/my/projects/default/tools/execute";
    expect(await rawRequest(server.url, { method: "POST", path, headers: compressed, body: "x" })).toMatchObject({
      status: 415,
    });
  });
});

describe("F27: an event loop that is held up", () => {
  it("is noticed, and told once", () => {
    vi.useFakeTimers();
    try {
      let nowMs = 0;
      const logged: unknown[] = [];
      const watch = stallWatch(
        (...line) => void logged.push(line),
        () => nowMs,
      );
      nowMs = 510;
      vi.advanceTimersByTime(500);
      expect(logged).toEqual([]);
      nowMs = 6010;
      vi.advanceTimersByTime(500);
      expect(logged).toEqual([["warn", "event loop was held up", { duration_ms: 5000 }]]);
      expect([watch.worstMs(), watch.worstMs()]).toEqual([5000, 0]);
      watch.stop();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("F29: rules that change while calls are made", () => {
  it("hold for the calls that were started under them; ones that don't load change nothing", () => reloadUnderLoad(20));
});
