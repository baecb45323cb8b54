import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { metadata } from "../../atip/some-metadata.ts";
import { needs } from "../../support/parts.ts";
import { asKind, codeOf } from "../../support/scratch-gate.ts";
import { installed, openDescribedGate } from "./described-gate.ts";

const SAFE = { destructive: false, reversible: true, network: false, filesystem: { write: false, delete: false } };
const argument = (name: string, more: JsonObject = {}) => ({ name, type: "string", description: "d", ...more });
const option = (name: string, flag: string, more: JsonObject = {}) => ({ ...argument(name, more), flags: [flag] });

/** A program whose description has one command. */
const program = (name: string, command: JsonObject, more: JsonObject = {}): JsonObject =>
  metadata({
    name,
    commands: { "": { description: "Does what it does", effects: SAFE, ...command } },
    ...more,
  });

const TRUSTED = { entry: { trust: "vendor" } } as const;

needs("bwrap")("a described program", () => {
  it("runs, and its result has the seed's form", async () => {
    await using scratch = openDescribedGate(
      program("echo", { arguments: [argument("words", { variadic: true })] }),
      TRUSTED,
    );
    const outcome = asKind(
      await scratch.gate.call({ tool: "echo", input: { words: ["a  b", "$HOME", "*"] } }),
      "completed",
    );
    expect(outcome.content).toEqual([{ type: "text", text: "a  b $HOME *\n[Exit code: 0]" }]);
    expect(outcome).toMatchObject({ exitCode: 0, containment: "sandbox" });
  });

  it("tells errors first when it fails", async () => {
    await using scratch = openDescribedGate(
      program("cat", { arguments: [argument("files", { type: "file", variadic: true })] }),
      TRUSTED,
    );
    scratch.put("there.txt", "there\n");
    const outcome = asKind(
      await scratch.gate.call({ tool: "cat", input: { files: ["there.txt", "gone.txt"] } }),
      "failed",
    );
    expect(outcome.error).toMatchObject({ code: "TOOL_FAILED", exitCode: 1 });
    expect(outcome.content).toEqual([
      { type: "text", text: "/usr/bin/cat: gone.txt: No such file or directory\nthere\n[Exit code: 1]" },
    ]);
  });

  it("keeps what it printed before its time was over", async () => {
    const tail = program("tail", {
      arguments: [argument("file", { type: "file" })],
      options: [option("follow", "-f", { type: "boolean" })],
      effects: { ...SAFE, duration: { timeout: "1s" } },
    });
    // Its time is over when it has printed something, however long that takes here.
    const over: (() => void)[] = [];
    const clock: Clock = {
      ...systemClock,
      after: (delayMs, task) => {
        if (delayMs !== 1000) return systemClock.after(delayMs, task);
        over.push(task);
        return () => {};
      },
    };
    await using scratch = openDescribedGate(tail, { ...TRUSTED, inner: { clock } });
    scratch.put("log.txt", "last line\n");
    const input = { file: "log.txt", follow: true };
    const onProgress = () => {
      for (const task of over) task();
    };
    const outcome = asKind(await scratch.gate.call({ tool: "tail", input }, { onProgress }), "failed");
    expect(outcome.error.code).toBe("TIMEOUT");
    expect(outcome.content).toEqual([{ type: "text", text: "last line\n[TIMEOUT after 1s]" }]);
  });

  it("keeps the beginning of what is too long", async () => {
    await using scratch = openDescribedGate(
      program("seq", { arguments: [argument("last", { type: "integer" })] }),
      TRUSTED,
    );
    const outcome = asKind(await scratch.gate.call({ tool: "seq", input: { last: "300000" } }), "completed");
    const [first] = outcome.content;
    const text = first?.type === "text" ? first.text : "";
    expect(text.startsWith("1\n2\n3\n")).toBe(true);
    expect(text.endsWith("\n[TRUNCATED - output exceeded 1MB]\n[Exit code: 0]")).toBe(true);
    expect(outcome.structured).toMatchObject({ stdout: { cut: true } });
  });

  it("says that it left parameters out which the command does not have", async () => {
    await using scratch = openDescribedGate(program("echo", { arguments: [argument("word")] }), TRUSTED);
    const outcome = asKind(
      await scratch.gate.call({ tool: "echo", input: { word: "a", evil: "--x", "b\n": 1 } }),
      "completed",
    );
    expect(outcome.content).toEqual([
      { type: "text", text: "a\n[Exit code: 0]" },
      { type: "text", text: '[Ignored: "evil", "b\\n" - the command has no such parameters]' },
    ]);
  });

  it("gets the variables that the operator names, and nobody else sees their values", async () => {
    const secret = "tok-8f2b6c1d9e3a7054";
    const env = program("printenv", { arguments: [argument("name")] });
    await using scratch = openDescribedGate(env, {
      entry: { trust: "vendor", env: ["CAT_TOKEN"] },
      variables: { CAT_TOKEN: secret, OTHER: "x" },
    });
    const { plan } = await scratch.gate.explain({ tool: "printenv", input: { name: "CAT_TOKEN" } });
    expect(plan?.sandbox?.secrets).toEqual(["CAT_TOKEN"]);
    const outcome = asKind(await scratch.gate.call({ tool: "printenv", input: { name: "CAT_TOKEN" } }), "completed");
    expect(outcome.content).toEqual([{ type: "text", text: "[REDACTED:CAT_TOKEN]\n[Exit code: 0]" }]);
    expect(codeOf(await scratch.gate.call({ tool: "printenv", input: { name: "OTHER" } }))).toBe("TOOL_FAILED");
    expect(JSON.stringify(scratch.entries())).not.toContain(secret);
  });

  it("is not run when it is another one than the operator has pinned", async () => {
    const sha256 = createHash("sha256")
      .update(readFileSync(realpathSync("/usr/bin/echo")))
      .digest("hex");
    const echo = program("echo", { arguments: [argument("word")] });
    await using same = openDescribedGate(echo, { entry: { trust: "vendor", sha256: sha256.toUpperCase() } });
    expect(codeOf(await same.gate.call({ tool: "echo", input: { word: "a" } }))).toBe("completed");
    await using other = openDescribedGate(echo, { entry: { trust: "vendor", sha256: "0".repeat(64) } });
    const { refusal } = asKind(await other.gate.call({ tool: "echo", input: { word: "a" } }), "refused");
    expect(refusal).toMatchObject({ code: "TOOL_CHANGED", stage: "plan" });
    // What the file itself says is enough to distrust it.
    await using claimed = openDescribedGate({ ...echo, binary: { hash: `sha256:${"0".repeat(64)}` } }, TRUSTED);
    expect(codeOf(await claimed.gate.call({ tool: "echo", input: { word: "a" } }))).toBe("TOOL_CHANGED");
  });
});

