import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { needs } from "../../support/parts.ts";
import { asKind, codeOf } from "../../support/scratch-gate.ts";
import { openUpstreamGate } from "../../support/upstream-gate.ts";

const textOf = (outcome: unknown): string => JSON.stringify((outcome as { content?: unknown }).content);

needs("bwrap", "node")("an upstream server in the sandbox", () => {
  it("is started by its first call, and its tools go by rules", async () => {
    await using scratch = openUpstreamGate();
    const outcome = await scratch.gate.call({ tool: "up_echo", input: { text: "hello" } });
    expect(asKind(outcome, "completed")).toMatchObject({
      containment: "upstream",
      content: [{ type: "text", text: "hello" }],
    });
    const kinds = scratch.entries().map(({ kind }) => kind);
    // Its code before it is started, its tools once it has listed them.
    expect(kinds.indexOf("upstream.pinned")).toBeLessThan(kinds.indexOf("upstream.started"));
    expect(kinds.indexOf("upstream.started")).toBeLessThan(kinds.lastIndexOf("upstream.pinned"));
    expect(kinds.lastIndexOf("upstream.pinned")).toBeLessThan(kinds.indexOf("tool.executed"));
    const [touch] = (await scratch.gate.explain({ tool: "up_echo", input: { text: "x" } })).touches;
    expect(touch).toMatchObject({ kind: "tool", name: "up_echo", decision: "allow" });
  });

  it("offers nothing that a rule has not let through", async () => {
    await using scratch = openUpstreamGate({ rules: [] });
    await scratch.gate.upstreams.ready();
    expect(codeOf(await scratch.gate.call({ tool: "up_echo", input: { text: "x" } }))).toBe("DEFAULT_DENY");
  });

  it("checks arguments by the upstream's schema", async () => {
    await using scratch = openUpstreamGate();
    expect(codeOf(await scratch.gate.call({ tool: "up_echo", input: {} }))).toBe("INVALID_ARGUMENTS");
  });

  it("never copies hints that make a client ask less often", async () => {
    await using scratch = openUpstreamGate();
    await scratch.gate.upstreams.ready();
    const echo = scratch.gate.tools("mcp").find(({ name }) => name === "up_echo");
    expect(echo?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    });
  });

  it("is remembered: another gate knows its tools without starting it", async () => {
    await using scratch = openUpstreamGate();
    await scratch.gate.upstreams.ready();
    const again = scratch.again();
    expect(again.tools().map(({ name }) => name)).toContain("up_echo");
    await again.upstreams.ready();
    expect(scratch.entries().filter(({ kind }) => kind === "upstream.started")).toHaveLength(1);
  });

  it.each([
    ["up_fail", {}, "TOOL_FAILED", "it did not work"],
    ["up_refuse", {}, "TOOL_FAILED", "-32050"],
    ["up_sum", { text: "bad" }, "TOOL_FAILED", ""],
    ["up_crash", {}, "OUTCOME_UNKNOWN", ""],
    ["up_flood", {}, "BAD_RESPONSE", ""],
    ["up_echo", { text: "nested deep" }, "BAD_RESPONSE", "nested too deep"],
  ])("%s %j is %s", async (tool, input, code, words) => {
    await using scratch = openUpstreamGate();
    const outcome = await scratch.gate.call({ tool, input });
    expect(codeOf(outcome)).toBe(code);
    expect(JSON.stringify(outcome)).toContain(words);
    expect(JSON.stringify(outcome)).not.toContain("\\u001b");
  });

  it("that floods one call leaves the end of others unknown that were on their way", async () => {
    await using scratch = openUpstreamGate();
    await scratch.gate.upstreams.ready();
    const call = async (tool: string) => codeOf(await scratch.gate.call({ tool, input: {} }));
    const hanging = call("up_hang");
    await expect.poll(() => scratch.rows().at(-1)?.state).toBe("executing");
    expect(await call("up_flood")).toBe("OUTCOME_UNKNOWN");
    expect(await hanging).toBe("OUTCOME_UNKNOWN");
  });

  it("that says no at length is cut short, and half a character is written out", async () => {
    await using scratch = openUpstreamGate();
    const refused = asKind(await scratch.gate.call({ tool: "up_refuse", input: { text: "at length" } }), "failed");
    expect(refused.error.message.length).toBeLessThan(5000);
    expect(refused.error.message).toContain("characters more");
    expect(textOf(await scratch.gate.call({ tool: "up_echo", input: { text: "half" } }))).toContain("half \\\\u{d83d}");
  });

  it("that ends at any question before the handshake is started once more, and greeted by that alone", async () => {
    await using scratch = openUpstreamGate({ upstream: { env: { BEFORE_HANDSHAKE: "ends" }, connection: "session" } });
    const echo = async () => codeOf(await scratch.gate.call({ tool: "up_echo", input: { text: "hello" } }));
    expect(await echo()).toBe("completed");
    expect(await echo()).toBe("completed");
    const started = () => scratch.entries().filter(({ kind }) => kind === "upstream.started");
    const before = started().length;
    const session = scratch.gate.session();
    expect(codeOf(await scratch.gate.call({ tool: "up_echo", input: { text: "hello" }, session }))).toBe("completed");
    expect(started()).toHaveLength(before + 1);
  });

  it("starts again after a crash, and another's calls are not its own", async () => {
    await using scratch = openUpstreamGate();
    await scratch.gate.call({ tool: "up_crash", input: {} });
    await expect
      .poll(async () => codeOf(await scratch.gate.call({ tool: "up_echo", input: { text: "back" } })))
      .toBe("completed");
  });

  it.each([
    ["shared", "2"],
    ["session", "1"],
  ])("with a connection that is %s has its state for whom it is", async (connection, heardByOther) => {
    await using scratch = openUpstreamGate({ upstream: { connection } });
    const [one, other] = [scratch.gate.session(), scratch.gate.session()];
    const call = async (tool: string, session: typeof one): Promise<string> => {
      const outcome = asKind(await scratch.gate.call({ tool, input: {}, session }), "completed");
      return (outcome.content[0] as { text: string }).text;
    };
    // It counts how often it was listed; what it says of a change has it listed once more.
    await call("up_steps", one);
    await call("up_change", one);
    await expect.poll(() => call("up_asked", one)).toBe("2");
    expect(await call("up_asked", other)).toBe(heardByOther);
  });

  it("whose connection is a session's ends with that session, and not before", async () => {
    const looks: (() => void)[] = [];
    const after: Clock["after"] = (_, task) => {
      looks.push(task);
      return () => {};
    };
    const clock = { ...systemClock, after };
    await using scratch = openUpstreamGate({ upstream: { connection: "session" }, inner: { clock } });
    const { gate } = scratch;
    const called = async () => {
      const opened = await gate.sessions.open({ tools: "everything", expires: null });
      if (opened.kind !== "opened") throw new Error(opened.kind);
      const { session } = opened;
      expect(codeOf(await gate.call({ tool: "up_echo", input: { text: "a" }, session }))).toBe("completed");
      return session;
    };
    const connections = () => gate.upstreams.list()[0]?.health.connections;
    const look = () => {
      for (const task of looks.splice(0)) task();
    };
    const [one, other] = [await called(), await called()];
    look(); // and what was opened for the list goes
    expect(connections()).toBe(2);
    await gate.sessions.close(one.id);
    expect(connections()).toBe(2);
    look();
    expect(connections()).toBe(1);
    await gate.sessions.close(other.id);
    look();
    expect(connections()).toBe(0);
  });

  it("says that it has no room, where all connections are in use", async () => {
    await using scratch = openUpstreamGate({ upstream: { connection: "session", timeoutMs: 60_000 } });
    const { gate } = scratch;
    await gate.upstreams.ready();
    const stop = new AbortController();
    const most = LIMITS.upstreamConnections.default;
    const hanging = Array.from({ length: most }, () =>
      gate.call({ tool: "up_hang", input: {}, session: gate.session() }, { signal: stop.signal }),
    );
    const running = () =>
      scratch.rows().filter(({ state, tool }) => state === "executing" && tool === "up_hang").length;
    await expect.poll(running).toBe(most);
    const echo = () => gate.call({ tool: "up_echo", input: { text: "a" }, session: gate.session() });
    await expect.poll(async () => JSON.stringify(await echo())).toContain("are in use");
    expect(running()).toBe(most);
    stop.abort();
    await Promise.all(hanging);
    // One that nobody waits for any more may still be starting.
    await expect.poll(async () => codeOf(await echo())).toBe("completed");
  });

  it("that could not be listed again is started anew after a while", async () => {
    await using scratch = openUpstreamGate();
    const echo = async () => codeOf(await scratch.gate.call({ tool: "up_echo", input: { text: "back" } }));
    await scratch.gate.call({ tool: "up_sulk", input: {} });
    await expect.poll(echo).not.toBe("completed");
    await expect.poll(echo).toBe("completed");
  });

  it("makes control characters inert, and follows no link", async () => {
    await using scratch = openUpstreamGate();
    const ansi = await scratch.gate.call({ tool: "up_ansi", input: {} });
    expect(textOf(ansi)).not.toMatch(/\\u001b|\u202e/);
    expect(textOf(ansi)).toContain("hello");
    const link = asKind(await scratch.gate.call({ tool: "up_link", input: {} }), "completed");
    expect(link.content).toEqual([{ type: "resource", uri: "file:///etc/passwd" }]);
  });

  it("can ask for no model, no form and no roots, and its logs go nowhere", async () => {
    await using scratch = openUpstreamGate();
    const asked = asKind(await scratch.gate.call({ tool: "up_ask", input: {} }), "completed");
    const methods = ["sampling/createMessage", "elicitation/create", "roots/list"];
    expect(asked.content).toEqual([{ type: "text", text: methods.map((one) => `asked ${one}: -32601`).join("\n") }]);
    expect(JSON.stringify(scratch.entries())).not.toContain("nobody asked for");
  });

  it("is cancelled as unknown once the call was sent", async () => {
    await using scratch = openUpstreamGate();
    await scratch.gate.upstreams.ready();
    const stop = new AbortController();
    const stream = scratch.gate.call({ tool: "up_hang", input: {} }, { signal: stop.signal });
    await expect.poll(() => scratch.rows().at(-1)?.state).toBe("executing");
    stop.abort();
    expect(["OUTCOME_UNKNOWN", "CANCELLED"]).toContain(codeOf(await stream));
  });

  it("tells of progress, and has its own environment with its secrets", async () => {
    await using scratch = openUpstreamGate({
      upstream: { env: { KNOWN: { secret: "UP_KEY" } } },
      variables: { UP_KEY: "a-very-secret-value" },
    });
    const heard: string[] = [];
    const outcome = await scratch.gate.call(
      { tool: "up_steps", input: {} },
      { onProgress: ({ message }) => heard.push(message) },
    );
    expect(heard).toEqual(["step 1", "step 2", "step 3"]);
    expect(textOf(outcome)).toContain("knows [REDACTED:UP_KEY]");
    expect(JSON.stringify(scratch.entries())).not.toContain("a-very-secret-value");
  });

  it("has structured content and its schema", async () => {
    await using scratch = openUpstreamGate();
    const outcome = asKind(await scratch.gate.call({ tool: "up_sum", input: { text: "good" } }), "completed");
    expect(outcome.structured).toEqual({ sum: 3 });
    expect(scratch.gate.tools("mcp").find(({ name }) => name === "up_sum")?.outputSchema).toMatchObject({
      required: ["sum"],
    });
  });

  it("sees the workspace without what rules deny, writes nothing, unless it is granted", async () => {
    const rules = [
      { id: "any-tool", effect: "allow" as const, touch: { tool: ["*"] } },
      { id: "closed", effect: "deny" as const, touch: { read: ["./closed/**"] } },
    ];
    await using bare = openUpstreamGate({ rules });
    bare.put("closed/a.txt", "closed words");
    bare.put("open.txt", "open words");
    const look = (path: string) => bare.gate.call({ tool: "up_look", input: { path } });
    expect(textOf(await look("open.txt"))).toContain("open words");
    expect(textOf(await look("closed/a.txt"))).not.toContain("closed words");
    expect(textOf(await look(join(bare.stateDir, "toolgate.db")))).toMatch(/ENOENT|EACCES/);
    expect(codeOf(await bare.gate.call({ tool: "up_write", input: { path: "new.txt" } }))).toBe("TOOL_FAILED");

    await using granted = openUpstreamGate({ upstream: { grant: { write: ["./out/**"] } } });
    granted.put("out/.keep", "");
    const write = (path: string) => granted.gate.call({ tool: "up_write", input: { path } });
    expect(codeOf(await write("out/new.txt"))).toBe("completed");
    expect(granted.text("out/new.txt")).toBe("written by an upstream");
    expect(codeOf(await write("new.txt"))).toBe("TOOL_FAILED");
  });

  it("has touches that the operator maps from inputs", async () => {
    const touches = { write: { write: ["path"] }, "*": { read: ["items.path"] } };
    await using scratch = openUpstreamGate({
      upstream: { touches, grant: { write: ["./**"] } },
      rules: [
        { id: "any-tool", effect: "allow", touch: { tool: ["*"] } },
        { id: "out", effect: "allow", touch: { write: ["./out/**"] } },
      ],
    });
    scratch.put("out/.keep", "");
    const write = (path: unknown) => scratch.gate.call({ tool: "up_write", input: { path: path as string } });
    expect(codeOf(await write("out/a.txt"))).toBe("completed");
    expect(codeOf(await write("elsewhere.txt"))).toBe("DEFAULT_DENY");
    expect(codeOf(await write("out/../elsewhere.txt"))).toBe("DEFAULT_DENY");
  });

  it("is not started when the ledger can't be written", async () => {
    await using scratch = openUpstreamGate();
    writeFileSync(scratch.stateDir, "no folder");
    expect(codeOf(await scratch.gate.call({ tool: "up_echo", input: { text: "x" } }))).toBe("LEDGER_UNAVAILABLE");
    expect(readFileSync(scratch.stateDir, "utf8")).toBe("no folder");
    expect(scratch.gate.upstreams.list()[0]?.health).toMatchObject({ state: "failed" });
  });
});
