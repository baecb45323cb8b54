import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { choose, openAcpEditor } from "../../support/acp-pair.ts";
import { openRaw, PING, pinged, says, until } from "../../support/acp-raw.ts";
import { needs } from "../../support/parts.ts";
import { ALLOW_ALL } from "../../support/scratch-gate.ts";

needs("bwrap")("a hostile agent", () => {
  it("says what is no JSON, no message, or has two meanings, and the rest is heard", async () => {
    await using wire = await openRaw();
    wire.say(
      says(
        "hello there",
        "[]",
        '{"jsonrpc":"2.0"}',
        '{"jsonrpc":"2.0","id":5,"method":"_a","method":"fs/write_text_file"}',
        PING,
      ),
    );
    await until(() => pinged(wire));
    expect(wire.sent.filter((line) => line.includes("_a") || line.includes("hello"))).toEqual([]);
    await until(() => wire.notes().includes('"id":5'));
    expect(wire.notes()).toContain("-32700");
    expect(wire.alarms.length).toBeGreaterThan(3);
  });

  it("answers what nobody has asked, and twice", async () => {
    await using wire = await openRaw();
    const answer = (id: unknown) => ({ jsonrpc: "2.0", id, result: { forged: true } });
    wire.say(says(answer(1), answer(999), answer("n"), answer(null), PING));
    await until(() => pinged(wire));
    expect(wire.sent.join()).not.toContain("forged");
    expect(wire.alarms.filter((line) => line.includes("nobody has asked"))).toHaveLength(4);
  });

  it("asks twice under one id, and is answered once by what it asked first", async () => {
    await using wire = await openRaw({ rules: ALLOW_ALL });
    const path = wire.scratch.put("a.txt", "hello");
    const ask = (method: string) => ({ jsonrpc: "2.0", id: 7, method, params: { sessionId: "s", path } });
    wire.say(says(ask("_editor/asked"), ask("fs/read_text_file"), ask("_editor/asked")));
    await until(() => wire.notes().split("-32600").length === 3);
    expect(wire.sent.filter((line) => line.includes("_editor/asked"))).toHaveLength(1);
    expect(wire.scratch.entries().filter(({ kind }) => kind === "tool.requested")).toEqual([]);
  });

  it("asks in sessions that are not there, or with nothing that can be read", async () => {
    await using wire = await openRaw();
    const ask = (id: number, method: string, params: unknown) => ({ jsonrpc: "2.0", id, method, params });
    wire.say(
      says(
        ask(1, "fs/read_text_file", { sessionId: "other", path: "/a" }),
        ask(2, "session/request_permission", { sessionId: "s" }),
        ask(3, "session/request_permission", {
          sessionId: "s",
          toolCall: { toolCallId: "x", locations: "all" },
          options: "any",
        }),
        ask(4, "terminal/later", { sessionId: "s" }),
        ask(5, "fs/delete", [1]),
      ),
    );
    await until(() => wire.notes().split("heard").length === 6);
    expect(wire.notes()).toContain('"cancelled"');
    expect(wire.sent.filter((line) => /"(?:fs|terminal|session\/request)/.test(line))).toEqual([]);
  });

  it("floods with requests: some are done, the others are told that it is too much, and each has one answer", async () => {
    await using wire = await openRaw({ rules: ALLOW_ALL });
    const path = wire.scratch.put("a.txt", "hello");
    const line = { jsonrpc: "2.0", method: "fs/read_text_file", params: { sessionId: "s", path } };
    wire.say({ jsonrpc: "2.0", method: "_flood", params: { times: 2000, line } });
    await until(() => wire.notes().split("heard").length === 2001);
    const done = wire.notes().split('"content":"hello"').length - 1;
    expect(done).toBeGreaterThanOrEqual(256);
    expect(wire.notes().split("too many requests").length - 1 + done).toBe(2000);
  });

  it("says a line that nobody would keep, and is stopped; whoever waits is told", async () => {
    await using wire = await openRaw({ lineBytesMax: 1000 });
    wire.say({ jsonrpc: "2.0", id: "p", method: "_wait", params: {} });
    wire.say({ jsonrpc: "2.0", method: "_long", params: { bytes: 5000 } });
    expect(await wire.ended).toMatchObject({ kind: "agent" });
    expect(wire.sent.some((line) => line.includes('"id":"p"') && line.includes("the agent has ended"))).toBe(true);
  });

  it("ends in the middle: what was let happen is unknown, what was asked is cancelled, and the ledger knows of it", async () => {
    const rules = [...ALLOW_ALL, { id: "ask", effect: "ask" as const, touch: { delete: ["./**"] } }];
    await using wire = await openRaw({ rules });
    const path = wire.scratch.put("a.txt");
    const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
    const ask = (id: number, kind: string) => ({
      ...{ jsonrpc: "2.0", id, method: "session/request_permission" },
      params: { sessionId: "s", toolCall: { toolCallId: `t${id}`, kind, locations: [{ path }] }, options },
    });
    wire.say(says(ask(1, "read"), ask(2, "delete")));
    await until(
      () => wire.notes().includes('"optionId":"y"') && wire.sent.some((line) => line.includes("request_permission")),
    );
    wire.say({ jsonrpc: "2.0", method: "_die" });
    expect(await wire.ended).toEqual({ kind: "agent", exitCode: 7 });
    expect(
      wire.scratch
        .rows()
        .map(({ state }) => state)
        .toSorted(),
    ).toEqual(["cancelled", "unknown"]);
    const kinds = wire.scratch.entries().map(({ kind }) => kind);
    expect([
      kinds.filter((kind) => kind === "agent.started").length,
      kinds.filter((kind) => kind === "agent.ended").length,
    ]).toEqual([1, 1]);
  });
});

needs("bwrap")("a hostile editor", () => {
  it("says what is no JSON, or has two meanings, and is told so", async () => {
    await using wire = await openRaw();
    wire.say("hello");
    wire.say('{"jsonrpc":"2.0","id":1,"method":"_a","params":{"a":1,"a":2}}');
    wire.say({ jsonrpc: "2.0", id: { a: 1 }, method: "_b" });
    wire.say({ jsonrpc: "2.0", id: 2, result: {} });
    wire.say(says(PING));
    await until(() => pinged(wire));
    expect(wire.sent.some((line) => line.includes('"id":1') && line.includes("-32700"))).toBe(true);
    expect(wire.notes()).not.toContain("_a");
    expect(wire.alarms.some((line) => line.includes("nobody has asked"))).toBe(true);
  });

  it("asks twice under one id, and one of them goes on", async () => {
    await using wire = await openRaw();
    wire.say({ jsonrpc: "2.0", id: 3, method: "_first" });
    wire.say({ jsonrpc: "2.0", id: 3, method: "_second" });
    wire.say(says(PING));
    await until(() => pinged(wire));
    await until(() => wire.notes().includes("_first"));
    expect(wire.notes()).not.toContain("_second");
    expect(wire.sent.some((line) => line.includes('"id":3') && line.includes("-32600"))).toBe(true);
  });

  it("asks under the id of a setting that waits for an answer, and that is taken", async () => {
    await using wire = await openRaw();
    const set = { jsonrpc: "2.0", id: 4, method: "session/set_mode", params: { sessionId: "s", modeId: "yolo" } };
    wire.say(set);
    wire.say({ jsonrpc: "2.0", id: 4, method: "_other" });
    await until(() => wire.sent.some((line) => line.includes('"id":4')));
    expect(wire.sent.filter((line) => line.includes('"id":4')).join()).toContain("-32600");
    wire.say(says(PING));
    await until(() => pinged(wire));
    expect(wire.notes()).not.toContain("_other");
  });

  it("says a line that nobody would keep, and is heard again after it", async () => {
    await using wire = await openRaw({ lineBytesMax: 2000 });
    wire.say(`{"jsonrpc":"2.0","id":1,"method":"${"x".repeat(5000)}"}`);
    wire.say(says(PING));
    await until(() => pinged(wire));
    expect(wire.sent.some((line) => line.includes("too long"))).toBe(true);
  });

  it("takes a request back under its own id, which the agent hears under the one that it knows", async () => {
    await using wire = await openRaw();
    wire.say({ jsonrpc: "2.0", id: "mine", method: "_slow" });
    wire.say({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "mine" } });
    wire.say({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "other" } });
    await until(() => wire.notes().includes("cancel_request"));
    const id = /"id":(\d+),"method":"_slow"/.exec(wire.notes())?.[1];
    expect(wire.notes()).toContain(`"params":{"requestId":${id}}`);
    expect(wire.notes()).not.toContain('"other"');
  });

  it("keeps numbers and members as they were, whatever is between them", async () => {
    await using wire = await openRaw();
    wire.say('{ "params" : {"n":1.0,"big":1e2, "s":"\\u0041"}, "method":"_kept", "id" : "x" ,"jsonrpc":"2.0"}');
    await until(() => wire.notes().includes("_kept"));
    expect(wire.notes()).toMatch(
      /\{ "params" : \{"n":1\.0,"big":1e2, "s":"\\u0041"\}, "method":"_kept", "id" : \d+ ,"jsonrpc":"2\.0"\}/,
    );
  });

  it("leaves: the agent ends, with every call and process", async () => {
    await using editor = await openAcpEditor({
      rules: [...ALLOW_ALL, { id: "sleep", effect: "allow", touch: { exec: ["sleep **"] } }],
      config: { tools: { builtin: ["files", "shell"] } },
      answers: choose("allow"),
    });
    const { workspace } = editor.scratch;
    void editor
      .prompt({ ask: ["terminal/create", { command: "sleep 12345" }] }, { waits: "cancelled" })
      .catch(() => {});
    await until(() => editor.scratch.rows().some(({ state }) => state === "executing"));
    editor.toDoor.end();
    expect(await editor.ended).toEqual({ kind: "editor" });
    expect(editor.scratch.rows().map(({ state }) => state)).toEqual(["cancelled"]);
    const running = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
    expect(running.split("\n").filter((line) => line.includes("sleep 12345") || line.includes(workspace))).toEqual([]);
  });
});