describe("the plan of a described program", () => {
  const fetcher = program("fetcher", {
    arguments: [argument("address", { type: "url", required: false })],
    options: [option("from", "--from", { type: "file" }), option("count", "--count", { type: "integer" })],
  });
  const open = (entry: object = TRUSTED.entry) =>
    openDescribedGate(fetcher, { entry, inner: { programs: installed("fetcher") } });

  it("names the host of an address and a file outside of the workspace", async () => {
    await using scratch = open();
    const { touches, decision } = await scratch.gate.explain({
      tool: "fetcher",
      input: { address: "https://API.example.com./x", from: "/etc/hostname" },
    });
    expect(touches.map(({ kind }) => kind)).toEqual(["exec", "read", "connect"]);
    expect(touches[2]).toMatchObject({ host: "api.example.com", port: 443, decision: "deny" });
    expect(decision).toBe("deny");
    const inside = await scratch.gate.explain({ tool: "fetcher", input: { from: "notes.md" } });
    expect(inside.touches.map(({ kind }) => kind)).toEqual(["exec"]);
    expect(inside.decision).toBe("allow");
  });

  it("takes an address that leads to no host for unknown", async () => {
    await using scratch = open();
    const { touches } = await scratch.gate.explain({ tool: "fetcher", input: { address: "data:text/plain,x" } });
    expect(touches.map(({ kind }) => kind)).toEqual(["exec", "unknown"]);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ["another type", { count: "12abc" }, ["count type"]],
    ["a number in words", { count: "12" }, []],
    ["null for what is optional", { count: null, from: null }, []],
    ["an option where a value belongs", { address: "-o" }, ["address format", "address option_injection"]],
    ["a parameter that is not there", { other: 1 }, []],
  ])("arguments: %s", async (_, input, expected) => {
    await using scratch = open();
    const { errors = [] } = await scratch.gate.explain({ tool: "fetcher", input });
    expect(errors.map(({ field, rule }) => `${field} ${rule}`)).toEqual(expected);
  });

  it("is refused where the program is not installed", async () => {
    await using scratch = openDescribedGate(fetcher, { ...TRUSTED, inner: { programs: installed() } });
    expect(codeOf(await scratch.gate.call({ tool: "fetcher", input: {} }))).toBe("FILE_NOT_FOUND");
  });

  it("is judged by rules of the gate's own, which no rule of the operator's beats", async () => {
    await using scratch = open({});
    const { decision, ruleId, reasons } = await scratch.gate.explain({ tool: "fetcher", input: {} });
    expect({ decision, ruleId }).toEqual({ decision: "ask", ruleId: "builtin:atip:fetcher:low-trust" });
    expect(reasons.join()).toContain("`user`");
  });

  const { network: _, ...UNSAID } = SAFE;
  const CHEAP = { ...SAFE, cost: { estimate: "free", billable: false } };

  it.each<[string, JsonObject, JsonObject, readonly [string, string]]>([
    ["nothing against it", CHEAP, { maxCostEstimate: "free" }, ["allow", "run"]],
    ["the network", { ...SAFE, network: true }, { allowNetwork: false }, ["deny", "network"]],
    ["what may use the network", UNSAID, { allowNetwork: false }, ["deny", "network"]],
    ["writing", { ...SAFE, filesystem: {} }, { allowFilesystemWrite: false }, ["deny", "filesystem-write"]],
    ["trust", SAFE, { minTrustLevel: "vendor" }, ["deny", "trust"]],
    ["costs", { ...SAFE, cost: { estimate: "medium" } }, { maxCostEstimate: "low" }, ["ask", "cost-high"]],
    ["no way back", { ...SAFE, reversible: false }, { allowNonReversible: false }, ["ask", "non-reversible"]],
    [
      "what destroys, though it is allowed",
      { ...SAFE, destructive: true },
      { allowDestructive: true },
      ["ask", "destructive"],
    ],
  ])("a policy of the config makes it stricter: %s", async (_, effects, policy, [decided, reason]) => {
    await using scratch = openDescribedGate(program("fetcher", { effects }), {
      entry: { trust: "org", policy: { allowDestructive: true, ...policy } },
      inner: { programs: installed("fetcher") },
    });
    const { decision, ruleId } = await scratch.gate.explain({ tool: "fetcher", input: {} });
    expect([decision, ruleId?.split(":").at(-1)]).toEqual([decided, reason]);
  });

  it("is judged by conditions of the operator's, over what it says and what is believed of it", async () => {
    const rules = [
      { id: "run", effect: "allow", tools: ["fetcher"] },
      { id: "costly", effect: "deny", when: 'effects.cost.estimate == "high" || effects.cost.billable' },
    ] as const;
    const open = (trust: string, cost: JsonObject) =>
      openDescribedGate(program("fetcher", { effects: { ...SAFE, cost } }), {
        entry: { trust },
        rules,
        inner: { programs: installed("fetcher") },
      });
    await using cheap = open("vendor", { estimate: "low", billable: false });
    expect((await cheap.gate.explain({ tool: "fetcher", input: {} })).decision).toBe("allow");
    await using dear = open("vendor", { estimate: "high", billable: false });
    expect((await dear.gate.explain({ tool: "fetcher", input: {} })).ruleId).toBe("costly");
    // That it is cheap is not believed of everybody.
    await using said = open("community", { estimate: "low", billable: false });
    expect((await said.gate.explain({ tool: "fetcher", input: {} })).ruleId).toBe("costly");
  });

  it("is not even asked about where no rule lets it run", async () => {
    await using scratch = openDescribedGate(fetcher, { rules: [], inner: { programs: installed("fetcher") } });
    const { decision, code, ruleId } = await scratch.gate.explain({ tool: "fetcher", input: {} });
    expect({ decision, code, ruleId }).toEqual({ decision: "deny", code: "DEFAULT_DENY", ruleId: null });
  });

  it.each<[string, JsonObject]>([
    ["something to be typed", { stdin: "required" }],
    ["a password", { stdin: "password" }],
    ["questions", { prompts: true }],
    ["a terminal", { tty: true }],
  ])("needs nobody: %s", async (_, interactive) => {
    const waiting = program("waiting", { effects: { ...SAFE, interactive } });
    await using scratch = openDescribedGate(waiting, { ...TRUSTED, inner: { programs: installed("waiting") } });
    expect(codeOf(await scratch.gate.call({ tool: "waiting", input: {} }))).toBe("INTERACTIVE_BLOCKED");
  });
});
