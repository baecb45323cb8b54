import { symlinkSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CODES } from "../../src/domain/codes.ts";
import { type Effect, isStricter } from "../../src/domain/decision.ts";
import { digestOf } from "../../src/domain/digest.ts";
import { EVERYTHING, type Session } from "../../src/domain/lease.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import { type CallState, isTerminal } from "../../src/domain/state.ts";
import { visibleLine, visibleName, visibleText } from "../../src/domain/visible.ts";
import { terminalApprover } from "../../src/doors/cli/terminal-approver.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Approver } from "../../src/ports/desk.ts";
import type { Border, Probe } from "../../src/ports/probe.ts";
import type { RuleBook } from "../../src/ports/rule-book.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules } from "../../src/rules/rule-set.ts";
import { SqliteJournal } from "../../src/store/sqlite/journal.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { someRules, someTouch, WORKSPACE } from "../rules/arbitrary-rules.ts";
import { type ActingTool, actingTool } from "../support/acting-tool.ts";
import { NO, YES } from "../support/open-approver.ts";
import { paperTerminal } from "../support/paper-terminal.ts";
import {
  ALLOW_ALL,
  ASK_ALL,
  approves,
  codeOf,
  type GateParts,
  openScratchGate,
  type ScratchGate,
} from "../support/scratch-gate.ts";
import { type Told, unsteadyJournal } from "../support/unsteady-journal.ts";

/** A gate whose only tool of interest is `act`, which writes one file in the workspace and can be counted. */
interface ActingGate extends AsyncDisposable {
  readonly scratch: ScratchGate;
  readonly acting: ActingTool;
  readonly act: (session?: Session) => Promise<Outcome>;
}

type MakeParts = (scratch: ScratchGate) => GateParts;

