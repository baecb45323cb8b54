// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import { EVERYTHING } from "../../../src/domain/lease.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { handClock } from "../../support/hand-clock.ts";
import { needs } from "../../support/parts.ts";
import { asKind, codeOf, type GateParts, type ScratchGate } from "../../support/scratch-gate.ts";
import { startProgram } from "../../support/started-program.ts";
import { openScriptGate, param, printed } from "./script-gate.ts";

const RULES: readonly RuleSource[] = [
  { id: "scripts", effect: "allow", touch: { exec: ["**"], unknown: true }, dynamic: true, grant: { write: ["./**"] } },
  { id: "files", effect: "allow", touch: { read: ["./**"], write: ["./**"] } },
];

/** Tells in a file that it ran, and fails until it has run so many times. */
const flaky = (times: number, exit = 1): string =>
  `echo x >> runs; mapfile -t n < runs; echo "run \${#n[@]}"; [ "\${#n[@]}" -ge ${times} ] || exit ${exit}`;

const here = { working_directory: "." };
const NOW = { initial_delay: 0 };

const open = (tool: JsonObject, parts: GateParts = {}): ScratchGate => {
  const scratch = openScriptGate({ t: { sandbox: here, ...tool } }, { rules: RULES, ...parts });
  scratch.put("runs", "");
  return scratch;
};

const runsIn = (scratch: ScratchGate): number => scratch.text("runs").length / 2;
const call = (scratch: Pick<ScratchGate, "gate">, input: JsonObject = {}) => scratch.gate.call({ tool: "t", input });

