import { expect } from "vitest";
import { loadConfig } from "../../../src/config/config.ts";
import { buildGate } from "../../../src/wiring/build-gate.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { counterFile, countTool } from "../../pipeline/counting-gate.ts";
import { openVictim } from "../../pipeline/history.ts";
import { ADMIN } from "../../support/admin-token.ts";
import { startProgram } from "../../support/started-program.ts";

const DAY = 86_400_000;
const AT_ONCE = 64;

export interface Figures {
  readonly open: number;
  /** From the start of the process to its first page of questions. */
  readonly restartMs: number;
  readonly rssMb: number;
  /** One decision after the other, over HTTP. */
  readonly decisionP50Ms: number;
  readonly decisionP99Ms: number;
}

/** F21: so many questions are open, the server is killed and started again, and some of them are answered. */
export async function holdMany(open: number, decided: number): Promise<Figures> {
  using victim = openVictim("asked");
  const { folder } = victim;
  await ask(folder, open);
  await using killed = startProgram("serves-and-dies.ts", [folder, "never", "0"]);
  const before = await killed.line();
  expect((await page(before, 1)).length).toBe(1);
  await killed.kill();

  const startMs = performance.now();
  await using next = startProgram("serves-and-dies.ts", [folder, "never", "0"]);
  const url = await next.line();
  const first = await page(url, 100);
  const restartMs = performance.now() - startMs;
  expect(first).toHaveLength(Math.min(100, open));

  const times: number[] = [];
  for (let done = 0; done < decided; ) {
    for (const { approval_id } of await page(url, 100)) {
      if (done++ === decided) break;
      const fromMs = performance.now();
      const { status } = await request(url, `my/projects/default/approvals/${approval_id}/reject`, {});
      times.push(performance.now() - fromMs);
      expect(status).toBe(200);
    }
  }
  times.sort((a, b) => a - b);
  const metrics = await (await request(url, "metrics")).text();
  const rss = Number(/^process_resident_memory_bytes (\d+)$/m.exec(metrics)?.[1]);
  return {
    open,
    restartMs: Math.round(restartMs),
    rssMb: Math.round(rss / 2 ** 20),
    decisionP50Ms: rounded(times[times.length >> 1]),
    decisionP99Ms: rounded(times[Math.floor(times.length * 0.99)]),
  };
}

const rounded = (ms = Number.NaN): number => Math.round(ms * 100) / 100;

/** By a gate whose clock is ahead, so that none of them is overdue before it is answered. */
async function ask(folder: string, open: number): Promise<void> {
  const loaded = loadConfig({ path: `${folder}/toolgate.yaml` });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { config } = loaded;
  const clock = { ...systemClock, nowMs: () => Date.now() + DAY };
  const tools = [countTool(config.workspace, counterFile(folder))];
  const gate = buildGate(
    { config: { ...config, durability: "normal" }, tools },
    { clock, approval: { openQuestionsMax: Number.POSITIVE_INFINITY } },
  );
  for (let done = 0; done < open; done += AT_ONCE) {
    const size = Math.min(AT_ONCE, open - done);
    const outcomes = await Promise.all(
      Array.from({ length: size }, () => gate.call({ tool: "count", input: {} }, { whenAsked: "return" })),
    );
    expect(outcomes.map(({ kind }) => kind).filter((kind) => kind !== "pending")).toEqual([]);
  }
  await gate.close();
}

const request = (url: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${url}/${path}`, {
    headers: { Authorization: `Bearer ${ADMIN}` },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });

async function page(url: string, limit: number): Promise<readonly { readonly approval_id: string }[]> {
  const response = await request(url, `my/projects/default/approvals?limit=${limit}`);
  return ((await response.json()) as { approvals: readonly { approval_id: string }[] }).approvals;
}