function openActing(parts: MakeParts = () => ({}), act?: (scratch: ScratchGate) => string): ActingGate {
  const scratch = openScratchGate();
  const acting = actingTool(scratch.workspace, act && { act: () => act(scratch) });
  const gate = scratch.again({ tools: [acting.tool], ...parts(scratch) });
  return {
    scratch,
    acting,
    act: (session) => gate.call({ tool: "act", input: { n: 1 }, ...(session && { session }) }),
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

const troubled =
  (trouble: (told: Told) => "none" | "fails" | "throws"): MakeParts =>
  ({ stateDir }) => {
    const sqlite = new SqliteJournal({ stateDir, durability: "normal", owner: "owner_x", clock: systemClock });
    return { inner: { journal: unsteadyJournal(sqlite, trouble) } };
  };

const session = (lease: Partial<Session["lease"]>): Session => ({
  id: "s",
  project: "default",
  lease: { ...EVERYTHING, ...lease },
});

const asking =
  (ask: Approver["ask"]): MakeParts =>
  () => ({ rules: ASK_ALL, approver: { ask } });
/** A clock on which every deadline is over as soon as somebody waits for it. */
const hasty: Clock = { ...systemClock, after: (_, task) => systemClock.after(0, task) };
const broken = (): never => {
  throw new Error("a bug");
};

describe("law 1: any error means not executed, with a stable code", () => {
  it.each<[string, MakeParts, string]>([
    ["no rule", () => ({ rules: [] }), "DEFAULT_DENY"],
    ["a rule that denies", () => ({ rules: [{ id: "d", effect: "deny" }, ...ALLOW_ALL] }), "RULE_DENY"],
    ["rules that can't be had", () => ({ inner: { ruleBook: { current: broken } } }), "FAULT"],
    [
      "a rule that throws",
      ({ config }) => ({ inner: { ruleBook: { current: () => ({ ...config.rules, judge: broken }) } } }),
      "FAULT",
    ],
    [
      "a catalog that throws",
      () => ({ inner: { catalog: { find: broken, names: () => [], all: () => [] } } }),
      "FAULT",
    ],
    ["nobody who answers in time", () => ({ rules: ASK_ALL, inner: { clock: hasty } }), "APPROVAL_EXPIRED"],
    ["a person's no", asking(async () => NO), "APPROVAL_REJECTED"],
    ["an approver that throws", asking(broken), "FAULT"],
    ["an approver that rejects its promise", asking(async () => broken()), "FAULT"],
    ["an approver that answers nonsense", asking(async () => ({ kind: "yes", who: "ann" }) as never), "FAULT"],
    ["an approver that answers for the clock", asking(async () => ({ kind: "expired" }) as never), "FAULT"],
    ["a yes that nobody said", asking(async () => ({ kind: "approve" }) as never), "FAULT"],
    ["an approver that says nothing at all", asking(async () => undefined as never), "FAULT"],
    ["a journal that fails", troubled(() => "fails"), "LEDGER_UNAVAILABLE"],
    ["a journal that throws at the first word", troubled(() => "throws"), "FAULT"],
    ["a journal that throws", troubled(({ to }) => (to === "note" ? "none" : "throws")), "FAULT"],
    [
      "rules that the ledger can't be told of",
      troubled(({ to }) => (to === "note" ? "fails" : "none")),
      "LEDGER_UNAVAILABLE",
    ],
    [
      "a journal that fails at the start",
      troubled(({ to }) => (to === "executing" ? "fails" : "none")),
      "LEDGER_UNAVAILABLE",
    ],
    ["a journal that throws at the start", troubled(({ to }) => (to === "executing" ? "throws" : "none")), "FAULT"],
  ])("%s", async (_, parts, code) => {
    await using acting = openActing(parts);
    const outcome = await acting.act();
    expect([outcome.kind, codeOf(outcome)]).toEqual(["refused", code]);
    expect(CODES).toHaveProperty(code);
    expect(acting.acting.ran()).toBe(0);
  });

  it.each<[string, Session, string]>([
    ["expired", session({ expiresAtMs: 1 }), "LEASE_EXPIRED"],
    ["without the tool", session({ tools: ["read_file"] }), "LEASE_SCOPE"],
    ["without the file", session({ write: ["./other"] }), "LEASE_SCOPE"],
    ["that grants nothing", session({ tools: [], read: [], write: [] }), "LEASE_SCOPE"],
  ])("a lease %s", async (_, leased, code) => {
    await using acting = openActing();
    const outcome = await acting.act(leased);
    expect([outcome.kind, codeOf(outcome)]).toEqual(["refused", code]);
    expect(acting.acting.ran()).toBe(0);
  });

  it.each<[string, string, unknown, string]>([
    ["an unknown tool", "akt", {}, "TOOL_UNKNOWN"],
    ["bad arguments", "act", { n: "one" }, "INVALID_ARGUMENTS"],
    ["no object", "act", [], "INVALID_ARGUMENTS"],
    ["a lone surrogate", "act", { n: 1, x: "\ud800" }, "INVALID_ARGUMENTS"],
    ["a bigint", "act", { n: 1n }, "INVALID_ARGUMENTS"],
  ])("%s", async (_, tool, input, code) => {
    await using acting = openActing();
    const gate = acting.scratch.again({ tools: [acting.acting.tool] });
    const outcome = await gate.call({ tool, input: input as never });
    expect([outcome.kind, codeOf(outcome)]).toEqual(["refused", code]);
    expect(acting.acting.ran()).toBe(0);
  });

  it("a call that nothing is wrong with is executed, or the tables above would show nothing", async () => {
    await using acting = openActing();
    expect((await acting.act()).kind).toBe("completed");
    expect(acting.acting.ran()).toBe(1);
  });

  it("a gate that is closed", async () => {
    await using scratch = openScratchGate();
    await scratch.gate.close();
    expect(codeOf(await scratch.gate.call({ tool: "read_file", input: { path: "a" } }))).toBe("CANCELLED");
  });

  it("no policy: one call per tool, no question (A02)", async () => {
    await using scratch = openScratchGate({ rules: [], approver: { ask: broken } });
    const tools = scratch.gate.tools();
    for (const { name, inputSchema } of tools) {
      const outcome = await scratch.gate.call({ tool: name, input: sampleOf(inputSchema) as never });
      expect(outcome.kind).toBe("refused");
      // A patch or an edit of `a` is no patch and no edit: such a call is refused even earlier.
      if (!["apply_patch", "edit_file"].includes(name))
        expect(`${name} ${codeOf(outcome)}`).toBe(`${name} DEFAULT_DENY`);
    }
    expect(scratch.rows().map(({ state }) => state)).toEqual(tools.map(() => "refused"));
  });

  /** The least that the schema of a built-in tool asks for. */
  function sampleOf(schema: unknown): unknown {
    const { type, required = [], properties = {}, items } = schema as Schema;
    if (type === "object") return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name])]));
    if (type === "array") return [sampleOf(items)];
    return type === "string" ? "a" : 1;
  }
  interface Schema {
    readonly type: string;
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly items?: unknown;
  }
});

