import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import type { Reread } from "../../src/wiring/live-rules.ts";
import { metadata } from "../atip/some-metadata.ts";
import { handClock } from "../support/hand-clock.ts";
import { needs } from "../support/parts.ts";
import { asKind, codeOf, type ScratchGate } from "../support/scratch-gate.ts";
import { openDescribedGate } from "../tools/atip/described-gate.ts";
import { openScriptGate, printed } from "../tools/script/script-gate.ts";

function openLive(scratch: ScratchGate, variables = {}) {
  const clock = handClock();
  const path = join(scratch.folder, "toolgate.yaml");
  const alarms: string[] = [];
  const reread = (): Reread => {
    const loaded = loadConfig({ path, variables });
    return loaded.ok ? { kind: "ready", config: loaded.config } : { kind: "invalid", problems: loaded.problems };
  };
  const gate = buildGate({ config: scratch.config, reread, alarm: (message) => alarms.push(message) }, { clock });
  return {
    gate,
    alarms,
    put: (tools: object) => writeFileSync(join(scratch.folder, "tools.yaml"), JSON.stringify({ tools })),
    /** What the config says of described programs. */
    describe: (entry: object) => {
      const config = JSON.parse(readFileSync(path, "utf8"));
      writeFileSync(path, JSON.stringify({ ...config, tools: { builtin: [], atip: [entry] } }));
    },
    look: () => clock.move(1000),
  };
}

const says = (text: string) => ({ script: `echo ${text}` });