needs("bwrap")("`retry`", () => {
  it("tries again what failed, each attempt an entry of its own", async () => {
    await using scratch = open({ script: flaky(3), retry: { attempts: 3, ...NOW } });
    const outcome = asKind(await call(scratch), "completed");
    expect(outcome.attempts).toBe(3);
    expect(printed(outcome.content)).toBe("run 3\n");
    const kinds = scratch.entries(outcome.callId).map(({ kind, body }) => `${kind} ${body["attempt"] ?? ""}`.trim());
    expect(kinds).toEqual(["tool.requested", "tool.decided", "tool.started 2", "tool.started 3", "tool.executed"]);
    expect(scratch.rows()).toMatchObject([{ state: "completed" }]);
  });

  it("gives up after `attempts`, with the last failure", async () => {
    await using scratch = open({ script: flaky(9), retry: { attempts: 2, ...NOW } });
    expect(asKind(await call(scratch), "failed").error).toMatchObject({ code: "TOOL_FAILED", retryable: true });
    expect(runsIn(scratch)).toBe(2);
  });

  const never: readonly (readonly [string, JsonObject, number])[] = [
    ["there is no block", {}, 1],
    ["the mapping says no", { retry: NOW, error_mapping: { "1": { code: -1 } } }, 1],
    ["the mapping says no in so many words", { retry: NOW, error_mapping: { "1": { code: -1, retryable: false } } }, 1],
    ["the mapping says yes", { retry: NOW, error_mapping: { "1": { code: -1, retryable: true } } }, 3],
    ["its effects say no", { retry: NOW, effects: { idempotent: false } }, 1],
    ["it destroys", { retry: NOW, effects: { destructive: true } }, 1],
    ["its effects say yes", { retry: NOW, effects: { idempotent: true } }, 3],
  ];
  for (const [when, more, runs] of never)
    it(`${runs === 1 ? "tries nothing again" : "tries again"} where ${when}`, async () => {
      await using scratch = open({ script: flaky(9), ...more });
      expect(codeOf(await call(scratch))).toBe("TOOL_FAILED");
      expect(runsIn(scratch)).toBe(runs);
    });

  it("tries again what took too long, and not what was cancelled", async () => {
    const slow = {
      script: `${flaky(1)}; [ "\${#n[@]}" -ge 2 ] || sleep 60`,
      retry: NOW,
      sandbox: { ...here, timeout: 100 },
    };
    const clock = handClock();
    await using scratch = open(slow);
    const late = scratch.again({ inner: { clock } }).call({ tool: "t", input: {} });
    await vi.waitFor(() => expect(runsIn(scratch)).toBe(1), { timeout: 120_000 });
    clock.move(100_000);
    const again = (): void => {
      clock.move(1); // what is due at once is due when time goes on
      expect(runsIn(scratch)).toBe(2);
    };
    await vi.waitFor(again, { timeout: 120_000 });
    expect(asKind(await late, "completed").attempts).toBe(2);
    await using other = open({ script: "echo x >> runs; sleep 60", retry: NOW });
    const stop = new AbortController();
    const cancelled = other.gate.call({ tool: "t", input: {} }, { signal: stop.signal });
    await vi.waitFor(() => expect(runsIn(other)).toBe(1), { timeout: 120_000 });
    stop.abort();
    expect(codeOf(await cancelled)).toBe("CANCELLED");
    expect(runsIn(other)).toBe(1);
  });

  it("counts for each of many calls by itself", async () => {
    const script = 'echo x >> "runs-$TASK_ID"; mapfile -t n < "runs-$TASK_ID"; [ "${#n[@]}" -ge 3 ]';
    await using scratch = open({ script, retry: { attempts: 3, ...NOW } });
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => call(scratch)));
    expect(outcomes.map((outcome) => asKind(outcome, "completed").attempts)).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it("is not gone on with when its process dies between two attempts", async () => {
    const retry = { attempts: 5, backoff: "fixed", initial_delay: 60, max_delay: 60 };
    await using scratch = openScriptGate(
      { t: { script: flaky(9), sandbox: here, retry }, u: { script: "echo" } },
      { rules: RULES },
    );
    scratch.put("runs", "");
    await using program = startProgram("makes-calls.ts", [
      join(scratch.folder, "toolgate.yaml"),
      join(scratch.folder, "n"),
    ]);
    program.tell(JSON.stringify({ use: { tool: "t", input: {} } }));
    await vi.waitFor(() => expect(runsIn(scratch)).toBeGreaterThan(0), { timeout: 120_000 });
    await program.kill();
    const ran = runsIn(scratch);
    const restarted = scratch.again();
    await restarted.begin();
    expect(codeOf(await restarted.call({ tool: "u", input: {} }))).toBe("completed");
    expect(scratch.rows().find(({ tool }) => tool === "t")?.state).toBe("unknown");
    expect(runsIn(scratch)).toBe(ran);
  });

  it("is judged anew each time: a rule that comes meanwhile holds", async () => {
    const clock = handClock();
    let current: "allow" | "deny" = "allow";
    await using scratch = open({ script: flaky(9), retry: { attempts: 5 } });
    const { rules } = scratch.config;
    const { rules: denying } = openDenied(scratch);
    const ran = Promise.withResolvers<void>();
    const gate = scratch.again({
      inner: {
        clock,
        probe: { reached: (stage) => void (stage === "ran" && ran.resolve()) },
        ruleBook: { current: () => (current === "allow" ? rules : denying) },
      },
    });
    const outcome = gate.call({ tool: "t", input: {} });
    await ran.promise; // from here on it only waits
    current = "deny";
    await vi.waitFor(
      () => {
        clock.move(60_000);
        return expect(scratch.rows().at(-1)?.state).toBe("failed");
      },
      { timeout: 120_000 },
    );
    expect(codeOf(await outcome)).toBe("TOOL_FAILED");
    expect(runsIn(scratch)).toBe(1);
  });

  it("waits no longer than it is wanted", async () => {
    const clock = handClock();
    await using scratch = open({ script: flaky(9), retry: { attempts: 5 } });
    const ran = Promise.withResolvers<void>();
    const gate = scratch.again({
      inner: { clock, probe: { reached: (stage) => void (stage === "ran" && ran.resolve()) } },
    });
    const stop = new AbortController();
    const outcome = gate.call({ tool: "t", input: {} }, { signal: stop.signal });
    await ran.promise;
    await vi.waitFor(() => expect(clock.waiting()).toBeGreaterThan(0), { timeout: 120_000 });
    stop.abort();
    expect(codeOf(await outcome)).toBe("CANCELLED");
  });
});

