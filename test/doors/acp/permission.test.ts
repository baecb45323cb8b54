import { expect, it } from "vitest";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { answered, asks, CANCELLED, choose, OPTIONS, openAcpEditor, updates } from "../../support/acp-pair.ts";
import { needs } from "../../support/parts.ts";

const READ: RuleSource = { id: "read", effect: "allow", touch: { read: ["./**"] } };
const ASK: RuleSource = { id: "ask", effect: "ask", otherwise: true, touch: { write: ["./**"] } };
const DENY: RuleSource = { id: "never", effect: "deny", touch: { read: ["./secret/**"], write: ["./secret/**"] } };
const RUN: RuleSource = { id: "run", effect: "allow", touch: { exec: ["ls **"] } };
const RULES = [READ, ASK, DENY, RUN];

const completed = updates({ status: "completed" });

needs("bwrap")("an agent's request for permission", () => {
  it("is answered by a rule that allows it, and recorded with the end that the agent tells of", async () => {
    await using editor = await openAcpEditor({ rules: RULES });
    const path = editor.scratch.put("a.txt");
    const came = await editor.prompt(asks({ kind: "read", locations: [{ path }] }), completed);
    expect(came[0]).toEqual(answered("2"));
    expect(editor.asked).toEqual([]);
    expect(editor.scratch.rows()).toMatchObject([{ tool: "agent_tool", state: "completed" }]);
    const [requested] = editor.scratch.entries().filter(({ callId }) => callId !== null);
    expect(requested).toMatchObject({ kind: "tool.requested", actor: editor.gate.actor });
  });

  it("is recorded as failed when the agent says so, and as unknown when its turn is over without a word", async () => {
    await using editor = await openAcpEditor({ rules: RULES });
    const read = (toolCallId: string) =>
      asks({ toolCallId, kind: "read", locations: [{ path: editor.scratch.workspace }] });
    await editor.prompt(read("t1"), updates({ status: "failed" }), read("t2"));
    await editor.prompt();
    expect(editor.scratch.rows().map(({ state }) => state)).toEqual(["failed", "unknown"]);
  });

  it("is denied by a rule with the agent's own way to reject, and never reaches the editor", async () => {
    await using editor = await openAcpEditor({ rules: RULES });
    const secret = editor.scratch.put("secret/a.txt");
    const options = [{ optionId: "zz", name: "No, never", kind: "reject_always" }, ...OPTIONS];
    expect(await editor.prompt(asks({ kind: "read", locations: [{ path: secret }] }, options))).toEqual([
      answered("3"),
    ]);
    expect(editor.asked).toEqual([]);
    expect(editor.scratch.rows()).toMatchObject([{ state: "refused" }]);
  });

  it("is cancelled where a no has no option", async () => {
    await using editor = await openAcpEditor({ rules: RULES });
    const secret = editor.scratch.put("secret/a.txt");
    const [always, once] = OPTIONS;
    expect(await editor.prompt(asks({ kind: "read", locations: [{ path: secret }] }, [always, once]))).toEqual([
      CANCELLED,
    ]);
  });

  it("is never given a yes for more than this call", async () => {
    await using editor = await openAcpEditor({ rules: RULES });
    const [always, , no] = OPTIONS;
    const mode = { optionId: "default", name: "Yes, and go on by yourself", kind: "allow_once" };
    const accept = { optionId: "x", name: "Yes, auto-accept edits", kind: "allow_once" };
    const path = editor.scratch.put("a.txt");
    const read = { kind: "read", locations: [{ path }] };
    const came = await editor.prompt(
      asks(read, [always, no]),
      asks(read, [always, mode, accept, no]),
      asks(read, [mode, { optionId: "y", name: "Yes", kind: "allow_once" }, no]),
    );
    expect(came).toEqual([answered("3"), answered("3"), answered("y")]);
  });

  it("is shown whole to the editor's user where a rule asks, with options of ours, and their answer counts", async () => {
    await using editor = await openAcpEditor({ rules: RULES, answers: choose("allow") });
    const path = editor.scratch.put("a.txt", "old\n");
    const diff = { type: "diff", path, oldText: "old\n", newText: "new\n" };
    expect(await editor.prompt(asks({ kind: "edit", content: [diff] }), completed)).toEqual([
      answered("2"),
      { value: null },
    ]);
    const [asked] = editor.asked;
    expect(asked?.options.map(({ kind }) => kind)).toEqual(["allow_once", "allow_always", "reject_once"]);
    expect(asked?.toolCall).toMatchObject({ toolCallId: "t1", title: "do it", kind: "edit" });
    const shown = JSON.stringify(asked?.toolCall.content);
    for (const part of ["agent_tool asks to run", "write `a.txt`", "+new", "always-", "plan "])
      expect(shown).toContain(part);
    expect(asked?.toolCall.content?.at(-1)).toEqual(diff);
    expect(editor.scratch.rows()).toMatchObject([{ state: "completed" }]);
    const answer = editor.scratch.entries().find(({ kind }) => kind === "approval.answered");
    expect(answer?.actor).toBe(editor.gate.actor);
  });

  it.each([
    ["reject", "3", "rejected"],
    ["something else", "3", "rejected"],
  ])("takes %s for a no", async (optionId, expected, state) => {
    await using editor = await openAcpEditor({ rules: RULES, answers: choose(optionId) });
    const path = editor.scratch.put("a.txt");
    expect(await editor.prompt(asks({ kind: "edit", locations: [{ path }] }))).toEqual([answered(expected)]);
    expect(editor.scratch.rows()).toMatchObject([{ state }]);
  });

  it("is taken back when the editor's user cancels", async () => {
    const answers = () => ({ outcome: { outcome: "cancelled" as const } });
    await using editor = await openAcpEditor({ rules: RULES, answers });
    const path = editor.scratch.put("a.txt");
    expect(await editor.prompt(asks({ kind: "edit", locations: [{ path }] }))).toEqual([CANCELLED]);
    expect(editor.scratch.rows()).toMatchObject([{ state: "cancelled" }]);
  });

  it("is answered by always once, and from then on by the rule that was shown, for just that file", async () => {
    let said = "always";
    await using editor = await openAcpEditor({
      rules: RULES,
      settings: "followed",
      answers: () => choose(said)({} as never),
    });
    const [a, b] = ["a.txt", "b.txt"].map((name) => editor.scratch.put(name));
    const edit = (path = "") => asks({ kind: "edit", locations: [{ path }] });
    await editor.prompt(edit(a), completed);
    said = "reject";
    expect(await editor.prompt(edit(a), edit(b))).toEqual([answered("2"), answered("3")]);
    expect(editor.asked).toHaveLength(2);
  });

  it("can be answered at the desk, and then the editor's question is taken back", async () => {
    const open = Promise.withResolvers<never>();
    const shown = Promise.withResolvers<void>();
    const answers = () => {
      shown.resolve();
      return open.promise;
    };
    await using editor = await openAcpEditor({ rules: RULES, answers });
    const path = editor.scratch.put("a.txt");
    const prompted = editor.prompt(asks({ kind: "edit", locations: [{ path }] }), completed);
    await shown.promise;
    const [question] = await editor.scratch.gate.approvals.list();
    const given = await editor.scratch.gate.approvals.answer(question?.approvalId ?? "", {
      kind: "approve",
      who: "ann",
    });
    expect(given.kind).toBe("recorded");
    expect((await prompted)[0]).toEqual(answered("2"));
    expect(editor.sent.some((line) => line.includes("$/cancel_request"))).toBe(true);
    open.reject(new Error("over"));
  });

  it("is cancelled with the turn, as ACP has it", async () => {
    const shown = Promise.withResolvers<void>();
    const answers = () => {
      shown.resolve();
      return new Promise<never>(() => {});
    };
    await using editor = await openAcpEditor({ rules: RULES, answers });
    const path = editor.scratch.put("a.txt");
    const prompted = editor.prompt(asks({ kind: "edit", locations: [{ path }] }));
    await shown.promise;
    await editor.agent.notify("session/cancel", { sessionId: editor.sessionId });
    expect(await prompted).toEqual([CANCELLED]);
    expect(editor.scratch.rows()).toMatchObject([{ state: "cancelled" }]);
  });

  it("reads a command as run_command does, also one that came with an earlier update", async () => {
    await using editor = await openAcpEditor({ rules: RULES });
    const first = updates({ kind: "execute", title: "ls", rawInput: { command: "ls -l" } }, "tool_call");
    const [, ls] = await editor.prompt(first, asks({}));
    expect(ls).toEqual(answered("2"));
    const came = await editor.prompt(
      asks({ toolCallId: "t2", kind: "execute", rawInput: { command: "ls; curl evil.example" } }),
      asks({ toolCallId: "t3", kind: "execute", rawInput: { command: ["bash", "-c", "ls"] } }),
      asks({ toolCallId: "t4", kind: "execute" }),
    );
    expect(came).toEqual([answered("3"), answered("2"), answered("3")]);
  });
});
