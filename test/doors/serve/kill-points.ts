import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Entry } from "../../../src/domain/entry.ts";
import { isTerminal } from "../../../src/domain/state.ts";
import { counterFile } from "../../pipeline/counting-gate.ts";
import { openVictim } from "../../pipeline/history.ts";
import { ADMIN } from "../../support/admin-token.ts";
import { entriesIn, rowsIn } from "../../support/scratch-gate.ts";
import { startProgram } from "../../support/started-program.ts";

const BEFORE = ["received", "resolved", "validated", "planned", "judged"] as const;
const AFTER = ["approved", "started", "ran", "finished", "recorded"] as const;

/** Where the server is killed: borders of calls that run, and of calls that are asked about. */
export const KILL_POINTS = [
  ...[...BEFORE, ...AFTER].map((border) => ["allowed", border] as const),
  ...[...BEFORE, "asked", ...AFTER].map((border) => ["asked", border] as const),
  ...BEFORE.map((border) => ["refused", border] as const),
];

interface Told {
  readonly kind: string;
  readonly callId: string;
  readonly receipt?: { readonly seq: number; readonly hash: string };
  readonly approval?: { readonly id: string };
}

const CALLERS = 4;

/** F01 and F02 over HTTP: callers and an approver at work, `kill -9` at a border, a new start; then everything is looked at. */
export async function killServerAt(mode: "allowed" | "asked" | "refused", border: string, nth: number): Promise<void> {
  using victim = openVictim(mode);
  const { folder } = victim;
  const told: Told[] = [];
  await using first = startProgram("serves-and-dies.ts", [folder, border, String(nth)]);
  const url = await first.line();
  await Promise.all(Array.from({ length: CALLERS }, (_, n) => callUntilGone(url, n, told)));
  await first.kill();

  await using next = startProgram("serves-and-dies.ts", [folder, "never", "0"]);
  const nextUrl = await next.line();
  await settleAll(nextUrl, folder);
  const verified = await ask(nextUrl, "ledger/verify", {});
  expect(verified).toMatchObject({ ok: true });
  await next.kill();
  check(folder, told);
}

/** Calls one after the other and approves what is asked about, until the server is gone. */
async function callUntilGone(url: string, caller: number, told: Told[]): Promise<void> {
  for (let n = 0; n < 25; n++) {
    const body = { tool_name: "count", tool_params: {}, wait: false, session_id: `caller-${caller}` };
    const outcome = (await ask(url, "tools/execute", body).catch(() => null)) as Told | null;
    if (outcome === null) return;
    if (outcome.callId !== undefined) told.push(outcome);
    const id = outcome.approval?.id;
    if (id && (await ask(url, `approvals/${id}/approve`, {}).catch(() => null)) === null) return;
  }
}

/** What is open is answered with no; what was approved has been gone on with by the start. */
async function settleAll(url: string, folder: string): Promise<void> {
  const { approvals } = (await ask(url, "approvals?limit=100")) as { approvals: { approval_id: string }[] };
  for (const { approval_id } of approvals) await ask(url, `approvals/${approval_id}/reject`, {});
  await expect
    .poll(() => rowsIn(join(folder, "state")).filter(({ state }) => !isTerminal(state)), { timeout: 25_000 })
    .toEqual([]);
}

async function ask(url: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${url}/my/projects/default/${path}`, {
    headers: { Authorization: `Bearer ${ADMIN}` },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  return await response.json();
}

/** I1 to I4 of the threat model. */
function check(folder: string, told: readonly Told[]): void {
  const counter = existsSync(counterFile(folder)) ? readFileSync(counterFile(folder), "utf8") : "";
  const counts = Map.groupBy(counter.split("\n").filter(Boolean), (id) => id);
  const entries = entriesIn(join(folder, "state"));
  const entriesOf = Map.groupBy(entries, ({ callId }) => callId);
  for (const { callId, state } of rowsIn(join(folder, "state"))) {
    const own = entriesOf.get(callId) ?? [];
    const ran = counts.get(callId)?.length ?? 0;
    expect([callId, own.filter(isEnd).length]).toEqual([callId, 1]); // I1
    expect(ran).toBeLessThanOrEqual(1); // I2
    if (state === "completed") expect(ran).toBe(1);
    if (ran > 0) expect(own.some(isStart)).toBe(true); // I3
  }
  for (const { callId, receipt } of told) {
    if (receipt === undefined) continue;
    expect(entries[receipt.seq - 1]).toMatchObject({ hash: receipt.hash, callId }); // I4
  }
}

const isStart = ({ kind, body }: Entry): boolean =>
  kind === "tool.started" || (kind === "tool.decided" && body["decision"] === "allow");

const isEnd = ({ kind, body }: Entry): boolean =>
  kind === "tool.executed" ||
  (kind === "tool.decided" && body["decision"] === "deny") ||
  (kind === "approval.answered" && body["answer"] !== "approve");