describe("law 2: each call gets exactly one outcome and one terminal state", () => {
  const RULES: readonly RuleSource[] = [
    { id: "ask", effect: "ask", tools: ["write_file"], touch: { write: ["./asked/**"] } },
    { id: "allow", effect: "allow", touch: { read: ["./**"], write: ["./free/**"] } },
    { id: "deny", effect: "deny", touch: { read: ["./denied"] } },
  ];
  const ANSWERS = [YES, NO, null] as const;
  const CALLS = Array.from(
    { length: 120 },
    (_, i) =>
      [
        { tool: "write_file", input: { path: `free/${i}`, content: "x" } },
        { tool: "write_file", input: { path: `asked/${i}`, content: "x" } },
        { tool: "read_file", input: { path: "free/x" } },
        { tool: "read_file", input: { path: "absent" } },
        { tool: "read_file", input: { path: "denied" } },
        { tool: "nothing", input: {} },
      ].at(i % 6) as { tool: string; input: { path: string } },
  );

  it("whatever becomes of it, among many at once", async () => {
    await using scratch = openScratchGate();
    scratch.put("free/x");
    scratch.put("asked/x");
    let turn = 0;
    let aheadMs = 0;
    const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
    const approver: Approver = { ask: async () => ANSWERS[turn++ % ANSWERS.length] ?? null };
    const gate = scratch.again({ rules: RULES, approver, inner: { clock } });
    const stop = new AbortController();
    const made = CALLS.map((call, i) =>
      gate.call(call, { signal: stop.signal, whenAsked: i % 12 === 7 ? "return" : "wait" }),
    );
    const open = () => scratch.rows().filter(({ state }) => state === "awaiting_approval");
    await expect.poll(() => open().length).toBe(13); // ten that nobody waits for, three that nobody here answers
    const questions = await gate.approvals.list();
    const attended = questions.filter(({ kept }) => kept === null);
    await gate.approvals.answer(attended[0]?.approvalId ?? "", NO);
    await expect.poll(() => open().length).toBe(12);
    stop.abort();
    const outcomes = await Promise.all(made);

    const pending = outcomes.filter((outcome) => outcome.kind === "pending");
    const ended = new Map(outcomes.map((outcome) => [outcome.callId, outcome]));
    for (const { approval } of pending.slice(0, 5)) {
      const given = await gate.approvals.answer(approval.id, YES);
      const outcome = given.kind === "recorded" ? await gate.approvals.carryOn(given.question) : null;
      ended.set(outcome?.callId ?? "", outcome as Outcome);
    }
    aheadMs = LIMITS.approvalHighMs.default;
    expect(await gate.approvals.list()).toEqual([]);

    const states = new Map(scratch.rows().map(({ callId, state }) => [callId, state]));
    expect(states.size).toBe(CALLS.length);
    for (const [callId, outcome] of ended) {
      const state = states.get(callId) ?? "executing";
      expect(isTerminal(state)).toBe(true);
      expect(outcome.receipt).toBeDefined();
      expect(outcome.kind === "pending" ? "expired" : KIND_OF[state]).toBe(
        outcome.kind === "pending" ? state : outcome.kind,
      );
      if (outcome.kind === "pending") continue;
      // The receipt is of the call's last entry, and there is one entry that ends it.
      const last = scratch.entries(callId).at(-1);
      expect(outcome.receipt).toEqual({ seq: last?.seq, hash: last?.hash });
    }
    expect(new Set(states.values())).toEqual(
      new Set(["completed", "failed", "refused", "rejected", "expired", "cancelled"]),
    );
    expect((await gate.ledger.verify()).ok).toBe(true);
  });

  /** DESIGN, section 5: states as outcomes. Cancelled before the start is `refused`. */
  const KIND_OF: Partial<Record<CallState, Outcome["kind"]>> = {
    completed: "completed",
    failed: "failed",
    refused: "refused",
    rejected: "refused",
    expired: "refused",
    cancelled: "refused",
  };
});

