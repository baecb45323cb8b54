import { describe, expect, it } from "vitest";
import { ApprovalDesk } from "../../src/approval/desk.ts";
import type { RawCall } from "../../src/domain/call.ts";
import { EVERYTHING } from "../../src/domain/lease.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import type { NewQuestion, PersonsAnswer } from "../../src/domain/question.ts";
import { Life } from "../../src/pipeline/life.ts";
import type { Approver } from "../../src/ports/desk.ts";
import { SqliteJournal } from "../../src/store/sqlite/journal.ts";
import { type HandClock, handClock } from "../support/hand-clock.ts";
import { NO, YES } from "../support/open-approver.ts";
import { redaction, redactorFor } from "../support/redaction.ts";
import { judgedCall, NEVER, WORKSPACE } from "../support/sample-calls.ts";
import { entriesIn, openScratchGate, rowsIn } from "../support/scratch-gate.ts";
import { type Told, unsteadyJournal } from "../support/unsteady-journal.ts";

interface DeskUse {
  readonly desk: ApprovalDesk;
  readonly clock: HandClock;
  readonly stateDir: string;
  /** Opens a question of a call of its own, which nobody waits for unless it is said. */
  readonly open: (more?: OpenCall) => Promise<Opened>;
  /** The same, and what came of it. */
  readonly tried: (more?: OpenCall) => Promise<string>;
}

type OpenCall = Partial<Pick<RawCall, "project" | "caller" | "session" | "actor">>;

interface Opened {
  readonly question: NewQuestion;
  readonly callId: string;
  readonly settle: (signal?: AbortSignal) => ReturnType<ApprovalDesk["settle"]>;
}

const NOBODY: Approver = { ask: async () => null };

/** A desk on a real journal, on a clock that a test moves. */
async function withDesk(
  use: (parts: DeskUse) => Promise<void>,
  { approver = NOBODY, trouble = () => "none" }: { approver?: Approver; trouble?: Trouble } = {},
): Promise<void> {
  await using scratch = openScratchGate();
  const { stateDir } = scratch;
  const clock = handClock();
  const sqlite = new SqliteJournal({ stateDir, durability: "normal", owner: "owner_1", clock });
  const journal = unsteadyJournal(sqlite, trouble);
  let made = 0;
  const ids = { next: (prefix: string) => `${prefix}_${String(++made).padStart(4, "0")}` };
  const desk = new ApprovalDesk({ journal, clock, ids, approver, redactor: redactorFor(), rolesOf: () => null });
  const ask = async ({ project = "default", caller = "detached", ...more }: OpenCall = {}) => {
    const callId = ids.next("call");
    const call = judgedCall("ask", { callId, project, caller, rawInput: { a: 2 }, input: { a: 1 }, ...more });
    const question = await desk.question(call);
    const opened = await new Life(call, {
      clock,
      journal,
      probe: { reached: () => {} },
      ...redaction(),
      workspace: WORKSPACE,
    }).ask(call, question);
    return { call, question, opened, callId };
  };
  const tried: DeskUse["tried"] = async (more) => {
    const { opened } = await ask(more);
    return opened.kind === "failed" ? opened.refusal.code : "asked";
  };
  const open: DeskUse["open"] = async (more) => {
    const { call, question, opened, callId } = await ask(more);
    expect(opened.kind).toBe("committed");
    return { question, callId, settle: (signal = NEVER) => desk.settle(call, question, signal) };
  };
  try {
    await use({ desk, clock, stateDir, open, tried });
  } finally {
    await sqlite.close();
  }
}

type Trouble = (told: Told) => "none" | "fails" | "throws";

const stateOf = (stateDir: string, callId: string) => rowsIn(stateDir).find((row) => row.callId === callId)?.state;
const answersIn = (stateDir: string) => entriesIn(stateDir).filter(({ kind }) => kind === "approval.answered");

