import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { alwaysFile, alwaysLock, readAlwaysRules } from "../../src/config/always-rules.ts";
import { digestOfText } from "../../src/domain/digest.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { SqliteJournal } from "../../src/store/sqlite/journal.ts";
import type { Proposal, ProposedRule } from "../../src/wiring/always.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { needs } from "../support/parts.ts";
import { asKind, type GateParts, openScratchGate } from "../support/scratch-gate.ts";
import { startProgram } from "../support/started-program.ts";
import { unsteadyJournal } from "../support/unsteady-journal.ts";

const asking = (id: string, command: string, write: readonly string[] | null): RuleSource => ({
  ...{ id, effect: "ask", otherwise: true, touch: { exec: [command] } },
  ...(write && { grant: { write } }),
});

async function proposed(rules: readonly RuleSource[], command: string, answer: "approve" | "reject" = "approve") {
  await using scratch = openScratchGate({ rules, config: { tools: { builtin: ["shell"] } } });
  const outcome = await scratch.gate.call({ tool: "run_command", input: { command } }, { whenAsked: "return" });
  if (outcome.kind !== "pending") throw new Error(outcome.kind);
  const question = await scratch.gate.approvals.find(outcome.approval.id);
  if (question === null) throw new Error("no question");
  return scratch.gate.always.propose(question.shown, answer);
}

const OUT = ["./out/**"];

/** A write that an `otherwise` rule asks about, unless it is said otherwise. */
async function askedToWrite(parts: GateParts = {}, path = "a.txt") {
  const scratch = openScratchGate({ rules: [ASK_WRITES], settings: "followed", ...parts });
  const call = { tool: "write_file", input: { path, content: "x" } };
  const { approval, callId } = asKind(await scratch.gate.call(call, { whenAsked: "return" }), "pending");
  const question = await scratch.gate.approvals.find(approval.id);
  if (question === null) throw new Error("no question");
  const propose = (answer: "approve" | "reject") => scratch.gate.always.propose(question.shown, answer);
  return { scratch, gate: scratch.gate, call, callId, approvalId: approval.id, question, propose };
}

const ASK_WRITES: RuleSource = { id: "ask", effect: "ask", otherwise: true, touch: { write: ["./**"] } };
const SECRET = "hunter2hunter2";

function okOf(proposal: Proposal): ProposedRule {
  if (!proposal.ok) throw new Error(proposal.because);
  return proposal;
}