function openDenied(scratch: ScratchGate) {
  return {
    rules: Object.create(scratch.config.rules, {
      judge: { value: (touch: never) => ({ touch, effect: "deny", ruleId: "no", because: "no" }) },
    }) as typeof scratch.config.rules,
  };
}

needs("bwrap")("`circuit_breaker`", () => {
  const tool = {
    script: "[ -e good ] || { echo x >> runs; exit 1; }; echo y >> good-runs",
    circuit_breaker: { failure_threshold: 3, recovery_timeout: 60, monitoring_period: 30 },
  };
  const withGood = (scratch: ScratchGate): void => writeFileSync(join(scratch.workspace, "good"), "");

  it("opens after so many failures in its period, also for a new process, and lets one probe through", async () => {
    const clock = handClock();
    await using scratch = open(tool);
    const gate = scratch.again({ inner: { clock } });
    const next = async (other = gate) => codeOf(await other.call({ tool: "t", input: {} }));
    expect([await next(), await next()]).toEqual(["TOOL_FAILED", "TOOL_FAILED"]);
    clock.move(31_000); // those two are no longer of this period
    expect([await next(), await next(), await next()]).toEqual(["TOOL_FAILED", "TOOL_FAILED", "TOOL_FAILED"]);
    expect(await next()).toBe("CIRCUIT_OPEN");
    const refused = asKind(await gate.call({ tool: "t", input: {} }), "refused");
    expect(refused.refusal).toMatchObject({ stage: "execute", message: expect.stringContaining("60 s") });
    expect(runsIn(scratch)).toBe(5);

    await gate.close();
    const restarted = scratch.again({ inner: { clock } });
    expect(await next(restarted)).toBe("CIRCUIT_OPEN");
    clock.move(60_000);
    expect(await next(restarted)).toBe("TOOL_FAILED"); // the probe
    expect(await next(restarted)).toBe("CIRCUIT_OPEN");
    clock.move(60_000);
    withGood(scratch);
    expect([await next(restarted), await next(restarted)]).toEqual(["completed", "completed"]);
  });

  it("lets one of many calls through that come at once, in two gates", async () => {
    const clock = handClock();
    await using scratch = open(tool);
    const gates = [scratch.again({ inner: { clock } }), scratch.again({ inner: { clock } })] as const;
    for (let n = 0; n < 3; n++) await gates[0].call({ tool: "t", input: {} });
    clock.move(60_000);
    const outcomes = await Promise.all(
      [0, 1, 0, 1, 0, 1].map((at) => gates[at as 0 | 1].call({ tool: "t", input: {} })),
    );
    const codes = outcomes.map(codeOf).sort();
    expect(codes).toEqual([
      "CIRCUIT_OPEN",
      "CIRCUIT_OPEN",
      "CIRCUIT_OPEN",
      "CIRCUIT_OPEN",
      "CIRCUIT_OPEN",
      "TOOL_FAILED",
    ]);
  });

  it("lets a probe through although a call before it was answered from the cache", async () => {
    const clock = handClock();
    const script = "[ {{a}} = good ] || { echo x >> runs; exit 1; }";
    await using scratch = open({ ...tool, script, parameters: [param("a")], caching: { enabled: true, ttl: 300 } });
    const gate = scratch.again({ inner: { clock } });
    const next = async (a: string) => codeOf(await gate.call({ tool: "t", input: { a } }));
    expect(await next("good")).toBe("completed");
    for (let n = 0; n < 3; n++) expect(await next("bad")).toBe("TOOL_FAILED");
    clock.move(60_000);
    expect(await next("good")).toBe("completed"); // from the cache, which says nothing of how the tool is now
    expect(await next("bad")).toBe("TOOL_FAILED");
    expect(await next("bad")).toBe("CIRCUIT_OPEN");
  });

  it("does not count what was refused, and ends a repetition", async () => {
    await using scratch = open({ ...tool, parameters: [param("a")], retry: { attempts: 10, ...NOW } });
    for (let n = 0; n < 5; n++) expect(codeOf(await call(scratch, { b: 1 }))).toBe("INVALID_ARGUMENTS");
    expect(codeOf(await call(scratch))).toBe("TOOL_FAILED");
    expect(runsIn(scratch)).toBe(3);
    expect(codeOf(await call(scratch))).toBe("CIRCUIT_OPEN");
  });
});

