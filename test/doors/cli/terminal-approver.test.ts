import { describe, expect, it } from "vitest";
import type { Terminal } from "../../../src/doors/cli/terminal.ts";
import { terminalApprover, yesApprover } from "../../../src/doors/cli/terminal-approver.ts";
import { paperTerminal } from "../../support/paper-terminal.ts";
import { needs } from "../../support/parts.ts";
import { openCli } from "../../support/run-cli.ts";
import { NEVER, plannedCall, shownPlan } from "../../support/sample-calls.ts";
import { openTerminal } from "../../support/typed-terminal.ts";
import { CONFIG } from "./configs.ts";

const LATER = Date.now() + 3_600_000;
/** Of a gate, the terminal only wants to know who sits there, unless "always" is said. */
const GATE = () => ({ actor: "local:ann", always: null as never });
const AS = { approvalId: "approval_1", deadlineMs: LATER };
const PROMPT = "run it? [y]es, [N]o, always, never: ";

const asked = (paper: Terminal, shown = shownPlan(), signal = NEVER) =>
  terminalApprover(paper, GATE).ask(shown, AS, signal);

describe("the person at a terminal", () => {
  it.each<[string, string]>([
    ["y", "approve"],
    ["Y", "approve"],
    [" yes ", "approve"],
    ["n", "reject"],
    ["NO", "reject"],
    ["", "reject"],
  ])("says %j, heard as %s", async (answer, kind) => {
    const paper = paperTerminal({ answers: [answer] });
    expect(await asked(paper)).toEqual({ kind, who: "local:ann" });
    expect(paper.errText().endsWith(PROMPT)).toBe(true);
    expect(paper.outText()).toBe("");
  });

  it.each<[string, string]>([
    ["yy", "yy"],
    ["yes please", "yes please"],
    [" ja ", "ja"],
    ["у", "у"], // Cyrillic
    ["constructor", "constructor"],
    ["__proto__", "__proto__"],
    ["\u001b[A", "\\u{1b}[A"],
    ["x".repeat(1000), "x".repeat(40)],
  ])("says %j: that is no answer, so the question is asked again", async (word, shown) => {
    for (const [answer, kind] of [
      ["yes", "approve"],
      ["no", "reject"],
    ] as const) {
      const paper = paperTerminal({ answers: [word, word, answer] });
      expect(await asked(paper)).toEqual({ kind, who: "local:ann" });
      const again = `\`${shown}\` is not understood: type yes, no, always or never\n${PROMPT}`;
      expect(paper.errText().endsWith(`${PROMPT}${again}${again}`)).toBe(true);
    }
  });

  it("who says nothing that is understood, and then closes the question, has approved nothing", async () => {
    const paper = paperTerminal({ answers: ["yse", null] });
    expect(await asked(paper)).toBeNull();
    expect(paper.errText()).toMatch(/\nwaiting for an answer elsewhere; Ctrl-C cancels\n$/);
  });

  it("who closes the question leaves it to other doors, and is told so", async () => {
    const paper = paperTerminal({ answers: [null] });
    expect(await asked(paper)).toBeNull();
    expect(paper.errText()).toMatch(/\nwaiting for an answer elsewhere; Ctrl-C cancels\n$/);
  });

  it("is not asked where nobody is: it is said where to answer", async () => {
    const paper = paperTerminal();
    expect(await asked(paper)).toBeNull();
    expect(paper.errText()).toMatch(/^waiting until \S+Z for `toolgate approvals approve approval_1`\n$/);
  });

  it("is no longer asked once another door has answered, or the time is over", async () => {
    const over = new AbortController();
    const written = paperTerminal({ answers: [] });
    const paper: Terminal = {
      ...written,
      question: (_, signal) =>
        new Promise((resolve) => signal?.addEventListener("abort", () => resolve(null), { once: true })),
    };
    const answer = asked(paper, shownPlan(), over.signal);
    over.abort();
    expect(await answer).toBeNull();
    expect(written.errText()).toMatch(/\nno longer asked here\n$/);
  });

  it("sees tool, rule, risk, caller, arguments, touches, reasons and digest", async () => {
    const paper = paperTerminal({ answers: ["n"] });
    const { plan } = plannedCall({ input: { text: "one\ntwo", n: [1, "\u202e"], "od\u001bd": "x" } });
    const shown = shownPlan({ plan, ruleId: "r\u001b", actor: "mcp:\u202e", reasons: ["it \u001b[2Jleaves"] });
    await asked(paper, shown);
    expect(paper.errText()).toBe(
      [
        "question sample  rule r\\u{1b}  risk LOW  from mcp:\\u{202e}",
        "  text one",
        "    two",
        '  n [1,"\\u{202e}"]',
        "  od\\u{1b}d x",
        "  read `a.txt`",
        "  it \\u{1b}[2Jleaves",
        `  plan ${shown.digest}`,
        PROMPT,
      ].join("\n"),
    );
  });

  it("sees the diff, line by line, with nothing in it that acts", async () => {
    const paper = paperTerminal({ answers: ["n"] });
    await asked(paper, shownPlan({ preview: "@@ -1 +1 @@\n-a\u001b[2J\n+b\u202e\r\n" }));
    expect(paper.errText()).toContain("    @@ -1 +1 @@\n    -a\\u{1b}[2J\n    +b\\u{202e}\\u{d}\n");
  });

  it("sees the name of a tool as it is, not as it acts", async () => {
    const paper = paperTerminal({ answers: ["n"] });
    const { plan } = plannedCall();
    await asked(paper, shownPlan({ plan: { ...plan, tool: "x\u001b[2J" } }));
    expect(paper.errText()).toMatch(/^question x\\u\{1b\}\[2J {2}rule r/);
  });

  it("who typed --yes has answered already", async () =>
    expect(await yesApprover(() => ({ actor: "local:ann" })).ask(shownPlan(), AS, NEVER)).toEqual({
      kind: "approve",
      who: "local:ann",
      reason: "--yes",
    }));
});

needs("script")("a real terminal", () => {
  const AGAIN = `type yes, no, always or never\r\n${PROMPT}`;
  const WRITE = ["call", "write_file", '{"path":"b","content":"one\\ntwo\\u202e"}'];

  it.each<[string, string, number, string, boolean]>([
    ["y", "y\r", 0, "completed", true],
    ["n", "n\r", 3, "rejected", false],
    ["return", "\r", 3, "rejected", false],
    ["Ctrl-C", "\u0003", 3, "cancelled", false],
    ["Ctrl-D, then Ctrl-C", "\u0004\u0003", 3, "cancelled", false],
    ["a slip, then Ctrl-C", "yse\r\u0003", 3, "cancelled", false],
    ["a slip, then y", "yse\ry\r", 0, "completed", true],
    ["a slip, then n", "yse\rn\r", 3, "rejected", false],
  ])("asks, and hears %s", async (_, keys, code, state, isWritten) => {
    using cli = openCli(CONFIG);
    const terminal = openTerminal(cli, WRITE);
    await terminal.shows("run it?");
    expect(cli.lastState()).toBe("awaiting_approval");
    for (const key of keys) {
      terminal.types(key);
      if (key === "\u0004") await terminal.shows("waiting for an answer elsewhere");
      if (key === "\r" && keys.startsWith("yse")) await terminal.shows(AGAIN);
    }
    const ended = await terminal.ended;
    expect({ code: ended.code, state: cli.lastState(), isWritten: cli.has("b") }).toEqual({ code, state, isWritten });
    expect(ended.screen).toContain("two\\u{202e}");
    expect(ended.screen).not.toContain("\u202e");
  });

  it("what was typed before the question, or before it was asked again, answers nothing", async () => {
    using cli = openCli(CONFIG);
    // The shell takes the first line, so the others wait in the terminal before the program is there.
    const terminal = openTerminal(cli, WRITE, { before: "read go;" });
    terminal.types("go\ryes\ry\r");
    await terminal.shows("run it?");
    expect([cli.lastState(), cli.has("b")]).toEqual(["awaiting_approval", false]);
    terminal.types("what\ryes\r\r");
    await terminal.shows(AGAIN);
    expect([cli.lastState(), cli.has("b")]).toEqual(["awaiting_approval", false]);
    terminal.types("y\r");
    expect([(await terminal.ended).code, cli.has("b")]).toEqual([0, true]);
  });

  it("that is closed while the question is open ends the call", async () => {
    using cli = openCli(CONFIG);
    const terminal = openTerminal(cli, WRITE);
    await terminal.shows("run it?");
    terminal.closes();
    await terminal.ended;
    await expect.poll(() => cli.lastState()).toBe("cancelled");
    expect(cli.has("b")).toBe(false);
  });

  it("beside another: two questions on one state, each with its own answer", async () => {
    using cli = openCli(CONFIG);
    const terminals = ["b", "c"].map((path) =>
      openTerminal(cli, ["call", "write_file", JSON.stringify({ path, content: path })]),
    );
    await Promise.all(terminals.map((terminal) => terminal.shows("run it?")));
    for (const [i, terminal] of terminals.entries()) terminal.types(i === 0 ? "y\r" : "n\r");
    const codes = await Promise.all(terminals.map(async (terminal) => (await terminal.ended).code));
    expect([codes, cli.has("b"), cli.has("c")]).toEqual([[0, 3], true, false]);
    expect((await cli.run(["ledger", "verify"])).code).toBe(0);
  });

  it("is not asked when only stdout is one: the question waits for another door", async () => {
    using cli = openCli(CONFIG);
    const terminal = openTerminal(cli, WRITE, { redirect: " </dev/null" });
    await expect.poll(() => cli.has(".toolgate") && cli.lastState()).toBe("awaiting_approval");
    const [question] = await cli.lines(["approvals", "list"]);
    expect((await cli.run(["approvals", "reject", question?.approvalId ?? ""])).code).toBe(0);
    const ended = await terminal.ended;
    expect([ended.code, ended.screen.includes("APPROVAL_REJECTED"), ended.screen.includes("run it?")]).toEqual([
      3,
      true,
      false,
    ]);
  });

  it("and another door: the first answer counts, and the other is told", async () => {
    using cli = openCli(CONFIG);
    const terminal = openTerminal(cli, WRITE);
    await terminal.shows("run it?");
    const [question] = await cli.lines(["approvals", "list"]);
    const approved = await cli.run(["approvals", "approve", question?.approvalId ?? ""]);
    expect(approved.code).toBe(0);
    const ended = await terminal.ended;
    expect([ended.code, cli.text("b"), ended.screen.includes("no longer asked here")]).toEqual([
      0,
      "one\ntwo\u202e",
      true,
    ]);
    const late = await cli.run(["approvals", "reject", question?.approvalId ?? ""]);
    expect([late.code, late.err.includes("APPROVAL_CONFLICT")]).toEqual([3, true]);
  });

  it("accepts a config, or does not", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", CONFIG);
    const no = openTerminal(cli, ["trust"]);
    await no.shows("[y/N]");
    no.types("\u0003");
    expect((await no.ended).code).not.toBe(0);
    expect((await cli.run(["tools"])).code).toBe(3);
    const yes = openTerminal(cli, ["trust"]);
    await yes.shows("[y/N]");
    yes.types("y\r");
    expect((await yes.ended).code).toBe(0);
    expect((await cli.run(["tools"])).code).toBe(0);
  });
});