describe("law 3: nothing is executed before a durable entry that allows it", () => {
  const decidedAndStarted = (scratch: ScratchGate) =>
    JSON.stringify(scratch.entries().map(({ kind, body }) => [kind, body["decision"] ?? body["by"] ?? null]));

  it("the tool finds its own decision in the ledger, and the rules that made it", async () => {
    await using acting = openActing(() => ({}), decidedAndStarted);
    const outcome = await acting.act();
    expect(outcome).toMatchObject({
      content: [
        {
          text: JSON.stringify([
            ["policy.loaded", null],
            ["tool.requested", null],
            ["tool.decided", "allow"],
          ]),
        },
      ],
    });
  });

  it("and a person's answer, where one was asked", async () => {
    await using acting = openActing(() => ({ rules: ASK_ALL, approver: approves }), decidedAndStarted);
    expect(await acting.act()).toMatchObject({
      content: [
        {
          text: JSON.stringify([
            ["policy.loaded", null],
            ["tool.requested", null],
            ["tool.decided", "ask"],
            ["approval.answered", null],
            ["tool.started", "person"],
          ]),
        },
      ],
    });
  });

  it.each<[string, Told["to"]]>([
    ["the question", "awaiting_approval"],
    ["the answer", "approved"],
    ["the start", "executing"],
  ])("a ledger that can't take %s stops it", async (_, state) => {
    await using acting = openActing((scratch) => ({
      ...troubled(({ to }) => (to === state ? "fails" : "none"))(scratch),
      rules: ASK_ALL,
      approver: approves,
    }));
    expect(codeOf(await acting.act())).toBe("LEDGER_UNAVAILABLE");
    expect(acting.acting.ran()).toBe(0);
  });

  it("a state directory that can't be made stops it", async () => {
    await using acting = openActing((scratch) => {
      symlinkSync("/proc/nowhere", scratch.stateDir);
      return {};
    });
    const outcome = await acting.act();
    expect([outcome.kind, codeOf(outcome), acting.acting.ran()]).toEqual(["refused", "LEDGER_UNAVAILABLE", 0]);
  });
});

