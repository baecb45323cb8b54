import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { loadConfig } from "../../../src/config/config.ts";
import { isTerminal } from "../../../src/domain/state.ts";
import { restDoor } from "../../../src/doors/rest/rest-door.ts";
import { openServer } from "../../../src/doors/serve/open-server.ts";
import { buildGate } from "../../../src/wiring/build-gate.ts";
import { ADMIN } from "../../support/admin-token.ts";
import { openEvents } from "../../support/event-reader.ts";
import { entriesIn, rowsIn } from "../../support/scratch-gate.ts";
import { startProgram } from "../../support/started-program.ts";
import { DONE, type Signal, withClientTools } from "../../support/test-executor.ts";

/** Borders of a call that a client runs: its start, its acknowledgement, its result, and its end. */
export const CLIENT_KILL_POINTS = [
  ...["started", "ack heard", "ack told", "result heard", "ran", "finished", "recorded", "result told"],
] as const;

const CALLERS = 3;
const WAITING = { timeout: 120_000, interval: 20 };

/** What the client did: which calls it has run, and which results it could not be sure of. */
interface Ran {
  readonly calls: string[];
  readonly unheard: Signal[];
}

/**
 * F14 over a real `kill -9`: callers and a client at work, the server dies at a border, and a new one starts. Each call has
 * one end; what the client had begun is unknown or recorded; what it says afterwards is kept, and changes nothing.
 */
export async function killClientServerAt(border: string, nth: number): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-client-kill-")));
  try {
    mkdirSync(join(folder, "ws"));
    const { config, rules } = withClientTools();
    const text = JSON.stringify({ workspace: "ws", state: "state", rules, ...config });
    writeFileSync(join(folder, "toolgate.yaml"), text);
    const ran: Ran = { calls: [], unheard: [] };
    await using first = startProgram("serves-and-dies.ts", [folder, border, String(nth)]);
    const url = await first.line();
    const executing = execute(url, ran);
    await Promise.all(Array.from({ length: CALLERS }, () => callUntilGone(url)));
    await first.kill();
    await executing;
    await checkNext(folder, ran);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checkNext(folder: string, ran: Ran): Promise<void> {
  const stateDir = join(folder, "state");
  const loaded = loadConfig({ path: join(folder, "toolgate.yaml") });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const gate = buildGate({ config: loaded.config });
  expect(await gate.begin()).toBeNull();
  const next = await openServer({ gate, adminToken: ADMIN, doors: [restDoor], log: () => {}, port: 0 });
  const stateOf = () => new Map(rowsIn(stateDir).map(({ callId, state }) => [callId, state]));
  await vi.waitFor(() => expect([...stateOf().values()].filter((state) => !isTerminal(state))).toEqual([]), WAITING);

  const before = stateOf();
  for (const signal of ran.unheard) {
    const answer = await post(next.url, signal);
    const state = before.get(signal.tool_id);
    const code = state === "unknown" ? "RESULT_LATE" : "RESULT_CONFLICT";
    expect([signal.tool_id, answer?.status, answer?.body.code]).toEqual([signal.tool_id, 409, code]);
    if (state === "unknown") expect(answer?.body.evidence.receipt.seq).toBeGreaterThan(0);
  }
  expect(stateOf()).toEqual(before);
  expect(await gate.ledger.verify()).toMatchObject({ ok: true });
  await next.close(0);

  const entries = entriesIn(stateDir);
  for (const [callId, state] of before) {
    const own = entries.filter((entry) => entry.callId === callId);
    const runs = ran.calls.filter((id) => id === callId).length;
    expect([callId, own.filter(({ kind }) => kind === "tool.executed").length]).toEqual([callId, 1]);
    expect(runs).toBeLessThanOrEqual(1);
    if (state === "completed") expect(runs).toBe(1);
    if (runs === 1) expect(own.some(({ kind }) => kind === "tool.dispatched")).toBe(true);
  }
  const late = entries.filter(({ kind }) => kind === "evidence.late_result");
  const unknown = ran.unheard.filter(({ tool_id }) => before.get(tool_id) === "unknown");
  expect(late.map(({ callId }) => callId).sort()).toEqual(unknown.map(({ tool_id }) => tool_id).sort());
}

/** A client that runs what it may, and remembers what it could not tell. */
async function execute(url: string, ran: Ran): Promise<void> {
  const path = "/my/projects/default/events?executes=*";
  // It may be gone before it has answered at all.
  const events = await openEvents(url, { path, token: "eve" }).catch(() => null);
  for (let event = await events?.next(); event; event = await events?.next()) {
    if (event.name !== "tool.execution_signal") continue;
    const { tool_id, dispatch_token } = event.data;
    const acked = await send(url, `tools/${tool_id}/ack`, { dispatch_token }, "eve");
    if (acked?.status !== 200) continue;
    ran.calls.push(tool_id);
    if ((await post(url, event.data))?.status !== 200) ran.unheard.push(event.data);
  }
}

const post = (url: string, { tool_id, dispatch_token }: Signal) =>
  send(url, `tools/${tool_id}/result`, { ...DONE, dispatch_token }, "eve");

async function callUntilGone(url: string): Promise<void> {
  const body = { tool_name: "format", tool_params: { path: "a.ts" } };
  for (let n = 0; n < 25; n++) if ((await send(url, "tools/execute", body, ADMIN)) === null) return;
}

/** Null: the server is gone. */
async function send(url: string, path: string, body: object, token: string) {
  const headers = { Authorization: `Bearer ${token}` };
  try {
    const response = await fetch(`${url}/my/projects/default/${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the routes' own tests check their answers
    return { status: response.status, body: (await response.json()) as any };
  } catch {
    return null;
  }
}
