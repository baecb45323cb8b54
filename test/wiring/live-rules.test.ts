import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import type { Journal } from "../../src/ports/journal.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import { LiveRules, type Reread } from "../../src/wiring/live-rules.ts";
import { type HandClock, handClock } from "../support/hand-clock.ts";
import { NO_FAULTS } from "../support/redaction.ts";
import { codeOf, openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";

const allow = (id: string, path: string): RuleSource => ({ id, effect: "allow", touch: { write: [path] } });

/** A gate whose rules follow its file, with a clock in the test's hand. */
function openLive(scratch: ScratchGate, clock: HandClock = handClock(), onRead: () => void = () => {}) {
  const path = join(scratch.folder, "toolgate.yaml");
  const alarms: string[] = [];
  const reread = (): Reread => {
    const loaded = loadConfig({ path });
    onRead();
    return loaded.ok ? { kind: "ready", config: loaded.config } : { kind: "invalid", problems: loaded.problems };
  };
  const gate = buildGate({ config: scratch.config, reread, alarm: (message) => alarms.push(message) }, { clock });
  return {
    gate,
    alarms,
    put: (rules: readonly RuleSource[] | string) =>
      writeFileSync(
        path,
        typeof rules === "string" ? rules : JSON.stringify({ workspace: "ws", state: "state", rules }),
      ),
    write: async (name: string) => codeOf(await gate.call({ tool: "write_file", input: { path: name, content: "x" } })),
    /** Moves the clock to the next look, and waits until it has been told to the ledger. */
    look: async () => {
      clock.move(1000);
      await gate.call({ tool: "read_file", input: { path: "absent" } });
    },
  };
}

const policies = (scratch: ScratchGate) =>
  scratch
    .entries()
    .filter(({ kind }) => kind.startsWith("policy."))
    .map(({ kind, callId, body }) => [kind, callId, body["rulesHash"], body["message"] ?? null]);

describe("rules follow their file", () => {
  it("a set that loads takes the place of the last one, and the ledger hears of each before it judges", async () => {
    await using scratch = openScratchGate({ rules: [allow("a", "./a")] });
    const live = openLive(scratch);
    expect([await live.write("a"), await live.write("b")]).toEqual(["completed", "DEFAULT_DENY"]);
    live.put([allow("b", "./b")]);
    expect(await live.write("a")).toBe("completed"); // nobody has looked yet
    await live.look();
    await expect.poll(() => live.write("b")).toBe("completed");
    expect(await live.write("a")).toBe("DEFAULT_DENY");
    await live.gate.close();
    expect(live.alarms).toEqual([]);
    const told = policies(scratch);
    expect(told.map(([kind, callId]) => [kind, callId])).toEqual([
      ["policy.loaded", null],
      ["policy.loaded", null],
    ]);
    const decided = scratch.entries().filter(({ body }) => body["rulesHash"] !== undefined && body["decision"]);
    for (const { seq, body } of decided) {
      const before = scratch.entries().filter((entry) => entry.seq < seq && entry.kind === "policy.loaded");
      expect(before.at(-1)?.body["rulesHash"]).toBe(body["rulesHash"]);
    }
  });

  it("what is saved in the moment in which another set is read is read at the next look", async () => {
    await using scratch = openScratchGate({ rules: [allow("a", "./a")] });
    let reads = 0;
    // Saved behind the reading and before it has come into force: whoever took the stamp then would never see it.
    const onRead = () => {
      if (++reads === 1) live.put([allow("c", "./c")]);
    };
    const live = openLive(scratch, handClock(), onRead);
    expect(await live.write("a")).toBe("completed");
    live.put([allow("b", "./b")]);
    await live.look();
    await expect.poll(() => live.write("b")).toBe("completed");
    expect([reads, await live.write("c")]).toEqual([1, "DEFAULT_DENY"]);
    await live.look();
    await expect.poll(() => live.write("c")).toBe("completed");
    expect([reads, await live.write("b")]).toEqual([2, "DEFAULT_DENY"]);
    await live.gate.close();
  });

  it("what was read last is in force, however long it took to tell of what was read before", async () => {
    await using scratch = openScratchGate({ rules: [allow("a", "./a")] });
    const path = join(scratch.folder, "toolgate.yaml");
    const rulesNow = (rules: readonly RuleSource[]): Reread => {
      writeFileSync(path, JSON.stringify({ workspace: "ws", state: "state", rules }));
      const loaded = loadConfig({ path });
      return loaded.ok ? { kind: "ready", config: loaded.config } : { kind: "invalid", problems: loaded.problems };
    };
    const told = Promise.withResolvers<void>();
    const journal = { note: () => told.promise.then(() => ({ kind: "noted" })) } as unknown as Journal;
    const reads = [allow("b", "./b"), allow("a", "./a")];
    const live = new LiveRules({
      ...{ config: scratch.config, clock: handClock(), journal, faults: NO_FAULTS, alarm: () => {} },
      reread: () => rulesNow(reads.splice(0, 1)),
      signature: { project: "p", sessionId: "s", actor: "a" },
    });
    const reloads = [live.reload(), live.reload()];
    told.resolve();
    await Promise.all(reloads);
    expect(live.current().sources.map(({ id }) => id)).toContain("a");
    expect(live.current().sources.map(({ id }) => id)).not.toContain("b");
  });

  it("what was changed and not accepted comes into force once it is, although no file changes then", async () => {
    await using scratch = openScratchGate({ rules: [allow("a", "./a")] });
    const clock = handClock();
    const path = join(scratch.folder, "toolgate.yaml");
    let isAccepted = false;
    const reread = (): Reread => {
      const loaded = loadConfig({ path });
      if (!loaded.ok) return { kind: "invalid", problems: loaded.problems };
      return isAccepted ? { kind: "ready", config: loaded.config } : { kind: "untrusted", path };
    };
    const alarms: string[] = [];
    const gate = buildGate({ config: scratch.config, reread, alarm: (message) => alarms.push(message) }, { clock });
    const write = async (name: string) =>
      codeOf(await gate.call({ tool: "write_file", input: { path: name, content: "x" } }));
    expect(await write("b")).toBe("DEFAULT_DENY");
    writeFileSync(path, JSON.stringify({ workspace: "ws", state: "state", rules: [allow("b", "./b")] }));
    clock.move(1000);
    await expect.poll(() => alarms.length).toBe(1);
    expect(await write("b")).toBe("DEFAULT_DENY");
    isAccepted = true;
    await expect
      .poll(() => {
        clock.move(1000);
        return write("b");
      })
      .toBe("completed");
    expect(alarms).toHaveLength(1);
    await gate.close();
  });

  it("descriptions of programs come and go with their rules", async () => {
    await using scratch = openScratchGate({ rules: [allow("a", "./a")] });
    const live = openLive(scratch);
    expect(await live.write("a")).toBe("completed");
    const described = { atip: "0.6", name: "true", version: "1", description: "Does nothing at all" };
    writeFileSync(join(scratch.folder, "true.json"), JSON.stringify(described));
    const rules = [allow("a", "./a"), { id: "run", effect: "allow", tools: ["true"] }];
    live.put(JSON.stringify({ workspace: "ws", state: "state", rules, tools: { atip: ["true.json"] } }));
    await live.look();
    const explained = async () => (await live.gate.explain({ tool: "true", input: {} })).ruleId;
    await expect.poll(explained).toBe("builtin:atip:true:unsafe");
    live.put([allow("a", "./a")]);
    await live.look();
    await expect.poll(explained).toBe(null);
    expect(live.gate.tools().some(({ name }) => name === "true")).toBe(false);
    expect(live.alarms).toEqual([]);
    await live.gate.close();
  });

  it.each<[string, string, string]>([
    ["is no YAML", "rules: [", "toolgate.yaml:1"],
    ["has a mistake", "workspace: ws\nrulez: []\n", "rulez"],
    ["has many", `rules: [${Array(9).fill("{}").join(",")}]`, "more"],
  ])("one that %s changes nothing, and raises an alarm once", async (_, text, part) => {
    await using scratch = openScratchGate({ rules: [allow("a", "./a")] });
    const live = openLive(scratch);
    await live.write("a");
    live.put(text);
    await live.look();
    await expect.poll(() => live.alarms.length).toBe(1);
    await live.look();
    await live.look();
    expect(live.alarms).toHaveLength(1);
    expect(live.alarms[0]).toContain("the last good ones are");
    expect(live.alarms[0]).toContain(part);
    expect(await live.write("a")).toBe("completed");
    live.put([allow("c", "./c")]);
    await live.look();
    await expect.poll(() => live.write("c")).toBe("completed");
    await live.gate.close();
    expect(policies(scratch).map(([kind]) => kind)).toEqual(["policy.loaded", "policy.refused", "policy.loaded"]);
  });

  it("the same rules in the next process are not told again, others are", async () => {
    await using scratch = openScratchGate({ rules: [allow("a", "./a")] });
    for (const _ of [1, 2]) await scratch.again().call({ tool: "read_file", input: { path: "x" } });
    expect(policies(scratch)).toHaveLength(1);
    await scratch.again({ rules: [allow("b", "./b")] }).call({ tool: "read_file", input: { path: "x" } });
    expect(policies(scratch)).toHaveLength(2);
  });

  it("and nothing looks at it any more once the gate is closed", async () => {
    await using scratch = openScratchGate({ rules: [allow("a", "./a")] });
    const clock = handClock();
    const live = openLive(scratch, clock);
    await live.write("a");
    await live.gate.close();
    expect(clock.waiting()).toBe(0);
  });
});