describe("a question", () => {
  it.each([
    ["LOW", LIMITS.approvalMs.default],
    ["MEDIUM", LIMITS.approvalMs.default],
    ["HIGH", LIMITS.approvalHighMs.default],
  ] as const)("of risk %s is open for %i ms", async (risk, timeMs) => {
    await withDesk(async ({ desk, clock }) => {
      const call = judgedCall("ask");
      const question = await desk.question({ ...call, verdict: { ...call.verdict, risk } });
      expect("deadlineMs" in question && question.deadlineMs - clock.nowMs()).toBe(timeMs);
    });
  });

  it("A28: is not asked where a hundred wait already; answered and overdue ones don't count, nor another project's", async () => {
    await withDesk(async ({ desk, clock, open, tried }) => {
      const opened = [];
      for (let n = 0; n < LIMITS.openQuestions.default; n++) opened.push(await open());
      expect([await tried(), await tried({ project: "other" })]).toEqual(["RATE_LIMITED", "asked"]);
      await desk.answer(opened[0]?.question.approvalId ?? "", NO);
      expect([await tried(), await tried()]).toEqual(["asked", "RATE_LIMITED"]);
      clock.move(LIMITS.approvalHighMs.default);
      expect(await tried()).toBe("asked");
    });
  });

  it("A28: is not asked more often by calls at the same time", async () => {
    await withDesk(async ({ tried }) => {
      const max = LIMITS.openQuestions.default;
      const all = await Promise.all(Array.from({ length: max + 20 }, () => tried()));
      expect(all.filter((what) => what === "asked")).toHaveLength(max);
      expect(all.filter((what) => what === "RATE_LIMITED")).toHaveLength(20);
    });
  });

  it("A28: of one agent leaves room for others", async () => {
    await withDesk(async ({ tried }) => {
      const agent = (id: string) => ({ id, project: "default", lease: EVERYTHING, isOpened: true as const });
      const max = LIMITS.openQuestionsOfSession.default;
      const all = await Promise.all(Array.from({ length: max + 5 }, () => tried({ session: agent("session_a") })));
      expect(all.filter((what) => what === "asked")).toHaveLength(max);
      expect(await tried({ session: agent("session_b") })).toBe("asked");
      expect(await tried()).toBe("asked");
    });
  });

  it("A28: of one user leaves room for others, whatever sessions they name", async () => {
    await withDesk(async ({ desk, clock, open, tried }) => {
      const talk = (n: number) => ({ id: `talk-${n}`, project: "default", lease: EVERYTHING });
      const asAnn = (n: number, caller: "attended" | "detached" = "detached") =>
        tried({ session: talk(n), actor: "user:ann", caller });
      const max = LIMITS.openQuestionsOfSession.default;
      const { question } = await open({ session: talk(0), actor: "user:ann" });
      const all = await Promise.all(
        Array.from({ length: max + 4 }, (_, n) => asAnn(n, n % 2 ? "attended" : "detached")),
      );
      expect(all.filter((what) => what === "asked")).toHaveLength(max - 1);
      expect(all.filter((what) => what === "RATE_LIMITED")).toHaveLength(5);
      expect(await tried({ session: talk(1), actor: "user:anna" })).toBe("asked");
      await desk.answer(question.approvalId, NO);
      expect([await asAnn(1), await asAnn(2)]).toEqual(["asked", "RATE_LIMITED"]);
      clock.move(LIMITS.approvalHighMs.default);
      expect(await asAnn(1)).toBe("asked");
    });
  });

  it.each(["local:ann", "admin"])("A28: of `%s` may fill the desk", async (actor) => {
    await withDesk(async ({ tried }) => {
      const max = LIMITS.openQuestions.default;
      const all = await Promise.all(Array.from({ length: max }, () => tried({ actor })));
      expect(all.filter((what) => what === "asked")).toHaveLength(max);
    });
  });

  it("keeps the call for whoever goes on with it, as it was judged, and only where nobody holds it", async () => {
    await withDesk(async ({ open }) => {
      const detached = await open();
      expect(detached.question.kept).toMatchObject({ toolName: "sample", rawInput: { a: 1 }, actor: "local:ann" });
      expect((await open({ caller: "attended" })).question.kept).toBeNull();
    });
  });
});