needs("bwrap")("script tools follow their files", () => {
  it("all of a file or none of it, and the ledger is told", async () => {
    await using scratch = openScriptGate({ a: says("one") });
    const live = openLive(scratch);
    const said = async () => printed(asKind(await live.gate.call({ tool: "a", input: {} }), "completed").content);
    expect(await said()).toBe("one\n");
    expect(live.gate.tools("anthropic").map(({ name }) => name)).toEqual(["a"]);
    let offered = 0;
    live.gate.upstreams.onToolsChanged(() => offered++);
    live.put({ a: says("two"), b: says("more") });
    expect(await said()).toBe("one\n"); // nobody has looked yet
    live.look();
    await expect.poll(said).toBe("two\n");
    expect(offered).toBeGreaterThan(0);
    expect(live.gate.tools("anthropic").map(({ name }) => name)).toEqual(["a", "b"]);
    expect(live.gate.tools().map(({ name }) => name)).toEqual(["a", "b"]);

    live.put({ a: says("three"), b: { script: "eval {{x}}", parameters: [{ name: "x" }] } });
    live.look();
    await expect.poll(() => live.alarms.length).toBe(1);
    expect(live.alarms[0]).toMatch(/tools\.yaml:1: the slot `\{\{x\}\}` can't stand here/);
    expect(await said()).toBe("two\n");

    live.put({
      a: says("four"),
      b: { ...says("more"), sandbox: { environment_variables: { API_KEY: "a-new-secret" } } },
    });
    live.look();
    await expect.poll(() => live.alarms.length).toBe(2);
    expect(live.alarms[1]).toContain("new secret");
    expect(await said()).toBe("two\n");

    live.put({ b: says("more") });
    live.look();
    await expect.poll(async () => codeOf(await live.gate.call({ tool: "a", input: {} }))).toBe("TOOL_UNKNOWN");
    await live.gate.close();
    const told = scratch.entries().filter(({ kind }) => kind.startsWith("policy."));
    expect(told.map(({ kind }) => kind)).toEqual([
      "policy.loaded",
      "policy.loaded",
      "policy.refused",
      "policy.refused",
      "policy.loaded",
    ]);
    expect(new Set(told.filter(({ kind }) => kind === "policy.loaded").map(({ body }) => body["toolsHash"])).size).toBe(
      3,
    );
  });

  it("a call that waits for an answer is asked about anew when its tool changed", async () => {
    await using scratch = openScriptGate({ a: { ...says("one"), sandbox: { requires_confirmation: true } } });
    const live = openLive(scratch);
    const pending = asKind(await live.gate.call({ tool: "a", input: {} }, { whenAsked: "return" }), "pending");
    live.put({ a: { ...says("two"), sandbox: { requires_confirmation: true } }, b: says("more") });
    live.look();
    await expect.poll(() => live.gate.tools().length).toBe(2);
    await live.gate.approvals.answer(pending.approval.id, { kind: "approve", who: "ann" });
    const question = await live.gate.approvals.find(pending.approval.id);
    const outcome = question && (await live.gate.approvals.carryOn(question));
    expect(outcome && codeOf(outcome)).toBe("APPROVAL_STALE");
    await live.gate.close();
  });
});

const HARMLESS = { destructive: false, reversible: true, network: false, filesystem: { write: false, delete: false } };

const echo = (word: string, effects: object = HARMLESS) => {
  const commands = { [word]: { description: "Prints its own name", effects }, twice: { description: "More of it" } };
  return JSON.stringify(metadata({ name: "echo", commands } as JsonObject));
};

needs("bwrap")("described programs follow their files", () => {
  it("with the rules that are made of them, and what the config says of them", async () => {
    await using scratch = openDescribedGate(JSON.parse(echo("one")), { entry: { trust: "vendor" } });
    const live = openLive(scratch, { KEY: "a-secret-of-the-operator" });
    const file = String(scratch.config.atip[0]?.file);
    const said = async (tool: string) => {
      const outcome = await live.gate.call({ tool, input: {} }, { whenAsked: "return" });
      return outcome.kind === "completed" ? printed(outcome.content) : codeOf(outcome);
    };
    expect(await said("echo_one")).toBe("one\n[Exit code: 0]");
    expect(live.gate.tools("anthropic").map(({ name }) => name)).toContain("echo_one");

    writeFileSync(file, echo("two"));
    expect(await said("echo_one")).toBe("one\n[Exit code: 0]"); // nobody has looked yet
    live.look();
    await expect.poll(() => said("echo_two")).toBe("two\n[Exit code: 0]");
    const call = { type: "tool_use", id: "1", name: "echo_two", input: {} };
    const [message] = await live.gate.answer("anthropic", { role: "assistant", content: [call] });
    expect(JSON.stringify(message)).toContain("two");
    expect(await said("echo_one")).toBe("TOOL_UNKNOWN");

    writeFileSync(file, echo("two", { ...HARMLESS, destructive: true }));
    live.look();
    await expect.poll(() => said("echo_two")).toBe("pending");

    writeFileSync(file, "{");
    live.look();
    await expect.poll(() => live.alarms.length).toBe(1);
    expect(await said("echo_two")).toBe("pending");

    writeFileSync(file, echo("two"));
    live.describe({ file, trust: "community" });
    live.look();
    await expect
      .poll(async () => (await live.gate.explain({ tool: "echo_two", input: {} })).ruleId)
      .toBe("builtin:atip:echo:low-trust");

    live.describe({ file, trust: "vendor", env: ["KEY"] });
    live.look();
    await expect.poll(() => live.alarms.length).toBe(2);
    expect(live.alarms[1]).toContain("new secret");
    expect(await said("echo_two")).toBe("pending");
    await live.gate.close();
    const told = scratch.entries().filter(({ kind }) => kind === "policy.loaded");
    expect(told).toHaveLength(4);
    expect(new Set(told.map(({ body }) => body["toolsHash"])).size).toBe(4);
  });

  it("a question about a command is void once its description has changed", async () => {
    await using scratch = openDescribedGate(JSON.parse(echo("one", { ...HARMLESS, destructive: true })), {
      entry: { trust: "vendor" },
    });
    const live = openLive(scratch);
    const pending = asKind(await live.gate.call({ tool: "echo_one", input: {} }, { whenAsked: "return" }), "pending");
    writeFileSync(
      String(scratch.config.atip[0]?.file),
      echo("one", { ...HARMLESS, destructive: true, idempotent: true }),
    );
    live.look();
    await expect.poll(() => live.gate.tools().find(({ name }) => name === "echo_one")?.effects?.idempotent).toBe(true);
    await live.gate.approvals.answer(pending.approval.id, { kind: "approve", who: "ann" });
    const question = await live.gate.approvals.find(pending.approval.id);
    const outcome = question && (await live.gate.approvals.carryOn(question));
    expect(outcome && codeOf(outcome)).toBe("APPROVAL_STALE");
    await live.gate.close();
  });
});
