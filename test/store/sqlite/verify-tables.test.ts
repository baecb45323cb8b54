import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/ledger/finding.ts";
import { describeFinding } from "../../../src/ledger/finding.ts";
import { verifyLedger } from "../../../src/store/sqlite/verify-ledger.ts";
import { NO, YES } from "../../support/open-approver.ts";
import { asKind, openScratchGate, type ScratchGate } from "../../support/scratch-gate.ts";
import { meddle } from "../state-dir.ts";

const LEASE = { tools: ["*"], read: ["./**"], write: ["./**"], for: "1h" } as const;

interface Written extends ScratchGate {
  /** Questions: one that waits, a no, a yes, and one that was taken back. */
  readonly questions: readonly [string, string, string, string];
  /** Sessions: an open one, one that was renewed, a closed one. */
  readonly sessions: readonly [string, string, string];
}

async function written(): Promise<Written> {
  const scratch = openScratchGate({
    policy: "untold",
    rules: [{ id: "write", effect: "ask", touch: { write: ["./**"] } }],
  });
  const { gate } = scratch;
  const asked = async (path: string) => {
    const call = { tool: "write_file", input: { path, content: "x" } };
    return asKind(await gate.call(call, { whenAsked: "return" }), "pending");
  };
  const opened = async (label: string) => {
    const session = await gate.sessions.open(LEASE, { label });
    if (session.kind !== "opened") throw new Error(JSON.stringify(session));
    return session.session.id;
  };
  const [waits, rejected, approved, taken] = [await asked("a"), await asked("b"), await asked("c"), await asked("d")];
  await gate.approvals.answer(rejected.approval.id, NO);
  const yes = await gate.approvals.answer(approved.approval.id, YES);
  if (yes.kind === "recorded") await gate.approvals.carryOn(yes.question);
  await gate.executions.cancel(taken.callId);
  const sessions = [await opened("open"), await opened("renewed"), await opened("closed")] as const;
  await gate.sessions.renew(sessions[1], { write: [] });
  await gate.sessions.close(sessions[2]);
  const questions = [waits, rejected, approved, taken].map(({ approval }) => approval.id);
  return Object.assign(scratch, { questions: questions as unknown as Written["questions"], sessions });
}

async function foundIn(stateDir: string, calls: "newest" | "all"): Promise<readonly Finding[]> {
  const verified = await verifyLedger({ stateDir, threads: 1, calls });
  if (verified.kind !== "judged") throw new Error(JSON.stringify(verified));
  return verified.report.findings;
}

const question = (set: string, at: number) => ({
  sql: ({ questions }: Written) => `UPDATE questions SET ${set} WHERE approval_id = '${questions[at]}'`,
  about: ({ questions }: Written) => ({ kind: "question", approvalId: questions[at] }),
});
const session = (set: string, at: number) => ({
  sql: ({ sessions }: Written) => `UPDATE sessions SET ${set} WHERE session_id = '${sessions[at]}'`,
  about: ({ sessions }: Written) => ({ kind: "session", sessionId: sessions[at] }),
});

const EVERYTHING = `json_set(lease, '$.write', json('["/**"]'))`;

const HARM = [
  ["a deadline that was put off", question("deadline_ms = deadline_ms + 1", 0), "deadline"],
  ["another plan shown", question(`shown = json_set(shown, '$.digest', '${"0".repeat(64)}')`, 0), "shown"],
  ["less risk shown", question("shown = json_set(shown, '$.risk', 'LOW')", 0), "shown"],
  ["nothing shown that could be read", question("shown = 'nothing'", 0), "shown"],
  ["another asker", question("shown = json_set(shown, '$.actor', 'user:bob')", 0), "shown"],
  ["an answer that nobody gave", question(`answer = '{"kind":"approve","who":"ann"}', answer_seq = 2`, 0), "answer"],
  ["a no that became a yes", question("answer = json_set(answer, '$.kind', 'approve')", 1), "answer"],
  ["a yes of somebody else", question("answer = json_set(answer, '$.who', 'bob')", 2), "answer"],
  ["an answer taken out", question("answer = NULL, answer_seq = NULL", 1), "answer"],
  ["what was taken back as a yes", question(`answer = '{"kind":"approve","who":"ann"}'`, 3), "answer"],
  ["another call", question("call_id = 'call_x'", 0), "call"],
  ["another name", question("approval_id = 'approval_x'", 0), "call"],
  ["a wider lease", session(`lease = ${EVERYTHING}`, 0), "lease"],
  ["the lease of before", session(`lease = json_set(lease, '$.write', json('["./**"]'))`, 1), "lease"],
  ["a later end", session("lease = json_set(lease, '$.expiresAtMs', 9000000000000)", 0), "lease"],
  ["no lease at all", session("lease = 'none'", 0), "lease"],
  ["an end taken back", session("ended_as = NULL, ended_ms = NULL", 2), "end"],
  ["an end that was none", session("ended_as = 'revoked', ended_ms = 1", 0), "end"],
  ["another opener", session("opened_by = 'user:bob'", 0), "opened"],
  ["another session above it", session("parent_id = 'session_x'", 0), "opened"],
] as const;

describe("questions and sessions", () => {
  it("are as the entries tell of them", async () => {
    await using scratch = await written();
    expect([await foundIn(scratch.stateDir, "newest"), await foundIn(scratch.stateDir, "all")]).toEqual([[], []]);
  });

  it.each(HARM)("with %s: it is named", async (_, { sql, about }, what) => {
    await using scratch = await written();
    meddle(scratch.stateDir, sql(scratch));
    for (const calls of ["newest", "all"] as const) {
      const found = await foundIn(scratch.stateDir, calls);
      const isRenamed = what === "call";
      expect(found).toContainEqual(
        expect.objectContaining({ ...(isRenamed ? { kind: "question" } : about(scratch)), what }),
      );
      expect(describeFinding(found[0] as Finding)).toMatch(/; compare with a backup$/);
    }
  });

  it("that are gone, or that no entry tells of", async () => {
    await using scratch = await written();
    const { stateDir, questions, sessions } = scratch;
    meddle(stateDir, `DELETE FROM questions WHERE approval_id = '${questions[0]}'`);
    meddle(stateDir, `DELETE FROM sessions WHERE session_id = '${sessions[0]}'`);
    const copied = "project, parent_id, x'00', lease, label, opened_by, opened_ms, NULL, NULL, NULL";
    meddle(stateDir, `INSERT INTO sessions SELECT 'session_x', ${copied} FROM sessions LIMIT 1`);
    const gone = [
      expect.objectContaining({ kind: "question", approvalId: questions[0], what: "missing" }),
      expect.objectContaining({ kind: "session", sessionId: sessions[0], what: "missing" }),
    ];
    expect(await foundIn(stateDir, "newest")).toEqual(expect.arrayContaining(gone));
    const invented = { kind: "session", sessionId: "session_x", what: "invented" };
    expect(await foundIn(stateDir, "all")).toEqual(
      expect.arrayContaining([...gone, expect.objectContaining(invented)]),
    );
  });

  it("of a call that was given to another session", async () => {
    await using scratch = await written();
    const { stateDir, sessions } = scratch;
    meddle(stateDir, `UPDATE origins SET session_id = '${sessions[0]}'`);
    const found = await foundIn(stateDir, "newest");
    expect(found[0]).toMatchObject({ kind: "call", what: "session", said: sessions[0] });
    expect(describeFinding(found[0] as Finding)).toContain("is of the session");
  });
});