describe("answers", () => {
  it.each<[PersonsAnswer, string]>([
    [YES, "approved"],
    [{ ...YES, reason: "go on" }, "approved"],
    [NO, "rejected"],
    [{ ...NO, reason: "not \ud800 today", who: "\ud800" }, "rejected"],
  ])("%j makes the call %s, with one entry that tells of it", async (answer, state) => {
    await withDesk(async ({ desk, open, stateDir }) => {
      const { question, callId } = await open();
      const result = await desk.answer(question.approvalId, answer);
      const [entry, ...more] = answersIn(stateDir);
      expect(more).toEqual([]);
      expect(result).toMatchObject({
        kind: "recorded",
        question: { answer, state, callId, receipt: { seq: entry?.seq, hash: entry?.hash } },
      });
      expect(entry).toMatchObject({
        callId,
        actor: answer.who.toWellFormed(),
        planDigest: question.shown.digest,
        body: { answer: answer.kind, reason: answer.reason?.toWellFormed() ?? null, who: answer.who.toWellFormed() },
      });
      expect(stateOf(stateDir, callId)).toBe(state);
    });
  });

  it("one wins, whoever comes later is given the winner's back", async () => {
    await withDesk(async ({ desk, open, stateDir }) => {
      const { question } = await open();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          desk.answer(question.approvalId, { kind: i % 2 === 0 ? "approve" : "reject", who: `person ${i}` }),
        ),
      );
      results.push(await desk.answer(question.approvalId, NO));
      const winners = results.filter(({ kind }) => kind === "recorded");
      expect(winners).toHaveLength(1);
      const [entry, ...more] = answersIn(stateDir);
      expect(more).toEqual([]);
      for (const result of results) {
        expect(["recorded", "conflict"]).toContain(result.kind);
        expect("question" in result && result.question.answer).toMatchObject({ who: entry?.body["who"] });
      }
    });
  });

  it("that come from the deadline on are none: the question has expired", async () => {
    await withDesk(async ({ desk, open, clock, stateDir }) => {
      const [just, late] = [await open(), await open()];
      clock.move(LIMITS.approvalMs.default - 1);
      expect((await desk.answer(just.question.approvalId, YES)).kind).toBe("recorded");
      clock.move(1);
      const result = await desk.answer(late.question.approvalId, YES);
      expect(result).toMatchObject({ kind: "conflict", question: { answer: { kind: "expired" }, state: "expired" } });
      expect(stateOf(stateDir, late.callId)).toBe("expired");
      expect(answersIn(stateDir).at(-1)).toMatchObject({
        actor: "local:ann",
        body: { answer: "expired", who: null, reason: null },
      });
    });
  });

  it("to a question that there is not", async () => {
    await withDesk(async ({ desk }) => {
      for (const id of ["approval_x", "", "' OR 1=1 --"])
        expect(await desk.answer(id, YES)).toEqual({ kind: "unknown" });
    });
  });

  it.each<unknown>([{ kind: "expired" }, { kind: "cancelled", who: "ann" }, { kind: "approve" }, "approve"])(
    "%j is none, and leaves the question open",
    async (answer) => {
      await withDesk(async ({ desk, open, stateDir }) => {
        const { question, callId } = await open();
        await expect(desk.answer(question.approvalId, answer as never)).rejects.toThrow(TypeError);
        expect(stateOf(stateDir, callId)).toBe("awaiting_approval");
      });
    },
  );

  it("that can't be written are none: the question stays open, and the next answer counts", async () => {
    let isFull = true;
    const trouble: Trouble = ({ from }) => (from === "awaiting_approval" && isFull ? "fails" : "none");
    await withDesk(
      async ({ desk, open, stateDir }) => {
        const { question, callId } = await open();
        expect(await desk.answer(question.approvalId, YES)).toMatchObject({
          kind: "failed",
          refusal: { code: "LEDGER_UNAVAILABLE" },
        });
        expect(stateOf(stateDir, callId)).toBe("awaiting_approval");
        isFull = false;
        expect((await desk.answer(question.approvalId, NO)).kind).toBe("recorded");
      },
      { trouble },
    );
  });
});

describe("the caller who waits", () => {
  it("hears the person right here", async () => {
    await withDesk(
      async ({ open, stateDir }) => {
        const { settle } = await open({ caller: "attended" });
        const [settled, entry] = [await settle(), answersIn(stateDir)[0]];
        expect(settled).toEqual({ kind: "answered", answer: YES, receipt: { seq: entry?.seq, hash: entry?.hash } });
      },
      { approver: { ask: async () => YES } },
    );
  });

  it("hears an answer from elsewhere, as it is in the journal", async () => {
    await withDesk(async ({ desk, open }) => {
      const { question, settle } = await open({ caller: "attended" });
      const settled = settle();
      const given = await desk.answer(question.approvalId, { ...NO, who: "bob" });
      expect(await settled).toEqual({
        kind: "answered",
        answer: { kind: "reject", who: "bob" },
        receipt: "question" in given && given.question.receipt,
      });
    });
  });

  it("hears the winner where the person here was too slow by a moment", async () => {
    const person = Promise.withResolvers<PersonsAnswer>();
    await withDesk(
      async ({ desk, open, stateDir }) => {
        const { question, settle } = await open({ caller: "attended" });
        const settled = settle();
        const given = desk.answer(question.approvalId, { ...NO, who: "bob" });
        person.resolve(YES);
        await given;
        expect(await settled).toMatchObject({ answer: (await desk.find(question.approvalId))?.answer });
        expect(answersIn(stateDir)).toHaveLength(1);
      },
      { approver: { ask: () => person.promise } },
    );
  });

  it("hears that time is over, and that is written", async () => {
    await withDesk(async ({ open, clock, stateDir }) => {
      const { settle, callId } = await open({ caller: "attended" });
      const settled = settle();
      clock.move(LIMITS.approvalMs.default);
      expect(await settled).toMatchObject({ answer: { kind: "expired" } });
      expect(stateOf(stateDir, callId)).toBe("expired");
    });
  });

  it("and goes away takes the question back", async () => {
    await withDesk(async ({ desk, open, stateDir }) => {
      const { question, settle, callId } = await open({ caller: "attended" });
      const stop = new AbortController();
      const settled = settle(stop.signal);
      stop.abort();
      expect(await settled).toMatchObject({ answer: { kind: "cancelled" } });
      expect(stateOf(stateDir, callId)).toBe("cancelled");
      expect(await desk.answer(question.approvalId, YES)).toMatchObject({
        kind: "conflict",
        question: { answer: { kind: "cancelled" } },
      });
    });
  });

  it("and goes away after somebody has answered hears the answer", async () => {
    await withDesk(async ({ desk, open }) => {
      const { question, settle } = await open({ caller: "attended" });
      await desk.answer(question.approvalId, YES);
      expect(await settle(AbortSignal.abort())).toMatchObject({ answer: YES });
    });
  });

  it("hears of a ledger that can't take the answer", async () => {
    await withDesk(
      async ({ open }) => {
        const { settle } = await open({ caller: "attended" });
        expect(await settle()).toMatchObject({ kind: "failed", refusal: { code: "LEDGER_UNAVAILABLE" } });
      },
      {
        approver: { ask: async () => YES },
        trouble: ({ from }) => (from === "awaiting_approval" ? "fails" : "none"),
      },
    );
  });
});