describe("law 4: the strictest answer wins", () => {
  /** What stands before the random rules, so that each effect comes up often. */
  const OPEN: readonly (readonly RuleSource[])[] = [
    [],
    [{ id: "open", effect: "allow" }],
    [{ id: "open", effect: "ask" }],
  ];

  it("adding a deny never widens, for any rules and touches, at the level of calls", async () => {
    await using scratch = openScratchGate();
    let sources: readonly RuleSource[] = [];
    const ruleBook: RuleBook = {
      current: () => {
        const compiled = compileRules(sources, { workspace: WORKSPACE });
        if (!compiled.ok) throw new Error("rules");
        return compiled.rules;
      },
    };
    const effectOf = async (rules: readonly RuleSource[], touches: never): Promise<Effect> => {
      sources = rules;
      const acting = actingTool(scratch.workspace, { touches });
      const gate = scratch.again({ tools: [acting.tool], inner: { ruleBook, journal } });
      const outcome = await gate.call({ tool: "act", input: {} }, { whenAsked: "return" });
      expect(acting.ran()).toBe(outcome.kind === "completed" ? 1 : 0);
      if (outcome.kind === "completed") return "allow";
      return outcome.kind === "pending" ? "ask" : "deny";
    };
    const { stateDir } = scratch;
    const journal = new SqliteJournal({ stateDir, durability: "normal", owner: "owner_x", clock: systemClock });
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(fc.constantFrom(...OPEN), someRules).map(([open, rules]) => [...open, ...rules]),
        someRules.filter(([rule]) => rule !== undefined),
        fc.nat(8),
        fc.array(someTouch, { minLength: 1, maxLength: 3 }),
        async (rules, [added], at, touches) => {
          const deny = { ...(added as RuleSource), id: "added", effect: "deny", otherwise: false } as const;
          const before = await effectOf(rules, touches as never);
          const after = await effectOf(rules.toSpliced(at % (rules.length + 1), 0, deny), touches as never);
          seen.add(`${before} ${after}`);
          expect(isStricter(before, after)).toBe(false);
        },
      ),
      { numRuns: 150 },
    );
    expect(seen).toContain("allow deny");
    expect(seen).toContain("ask deny");
  });

  it.each<[string, readonly RuleSource[], string]>([
    ["allow", [ALLOW_ALL[0] as RuleSource], "completed"],
    ["allow and ask", [...ALLOW_ALL, ...ASK_ALL], "completed"],
    ["allow, ask and deny", [...ALLOW_ALL, ...ASK_ALL, { id: "d", effect: "deny" }], "RULE_DENY"],
    ["deny, ask and allow", [{ id: "d", effect: "deny" }, ...ASK_ALL, ...ALLOW_ALL], "RULE_DENY"],
  ])("rules that say %s, and a person who says yes", async (_, rules, code) => {
    await using acting = openActing(() => ({ rules, approver: approves }));
    expect(codeOf(await acting.act())).toBe(code);
  });

  it("a person's yes does not widen a lease, nor what the rules say by then", async () => {
    let rules = ASK_ALL;
    await using acting = openActing(({ config }) => ({
      approver: {
        ask: async () => {
          rules = [{ id: "d", effect: "deny" }];
          return YES;
        },
      },
      inner: {
        ruleBook: {
          current: () => {
            const compiled = compileRules(rules, { workspace: config.workspace });
            if (!compiled.ok) throw new Error("rules");
            return compiled.rules;
          },
        },
      },
    }));
    expect(codeOf(await acting.act(session({ write: [] })))).toBe("LEASE_SCOPE");
    expect(codeOf(await acting.act())).toBe("RULE_DENY");
    expect(acting.acting.ran()).toBe(0);
  });
});

describe("law 5: started without an end is unknown, and never run again", () => {
  it("an end that can't be written is unknown to the caller too", async () => {
    await using acting = openActing(troubled(({ from }) => (from === "executing" ? "fails" : "none")));
    const outcome = await acting.act();
    expect(outcome).toMatchObject({ kind: "unknown", error: { code: "OUTCOME_UNKNOWN", retryable: false } });
    const started = acting.scratch.entries(outcome.callId).at(-1);
    expect(started).toMatchObject({ kind: "tool.decided", body: { decision: "allow" } });
    expect(outcome.receipt).toEqual({ seq: started?.seq, hash: started?.hash });
    expect(acting.acting.ran()).toBe(1);
  });

  it("and becomes so in the store once its owner is gone; the next gate does not run it", async () => {
    await using acting = openActing(troubled(({ from }) => (from === "executing" ? "fails" : "none")));
    const { callId } = await acting.act();
    const row = () => acting.scratch.rows().find((one) => one.callId === callId)?.state;
    expect(row()).toBe("executing");
    const next = acting.scratch.again({ tools: [acting.acting.tool] });
    await next.call({ tool: "read_file", input: { path: "absent" } });
    expect(row()).toBe("unknown");
    expect(acting.acting.ran()).toBe(1);
    expect(acting.scratch.entries(callId).at(-1)).toMatchObject({
      kind: "tool.executed",
      body: { outcome: "unknown", code: "OUTCOME_UNKNOWN" },
    });
  });
});

// Law 6 (redaction before everything else) has no test here yet: redaction comes with its own stage.