needs("bwrap")("`caching`", () => {
  const tool = {
    script: `${flaky(1)}; echo {{a}} {{b|default('-')}}`,
    parameters: [param("a"), param("b")],
    caching: { enabled: true, ttl: 300, max_size: 2, key_template: "{{a}}" },
  };

  it("takes no two calls for one that only look alike when their values are joined", async () => {
    await using scratch = open({ ...tool, caching: { ...tool.caching, key_template: "{{a}}-{{b}}" } });
    const next = async (input: JsonObject) => asKind(await scratch.gate.call({ tool: "t", input }), "completed");
    expect((await next({ a: "1-2", b: "3" })).cached).toBe(false);
    expect((await next({ a: "1", b: "2-3" })).cached).toBe(false);
    expect((await next({ a: "1", b: "2-3" })).cached).toBe(true);
  });

  it("gives what an earlier call gave, judged and told like any other, until it is too old", async () => {
    const clock = handClock();
    await using scratch = open(tool);
    const gate = scratch.again({ inner: { clock } });
    const next = async (input: JsonObject, other = gate) => asKind(await other.call({ tool: "t", input }), "completed");
    const first = await next({ a: "1" });
    expect(first.cached).toBe(false);
    const second = await next({ a: "1", b: "ignored by the key" });
    expect(second).toMatchObject({ cached: true, content: first.content, exitCode: 0, attempts: 1 });
    expect(scratch.entries(second.callId).map(({ kind }) => kind)).toEqual([
      "tool.requested",
      "tool.decided",
      "tool.executed",
    ]);
    expect(scratch.entries(second.callId).at(-1)?.body["cached"]).toBe(true);
    expect((await next({ a: "2" })).cached).toBe(false);
    await gate.close();
    const restarted = scratch.again({ inner: { clock } });
    expect((await next({ a: "1" }, restarted)).cached).toBe(true);
    clock.move(300_000);
    expect((await next({ a: "1" }, restarted)).cached).toBe(false);
    expect(runsIn(scratch)).toBe(3);
  });

  it("keeps at most `max_size`", async () => {
    await using scratch = open(tool);
    for (const a of ["1", "2", "3"]) await call(scratch, { a });
    expect(asKind(await call(scratch, { a: "3" }), "completed").cached).toBe(true);
    expect(asKind(await call(scratch, { a: "1" }), "completed").cached).toBe(false);
  });

  it("is not shared with a session that has other rights, nor under other rules", async () => {
    await using scratch = open(tool);
    await call(scratch, { a: "1" });
    const session = (id: string, lease: Partial<typeof EVERYTHING>) => ({
      id,
      project: "default",
      lease: { ...EVERYTHING, ...lease },
    });
    const as = async (given: ReturnType<typeof session>, gate = scratch.gate) => {
      const outcome = await gate.call({ tool: "t", input: { a: "1" }, session: given });
      return outcome.kind === "completed" ? outcome.cached : codeOf(outcome);
    };
    expect(await as(session("same", { id: "another" }))).toBe(true);
    expect(await as(session("less", { read: ["./**"], write: ["./runs"] }))).not.toBe(true);
    expect(await as(session("none", { tools: [] }))).toBe("LEASE_SCOPE");
    const stricter = scratch.again({ rules: [...RULES, { id: "more", effect: "allow", tools: ["t"] }] });
    expect(await as(session("same", {}), stricter)).toBe(false);
    const denied = scratch.again({ rules: [...RULES, { id: "no", effect: "deny", tools: ["t"] }] });
    expect(await as(session("same", {}), denied)).toBe("RULE_DENY");
  });

  it("is its session's own, although another has the same rights: what a script prints may be who asked", async () => {
    await using scratch = open({ ...tool, script: `${flaky(1)}; echo "$SESSION_ID {{a}}"` });
    const ALL = "everything";
    const open_ = async () => {
      const lease = { tools: ALL, read: ALL, write: ALL, commands: ALL, hosts: ALL, models: ALL } as const;
      const opened = await scratch.gate.sessions.open(lease);
      if (opened.kind === "refused") throw new Error(opened.refusal.message);
      return opened.session;
    };
    const [one, other] = [await open_(), await open_()];
    const as = async (more: object) =>
      asKind(await scratch.gate.call({ tool: "t", input: { a: "1" }, ...more }), "completed");
    for (const session of [one, other]) {
      const [first, second] = [await as({ session }), await as({ session })];
      expect([first.cached, second.cached, printed(second.content)]).toEqual([
        false,
        true,
        expect.stringContaining(`${session.id} 1`),
      ]);
    }
    expect((await as({ actor: "ann" })).cached).toBe(false);
    expect((await as({ actor: "ann" })).cached).toBe(true);
    expect((await as({ actor: "bob" })).cached).toBe(false);
    await scratch.gate.sessions.renew(one.id, { write: ["./**"], read: ["./**"] });
    const outcome = await scratch.gate.call({ tool: "t", input: { a: "1" }, session: one });
    expect(outcome.kind === "completed" && outcome.cached).toBe(false);
  });

  it("does not keep what failed, what asks for it by nothing, or what somebody else put there", async () => {
    await using failing = open({ ...tool, script: `${flaky(9)}; echo {{a}}`, caching: { enabled: true } });
    await call(failing, { a: "1" });
    await call(failing, { a: "1" });
    expect(runsIn(failing)).toBe(2);
    await using off = open({ ...tool, caching: { enabled: false } });
    await call(off, { a: "1" });
    expect(asKind(await call(off, { a: "1" }), "completed").cached).toBe(false);
    expect(existsSync(join(off.stateDir, "notes"))).toBe(false);
  });

  it("serves many calls at once", async () => {
    // Of a script that shares no file: who writes what another was planned for is a conflict.
    const script = "echo {{a}} {{b|default('-')}}";
    await using scratch = open({ ...tool, script, caching: { enabled: true } });
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, n) => call(scratch, { a: String(n % 2) })));
    expect(new Set(outcomes.map(codeOf))).toEqual(new Set(["completed"]));
    for (const [n, outcome] of outcomes.entries())
      expect(printed(asKind(outcome, "completed").content)).toContain(`${n % 2} -`);
    // And two gates over the same notes, of which each knows what both have found out.
    const other = scratch.again();
    const both = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        (n % 2 === 0 ? scratch.gate : other).call({ tool: "t", input: { a: String(n % 3) } }),
      ),
    );
    for (const [n, outcome] of both.entries()) {
      const { content, cached } = asKind(outcome, "completed");
      expect(printed(content)).toContain(`${n % 3} -`);
      if (n % 3 < 2) expect(cached).toBe(true);
    }
    expect(asKind(await other.call({ tool: "t", input: { a: "2" } }), "completed").cached).toBe(true);
  });
});
