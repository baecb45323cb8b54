import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { loadConfig } from "../../../src/config/config.ts";
import type { Entry } from "../../../src/domain/entry.ts";
import { isTerminal } from "../../../src/domain/state.ts";
import { restDoor } from "../../../src/doors/rest/rest-door.ts";
import { openServer } from "../../../src/doors/serve/open-server.ts";
import { buildGate } from "../../../src/wiring/build-gate.ts";
import { counterFile, countTool } from "../../pipeline/counting-gate.ts";
import { openVictim } from "../../pipeline/history.ts";
import { ADMIN } from "../../support/admin-token.ts";
import { openEvents } from "../../support/event-reader.ts";
import { entriesIn, rowsIn } from "../../support/scratch-gate.ts";
import { startProgram } from "../../support/started-program.ts";

const BEFORE = ["received", "resolved", "validated", "planned", "judged"] as const;
const AFTER = ["approved", "started", "ran", "finished", "recorded", "call told"] as const;

/** Where the server is killed: borders of calls that run, of calls that are asked about, and of their answers. */
export const KILL_POINTS = [
  ...[...BEFORE, ...AFTER].map((border) => ["allowed", border] as const),
  // A yes and the start that it allows are one commit: before `writing` nothing of it is there, behind it all of it.
  ...["call heard", ...BEFORE, "asked", "answer heard", "writing", "answered", "answer told", ...AFTER].map(
    (border) => ["asked", border] as const,
  ),
  ...[...BEFORE, "call told"].map((border) => ["refused", border] as const),
];

interface Told {
  readonly kind: string;
  readonly callId: string;
  readonly receipt?: { readonly seq: number; readonly hash: string };
  readonly approval?: { readonly id: string };
}

const CALLERS = 4;
/** Several of these run at the same time, where `expect.poll` does not know whose it is. */
const WAITING = { timeout: 120_000, interval: 20 };
const SECRET = "kept-out-of-everything-4711";

process.env["KILL_POINTS_SECRET"] = SECRET;

/** Much more than a server needs, and little enough to be used up soon. */
const LITTLE_MEMORY = ["env", "NODE_OPTIONS=--max-old-space-size=512", "sh", "-c", 'exec "$@" 2> /dev/null', "sh"];

/**
 * F01 and F02 over HTTP: callers and an approver at work, `kill -9` at a border, a new start; then everything is looked
 * at. By `memory` (F28) it is the end of its own memory that ends it.
 */
export async function killServerAt(
  mode: "allowed" | "asked" | "refused",
  border: string,
  nth: number,
  by: "kill" | "memory" = "kill",
): Promise<void> {
  using victim = openVictim(mode);
  const { folder } = victim;
  withSecret(folder);
  const told: Told[] = [];
  const heard: string[] = [];
  await using first = startProgram(
    "serves-and-dies.ts",
    [folder, border, String(nth), by],
    by === "memory" ? LITTLE_MEMORY : [],
  );
  const url = await first.line();
  const listening = listen(url, 0, heard);
  await Promise.all(Array.from({ length: CALLERS }, (_, n) => callUntilGone(url, n, told)));
  await first.kill();
  await listening;

  const next = await startAgain(folder);
  const nextUrl = next.url;
  await settleAll(nextUrl, folder);
  const verified = await ask(nextUrl, "ledger/verify", {});
  expect(verified).toMatchObject({ ok: true });
  const listeningOn = listen(nextUrl, Number(heard.at(-1)?.split(" ")[0] ?? 0), heard);
  const entries = entriesIn(join(folder, "state")).length;
  await vi.waitFor(() => expect(heard.length).toBe(entries), WAITING);
  await next.close(0);
  await listeningOn;
  check(folder, told, heard);
}

/** As the next process does, and in one that is there already: what it finds is what the killed one left on the disk. */
async function startAgain(folder: string) {
  const loaded = loadConfig({ path: join(folder, "toolgate.yaml"), variables: { KILL_POINTS_SECRET: SECRET } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { config } = loaded;
  const gate = buildGate({ config, tools: [countTool(config.workspace, counterFile(folder))] });
  expect(await gate.begin()).toBeNull();
  return await openServer({ gate, adminToken: ADMIN, doors: [restDoor], log: () => {}, port: 0 });
}

/** One that every call carries along. */
function withSecret(folder: string): void {
  const path = join(folder, "toolgate.yaml");
  const config = JSON.parse(readFileSync(path, "utf8")) as object;
  writeFileSync(path, JSON.stringify({ ...config, secrets: [{ env: "KILL_POINTS_SECRET" }] }));
}

/** Takes down every event that is in the ledger, until the server is gone. */
async function listen(url: string, after: number, heard: string[]): Promise<void> {
  const events = await openEvents(url, { lastEventId: after }).catch(() => null);
  for (let event = await events?.next(); event; event = await events?.next()) {
    if (event.id !== null && event.name !== "ready") heard.push(`${event.id} ${JSON.stringify(event.data)}`);
  }
}

/** Calls one after the other and approves what is asked about, until the server is gone. */
async function callUntilGone(url: string, caller: number, told: Told[]): Promise<void> {
  for (let n = 0; n < 25; n++) {
    const body = {
      tool_name: "count",
      tool_params: { note: SECRET },
      wait: false,
      session_id: `caller-${caller}`,
    };
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
  const open = () => rowsIn(join(folder, "state")).filter(({ state }) => !isTerminal(state));
  await vi.waitFor(() => expect(open()).toEqual([]), WAITING);
}

async function ask(url: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${url}/my/projects/default/${path}`, {
    headers: { Authorization: `Bearer ${ADMIN}` },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  return await response.json();
}

/** I1 to I5 and I7 of the threat model; nothing here starts a process that could be left behind (I6). */
function check(folder: string, told: readonly Told[], heard: readonly string[]): void {
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
  expect(heard.map((line) => Number(line.split(" ")[0]))).toEqual(entries.map(({ seq }) => seq)); // I5
  const outcomes = join(folder, "state", "outcomes");
  const kept = existsSync(outcomes)
    ? readdirSync(outcomes, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    : [];
  const written = [
    ...kept.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")),
    readFileSync(join(folder, "log"), "utf8"),
  ];
  expect(JSON.stringify([entries, told, heard, written])).not.toContain(SECRET); // I7
}

const isStart = ({ kind, body }: Entry): boolean =>
  kind === "tool.started" || (kind === "tool.decided" && body["decision"] === "allow");

const isEnd = ({ kind, body }: Entry): boolean =>
  kind === "tool.executed" ||
  (kind === "tool.decided" && body["decision"] === "deny") ||
  (kind === "approval.answered" && body["answer"] !== "approve");
