import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOfText } from "../../src/domain/digest.ts";
import type { EntryDraft, EntryKind } from "../../src/domain/entry.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Change } from "../../src/ports/journal.ts";
import { type Connection, connect } from "../../src/store/sqlite/connection.ts";
import { LedgerReader } from "../../src/store/sqlite/ledger-reader.ts";
import { FORMAT } from "../../src/store/sqlite/schema.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { systemIds } from "../../src/wiring/system-ids.ts";
import { keptFolder } from "./scratch.ts";

const ENTRIES_PER_CALL = 4;
const CALLS_PER_COMMIT = 5000;
const DIGEST = digestOfText("bench");

/** Runs add what they measure; beyond this the ledger is made anew. */
const GROWTH_MAX = 1.5;

/** A state directory with at least this many entries, as ordinary calls leave them. Kept for later runs. */
export async function filledLedger(entries: number): Promise<string> {
  const stateDir = keptFolder(`format-${FORMAT}-entries-${entries}`);
  const whole = join(stateDir, "filled");
  if (existsSync(whole) && ledgerSize(stateDir) <= entries * GROWTH_MAX) return stateDir;
  rmSync(stateDir, { recursive: true, force: true });
  await fill(stateDir, entries);
  writeFileSync(whole, "");
  return stateDir;
}

export function ledgerSize(stateDir: string): number {
  const reader = LedgerReader.open(stateDir);
  try {
    return reader?.size ?? 0;
  } finally {
    reader?.close();
  }
}

async function fill(stateDir: string, entries: number): Promise<void> {
  const ids = systemIds(systemClock.nowMs);
  const owner = ids.next("owner");
  const connection = connect({ stateDir, durability: "normal", owner, clock: systemClock });
  if (connection.kind === "refused") throw new Error(connection.refusal.message);
  const session = ids.next("session");
  for (let calls = entries / ENTRIES_PER_CALL; calls > 0; calls -= CALLS_PER_COMMIT) {
    const names = Array.from({ length: Math.min(calls, CALLS_PER_COMMIT) }, () => ids.next("call"));
    await commit(
      connection,
      names.flatMap((callId) => changesOf({ callId, session, owner })),
    );
  }
  connection.db.close();
  connection.lock.release();
}

async function commit({ writer, checkpointer }: Connection, changes: readonly Change[]): Promise<void> {
  const failed = writer.write(changes).find(({ kind }) => kind === "failed");
  if (failed) throw new Error(`filling the ledger: ${JSON.stringify(failed)}`);
  await checkpointer.run();
}

function changesOf({ callId, session, owner }: { callId: string; session: string; owner: string }): readonly Change[] {
  const at = new Date().toISOString();
  const entry = (kind: EntryKind, body: JsonObject): EntryDraft => ({
    at,
    kind,
    project: "default",
    sessionId: session,
    callId,
    actor: "local:bench",
    planDigest: kind === "tool.requested" ? null : DIGEST,
    body,
  });
  const touch = { kind: "read", path: "/tmp/workspace/notes.txt" };
  const touches = [{ effect: "allow", ruleId: "read-workspace", touch }];
  const decision = { decision: "allow", risk: "LOW", ruleId: "read-workspace", rulesHash: DIGEST, touches };
  return [
    {
      callId,
      from: "received",
      to: "executing",
      created: {
        callId,
        project: "default",
        sessionId: session,
        owner,
        host: "bench",
        tool: "echo",
        caller: "attended",
      },
      entries: () => [
        entry("tool.requested", { inputDigest: DIGEST, tool: "echo" }),
        entry("tool.decided", decision),
        entry("tool.started", { attempt: 1, by: "rule", who: "read-workspace" }),
      ],
    },
    {
      callId,
      from: "executing",
      to: "completed",
      entries: () => [
        entry("tool.executed", { code: null, durationMs: 0.5, outcome: "completed", resultDigest: DIGEST }),
      ],
    },
  ];
}
