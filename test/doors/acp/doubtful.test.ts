import { rmSync, symlinkSync } from "node:fs";
import { expect, it } from "vitest";
import { asks, choose, openAcpEditor, updates } from "../../support/acp-pair.ts";
import { openRaw, PING, pinged, says, until } from "../../support/acp-raw.ts";
import { needs } from "../../support/parts.ts";
import { ALLOW_ALL } from "../../support/scratch-gate.ts";

needs("bwrap")("what is shown, what is asked and what is told", () => {
  it("is heard and handed on whole however long a text in it is", async () => {
    await using wire = await openRaw();
    const text = "x".repeat(12 * 1024 * 1024);
    wire.say({ params: { text }, jsonrpc: "2.0", id: "long", method: "_long/text" });
    wire.say(says(PING));
    await Promise.race([until(() => pinged(wire)), wire.ended]);
    expect(pinged(wire)).toBe(true);
    await until(() => wire.notes().includes("_long/text"));
  });

  it("ends with its editor, though the agent takes nothing of what it is told", async () => {
    await using wire = await openRaw();
    wire.say({ jsonrpc: "2.0", method: "_deaf" });
    for (let n = 0; n < 40; n += 1) wire.say({ jsonrpc: "2.0", method: "_x", params: { text: "x".repeat(100_000) } });
    wire.toDoor.end();
    expect(await wire.ended).toEqual({ kind: "editor" });
  });

  it("ends with an editor that reads nothing of what the agent goes on to say", async () => {
    await using wire = await openRaw();
    wire.fromDoor.pause();
    wire.say(says(...Array.from({ length: 2000 }, () => ({ ...PING, text: "x".repeat(500) }))));
    await until(() => wire.fromDoor.writableNeedDrain);
    wire.toDoor.end();
    expect(await wire.ended).toEqual({ kind: "editor" });
  });

  it.each(["told", "asked"])("stops an agent that takes nothing of what it is %s, once too much waits", async (how) => {
    await using wire = await openRaw({ lineBytesMax: 100_000 });
    wire.say({ jsonrpc: "2.0", method: "_deaf" });
    const id = (n: number) => (how === "asked" ? { id: n } : {});
    for (let n = 0; n < 60; n += 1)
      wire.say({ jsonrpc: "2.0", ...id(n), method: "_x", params: { text: "x".repeat(50_000) } });
    expect(await wire.ended).toMatchObject({ kind: "agent" });
    expect(wire.alarms).toContain("the agent takes nothing, and is stopped");
  });

  it("keeps a question as it was shown: what the agent says of the call meanwhile comes after the answer", async () => {
    const rules = [...ALLOW_ALL, { id: "ask", effect: "ask" as const, touch: { delete: ["./**"] } }];
    await using wire = await openRaw({ rules });
    const path = wire.scratch.put("a.txt");
    const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
    const toolCall = { toolCallId: "t1", kind: "delete", locations: [{ path }] };
    const ask = (id: number) => ({
      ...{ jsonrpc: "2.0", id, method: "session/request_permission" },
      params: { sessionId: "s", toolCall, options },
    });
    const harmless = {
      sessionUpdate: "tool_call_update",
      toolCallId: "t1",
      title: "only reads",
      content: [],
      locations: [],
    };
    wire.say(says(ask(1)));
    await until(() => wire.sent.some((line) => line.includes("request_permission")));
    wire.say(
      says({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: harmless } }, ask(2), PING),
    );
    await until(() => pinged(wire));
    expect(wire.sent.filter((line) => line.includes("only reads"))).toEqual([]);
    await until(() => wire.notes().includes('"id":2'));
    expect(wire.notes()).toContain("-32602");
    const asked = wire.sent.filter((line) => line.includes("request_permission"));
    expect(asked).toHaveLength(1);
    const { id } = JSON.parse(asked[0] ?? "") as { readonly id: number };
    wire.say({ jsonrpc: "2.0", id, result: { outcome: { outcome: "selected", optionId: "allow" } } });
    await until(() => wire.sent.some((line) => line.includes("only reads")));
    await until(() => wire.notes().includes('"optionId":"y"'));
  });

  it("is no end of a call what was said of an earlier one by the same name", async () => {
    await using editor = await openAcpEditor({ rules: ALLOW_ALL });
    const path = editor.scratch.put("a.txt");
    const ask = asks({ kind: "read", locations: [{ path }] });
    await editor.prompt(
      ask,
      updates({ status: "completed" }),
      ask,
      updates({ title: "goes on" }),
      updates({ status: "failed" }),
    );
    expect(editor.scratch.rows().map(({ state }) => state)).toEqual(["completed", "failed"]);
  });

  it("takes a yes only where it was among the answers", async () => {
    const rules = [{ id: "ask", effect: "ask" as const, otherwise: true as const, touch: { unknown: true as const } }];
    await using editor = await openAcpEditor({ rules, answers: choose("always") });
    await editor.prompt(asks({ kind: "other" }));
    expect(editor.asked[0]?.options).toHaveLength(2);
    expect(editor.scratch.rows()).toMatchObject([{ state: "rejected" }]);
  });

  it("has the editor read what was judged, and nothing that took its place while a question was open", async () => {
    const rules = [...ALLOW_ALL, { id: "ask", effect: "ask" as const, touch: { read: ["./a.txt"] } }];
    const swap = { now: () => {} };
    await using editor = await openAcpEditor({
      rules,
      fs: true,
      answers: () => {
        swap.now();
        return { outcome: { outcome: "selected", optionId: "allow" } };
      },
    });
    const path = editor.scratch.put("a.txt");
    swap.now = () => {
      rmSync(path);
      symlinkSync("/etc/hostname", path);
    };
    editor.buffers.set(path, "outside");
    const came = await editor.prompt({ ask: ["fs/read_text_file", { path }] });
    expect(came).toMatchObject([{ error: { message: expect.stringContaining("etc/hostname") } }]);
    expect(editor.scratch.rows()).toMatchObject([{ state: "refused" }]);
  });

  it("is told that an `initialize` without a version is none, and is heard after it", async () => {
    await using wire = await openRaw();
    wire.say({ jsonrpc: "2.0", id: "empty", method: "initialize" });
    wire.say(says(PING));
    await Promise.race([until(() => pinged(wire)), wire.ended]);
    expect(wire.sent.some((line) => line.includes('"id":"empty"') && line.includes("-32602"))).toBe(true);
    expect(pinged(wire)).toBe(true);
  });

  it("has one reading: a question that holds an answer is none, and no group has a way around it", async () => {
    await using wire = await openRaw();
    wire.say(
      says(
        { jsonrpc: "2.0", id: 1, method: "_forged", result: { forged: true } },
        { jsonrpc: "2.0", method: "_forged", error: { code: 1, message: "forged" } },
        {
          jsonrpc: "2.0",
          id: 2,
          method: "fs/write_text_file\n",
          params: { sessionId: "s", path: "/a", content: "around" },
        },
        PING,
      ),
    );
    await until(() => pinged(wire));
    expect(wire.sent.join()).not.toMatch(/forged|around/);
  });
  it("ends what an agent has of the gate in a session with that session", async () => {
    await using wire = await openRaw();
    wire.say({ jsonrpc: "2.0", method: "_connect" });
    await until(() => wire.notes().includes("connected {"));
    wire.say({ jsonrpc: "2.0", id: "c", method: "session/close", params: { sessionId: "s" } });
    await until(() => wire.notes().includes("session/close"));
    const id = Number(/"id":(\d+),"method":"session.close"/.exec(wire.notes())?.[1]);
    wire.say(says({ jsonrpc: "2.0", id, result: {} }));
    await until(() => wire.notes().includes("connection over"));
    expect(wire.sent.some((line) => line.includes('"id":"c"') && line.includes('"result"'))).toBe(true);
  });
});