describe("law 7: the approver is shown everything that will run", () => {
  /** Of a gate, a terminal only wants to know who sits there and how "always" is saved. */
  const NOWHERE = { actor: "local:ann", always: null as never };

  const named = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });

  it("every touch and the whole input, with nothing hidden in it", async () => {
    await using scratch = openScratchGate();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ kind: fc.constantFrom("read", "write"), name: named }), { minLength: 1, maxLength: 4 }),
        fc.dictionary(named, fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.jsonValue()), { maxKeys: 4 }),
        async (files, values) => {
          const input = JSON.parse(JSON.stringify(values));
          const touches = files.map(({ kind, name }) => ({
            kind,
            path: join(scratch.workspace, `x${name.replaceAll(/[/\0]/g, "_")}`),
          }));
          const paper = paperTerminal({ answers: ["n"] });
          const acting = actingTool(scratch.workspace, { touches: touches as never });
          const gate = scratch.again({
            rules: [{ id: "ask", effect: "ask" }],
            tools: [acting.tool],
            approver: terminalApprover(paper, () => NOWHERE),
          });
          const { n: _, ...args } = input;
          const outcome = await gate.call({ tool: "act", input: args });
          await gate.close();
          expect(codeOf(outcome)).toBe("APPROVAL_REJECTED");
          const question = paper.errText();
          for (const { kind, path } of touches)
            expect(question).toContain(`  ${kind} ${wordFor(path.slice(scratch.workspace.length + 1))}`);
          for (const [name, value] of Object.entries(args))
            expect(question).toContain(`  ${visibleLine(name)} ${shownValue(value)}\n`);
          expect(visibleText(question)).toBe(question);
        },
      ),
      { numRuns: 60 },
    );
  });

  const wordFor = (name: string) => `\`${visibleName(name).replaceAll("`", "\\u{60}")}\``;
  /** A value on one line shows all its blanks, as it may be a path. In a longer text, tabs and the spaces of prose stay. */
  const shownValue = (value: unknown) =>
    typeof value === "string"
      ? value.includes("\n")
        ? visibleText(value).replaceAll("\n", "\n    ")
        : visibleLine(value)
      : visibleLine(JSON.stringify(value));

  it("a megabyte of it, too", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const paper = paperTerminal({ answers: ["n"] });
    const content = `begin ${"x".repeat(1_000_000)} end`;
    await scratch
      .again({ approver: terminalApprover(paper, () => NOWHERE) })
      .call({ tool: "write_file", input: { path: "a", content } });
    expect(paper.errText()).toContain(content);
  });
});

describe("what is judged = shown = run = recorded", () => {
  it("one digest in the question, in every entry, and in the call that runs", async () => {
    const seen: string[] = [];
    await using scratch = openScratchGate();
    const acting = actingTool(scratch.workspace);
    const tool = {
      ...acting.tool,
      run: (call: never, signal: AbortSignal) => {
        seen.push((call as { seal: { digest: string } }).seal.digest);
        return acting.tool.run(call, signal);
      },
    };
    const approver: Approver = {
      ask: async ({ digest: shown }) => {
        seen.push(shown);
        return YES;
      },
    };
    const gate = scratch.again({ rules: ASK_ALL, tools: [tool], approver });
    const { digest } = await gate.explain({ tool: "act", input: {} });
    const { callId } = await gate.call({ tool: "act", input: {} });
    const [requested, ...bound] = scratch.entries(callId);
    expect(requested?.planDigest).toBeNull(); // nothing is planned yet when a call comes in
    expect(bound.map(({ planDigest }) => planDigest)).toEqual(bound.map(() => digest));
    expect(bound).toHaveLength(4);
    expect(seen).toEqual([digest, digest]);
  });

  it.each<Border>(["validated", "planned", "judged", "approved", "started"])(
    "a caller who changes the arguments once the call is %s changes nothing",
    async (border) => {
      await using scratch = openScratchGate();
      const input = { path: "a.txt", content: "judged" };
      const judged = { ...input };
      const probe: Probe = {
        reached: (reached) => {
          if (reached === border) Object.assign(input, { path: "b.txt", content: "other" });
        },
      };
      const outcome = await scratch.again({ inner: { probe } }).call({ tool: "write_file", input });
      expect(outcome.kind).toBe("completed");
      expect(input.path).toBe("b.txt");
      expect(scratch.text("a.txt")).toBe("judged");
      const [requested] = scratch.entries(outcome.callId);
      expect(requested?.body["inputDigest"]).toBe(digestOf(judged));
    },
  );
});