describe("a rule of always", () => {
  it("is told to the ledger with who said it and to which call, and is in force then", async () => {
    const { scratch, gate, call, callId, approvalId, question, propose } = await askedToWrite();
    await using _ = scratch;
    const proposed = okOf(propose("approve"));
    expect(proposed.digest).toBe(digestOfText(proposed.text));
    const saved = await gate.always.save(proposed, { who: "user:ann", approvalId });
    expect(saved).toEqual({ ok: true, ruleId: proposed.rule.id, isInForce: true });
    expect((await gate.explain(call)).decision).toBe("allow");
    const [told, loaded] = scratch.entries().slice(-2);
    expect(told).toMatchObject({ kind: "policy.always", actor: "user:ann", callId, sessionId: question.sessionId });
    expect(told?.planDigest).toBe(question.shown.digest);
    const { rule, digest } = proposed;
    expect(told?.body).toEqual({ approvalId, rule, digest, ruleId: rule.id });
    expect(loaded?.kind).toBe("policy.loaded");
  });

  it("is saved once, however many say it", async () => {
    const { scratch, gate, approvalId, propose } = await askedToWrite();
    await using _ = scratch;
    const save = () => gate.always.save(okOf(propose("approve")), { who: "admin", approvalId });
    expect(await save()).toMatchObject({ ok: true, isInForce: true });
    const text = readFileSync(alwaysFile(scratch.stateDir), "utf8");
    expect(await save()).toMatchObject({ ok: true, isInForce: true });
    expect(readFileSync(alwaysFile(scratch.stateDir), "utf8")).toBe(text);
  });

  it("is not lost where several processes save theirs in the same instant", async () => {
    await using scratch = openScratchGate({ rules: [ASK_WRITES], settings: "followed" });
    const names = ["ann", "bob", "cat", "dan"];
    await using started = new AsyncDisposableStack();
    const programs = names.map((name) => started.use(startProgram("says-never.ts", [scratch.folder, name, "8"])));
    for (const program of programs) expect(await program.line()).toBe("ready");
    for (const program of programs) program.tell("go");
    const said = Promise.all(programs.map((program) => program.ended()));
    let isOver = false;
    const over = said.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      expect(readAlwaysRules(scratch.stateDir)?.problems ?? []).toEqual([]);
      await setImmediate();
    }
    expect(await over).toEqual(names.map(() => ["saved"]));
    const paths = readAlwaysRules(scratch.stateDir)?.rules.flatMap(({ rule }) => rule.touch?.write ?? []);
    const wanted = names.flatMap((name) => Array.from({ length: 8 }, (_, at) => `./${name}-${at}`));
    expect(paths?.toSorted()).toEqual(wanted.toSorted());
  });

  it("is not saved through a lock that came with the workspace as a link", async () => {
    const { scratch, gate, approvalId, propose } = await askedToWrite();
    await using _ = scratch;
    symlinkSync(join(scratch.folder, "elsewhere"), alwaysLock(scratch.stateDir));
    const saved = await gate.always.save(okOf(propose("reject")), { who: "admin", approvalId });
    expect(saved).toMatchObject({ ok: false, message: expect.stringContaining("no file of ours") });
    for (const path of [alwaysFile(scratch.stateDir), join(scratch.folder, "elsewhere")])
      expect(existsSync(path)).toBe(false);
  });

  it("is not saved where the ledger can't be told, or there is no such question", async () => {
    const { scratch, gate, approvalId, propose } = await askedToWrite();
    await using _ = scratch;
    const proposed = okOf(propose("approve"));
    const nowhere = await gate.always.save(proposed, { who: "admin", approvalId: "approval_0" });
    expect(nowhere).toMatchObject({ ok: false, message: "there is no such question" });
    const sqlite = new SqliteJournal({
      stateDir: scratch.stateDir,
      durability: "normal",
      owner: "o",
      clock: systemClock,
    });
    const journal = unsteadyJournal(sqlite, ({ to }) => (to === "note" ? "fails" : "none"));
    const full = scratch.again({ inner: { journal } });
    const saved = await full.always.save(proposed, { who: "admin", approvalId });
    expect(saved).toMatchObject({ ok: false, message: "the disk is full" });
    expect(existsSync(alwaysFile(scratch.stateDir))).toBe(false);
  });

  it("that can't be saved is told as that", async () => {
    const { scratch, gate, approvalId, propose } = await askedToWrite();
    await using _ = scratch;
    writeFileSync(alwaysFile(scratch.stateDir), "[]\n", { mode: 0o600 });
    const proposed = okOf(propose("reject"));
    const saved = await gate.always.save(proposed, { who: "user:ann", approvalId });
    expect(saved).toMatchObject({ ok: false, message: "`always.yaml` was changed and not accepted" });
    const said = scratch.entries().filter(({ actor }) => actor === "user:ann");
    expect(said.map(({ kind }) => kind)).toEqual(["policy.always", "policy.refused"]);
    expect(said[1]?.body).toMatchObject({ ruleId: proposed.rule.id, message: expect.stringContaining("not accepted") });
  });

  it("says that it is not in force where the other settings don't load", async () => {
    const { scratch, gate, approvalId, propose } = await askedToWrite();
    await using _ = scratch;
    writeFileSync(join(scratch.folder, "toolgate.yaml"), "rules: [{}]\n");
    const saved = await gate.always.save(okOf(propose("approve")), { who: "admin", approvalId });
    expect(saved).toMatchObject({ ok: true, isInForce: false });
  });

  it.each<[number, string, object]>([
    [1, "approve", { ok: true }],
    [2, "approve", { ok: false, because: expect.stringContaining("several people") }],
    [2, "reject", { ok: true }],
  ])("of a question for %i: %s", async (people, answer, expected) => {
    const { scratch, propose } = await askedToWrite({ rules: [{ ...ASK_WRITES, approvers: { people } }] });
    await using _ = scratch;
    expect(propose(answer as "approve")).toMatchObject(expected);
  });

  it.each([
    ["plain.txt", { ok: true }],
    [`${SECRET}.txt`, { ok: false, because: "it names a secret, which no rule may hold" }],
  ])("names no secret: %s", async (path, expected) => {
    const config = { secrets: [{ env: "S" }] };
    const { scratch, propose } = await askedToWrite({ config, variables: { S: SECRET } }, path);
    await using _ = scratch;
    for (const answer of ["approve", "reject"] as const) expect(propose(answer)).toMatchObject(expected);
  });
});

needs("bwrap")("always", () => {
  it.each<[string, readonly RuleSource[], string, object]>([
    ["what the rule that asks grants", [asking("a", "**", OUT)], "touch x", { rule: { grant: { write: OUT } } }],
    [
      "the same of two rules once",
      [asking("a", "touch **", OUT), asking("b", "mkdir **", OUT)],
      "touch x; mkdir y",
      { ok: true, rule: { grant: { write: OUT } } },
    ],
    [
      "nothing by itself where rules grant different things",
      [asking("a", "touch **", OUT), asking("b", "mkdir **", null)],
      "touch x; mkdir y",
      { ok: false, because: "its commands are let run by rules with different grants" },
    ],
  ])("grants %s", async (_, rules, command, expected) => {
    expect(await proposed(rules, command)).toMatchObject(expected);
  });

  it("without a grant it has none, and never grants anything", async () => {
    for (const proposal of [
      await proposed([asking("a", "**", null)], "touch x"),
      await proposed([asking("a", "**", OUT)], "touch x", "reject"),
    ]) {
      expect(proposal).toMatchObject({ ok: true });
      expect(proposal.ok && proposal.rule).not.toHaveProperty("grant");
    }
  });
});