describe("open questions", () => {
  it("are those of the project, the oldest first, a page at a time", async () => {
    await withDesk(async ({ desk, open }) => {
      const ids: string[] = [];
      for (let i = 0; i < 7; i++) ids.push((await open()).question.approvalId);
      await open({ project: "other" });
      await desk.answer(ids[2] ?? "", NO);
      const left = ids.filter((_, i) => i !== 2);
      const idsOf = async (page: { limit: number; after?: string }) =>
        (await desk.open("default", page)).map(({ approvalId }) => approvalId);
      expect(await idsOf({ limit: 100 })).toEqual(left);
      expect(await idsOf({ limit: 4 })).toEqual(left.slice(0, 4));
      expect(await idsOf({ limit: 4, after: left[3] ?? "" })).toEqual(left.slice(4));
      expect(await idsOf({ limit: 4, after: left.at(-1) ?? "" })).toEqual([]);
    });
  });

  it("are closed on the way where their time is over, and a page is full all the same", async () => {
    await withDesk(async ({ desk, open, clock, stateDir }) => {
      for (let i = 0; i < 5; i++) await open();
      clock.move(LIMITS.approvalMs.default - 1);
      const young = [(await open()).question.approvalId, (await open()).question.approvalId];
      expect(await desk.open("default", { limit: 100 })).toHaveLength(7);
      clock.move(1);
      const page = await desk.open("default", { limit: 2 });
      expect(page.map(({ approvalId }) => approvalId)).toEqual(young);
      expect(rowsIn(stateDir).map(({ state }) => state)).toEqual([
        ...Array.from({ length: 5 }, () => "expired"),
        "awaiting_approval",
        "awaiting_approval",
      ]);
    });
  });
});

describe("a question that this process asked", () => {
  it.each(["approve", "reject"] as const)("hears of the answer that another process wrote: %s", async (kind) => {
    await withDesk(async ({ desk, clock, stateDir, open }) => {
      const { question } = await open();
      const { approvalId } = question;
      const elsewhere = new SqliteJournal({ stateDir, durability: "normal", owner: "owner_2", clock });
      const ids = { next: () => "unused" };
      const redactor = redactorFor();
      const other = new ApprovalDesk({
        journal: elsewhere,
        clock,
        ids,
        approver: NOBODY,
        redactor,
        rolesOf: () => null,
      });
      await other.answer(approvalId, { ...NO, who: "local:first" });
      await elsewhere.close();
      const answered = await desk.answer(approvalId, { kind, who: "local:second" });
      expect(answered).toMatchObject({
        kind: "conflict",
        question: { answer: { kind: "reject", who: "local:first" } },
      });
      expect(answersIn(stateDir)).toHaveLength(1);
    });
  });

  it("is another project's nobody's business, whoever asked it", async () => {
    await withDesk(async ({ desk, open }) => {
      const { question } = await open({ project: "other" });
      expect((await desk.answer(question.approvalId, NO, { project: "default" })).kind).toBe("unknown");
      expect((await desk.answer(question.approvalId, NO, { project: "other" })).kind).toBe("recorded");
    });
  });
});
