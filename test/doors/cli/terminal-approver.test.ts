import { describe, expect, it } from "vitest";
import { terminalDesk, yesDesk } from "../../../src/doors/cli/terminal-desk.ts";
import { paperTerminal } from "../../support/paper-terminal.ts";
import { needs } from "../../support/parts.ts";
import { openCli } from "../../support/run-cli.ts";
import { judgedCall, NEVER } from "../../support/sample-calls.ts";
import { openTerminal } from "../../support/typed-terminal.ts";
import { CONFIG } from "./configs.ts";

const LATER = Date.now() + 3_600_000;

describe("the desk at a terminal", () => {
  it.each<[string | null, string]>([
    ["y", "approve"],
    ["Y", "approve"],
    [" yes ", "approve"],
    ["n", "reject"],
    ["", "reject"],
    ["yy", "reject"],
    ["yes please", "reject"],
    ["ja", "reject"],
    ["у", "reject"], // Cyrillic
    [null, "cancelled"],
  ])("hears %j as %s", async (answer, kind) => {
    const paper = paperTerminal({ answers: [answer] });
    expect((await terminalDesk(paper).ask(judgedCall("ask"), LATER, NEVER)).kind).toBe(kind);
    expect(paper.errText()).toMatch(/run it\? \[y\/N\] $/);
    expect(paper.outText()).toBe("");
  });

  it("asks nobody where nobody is", async () => {
    const paper = paperTerminal();
    expect(await terminalDesk(paper).ask(judgedCall("ask"), LATER, NEVER)).toEqual({ kind: "nobody" });
    expect(paper.errText()).toBe("");
  });

  it("gives up at the deadline", async () => {
    const paper = {
      ...paperTerminal({ answers: [] }),
      question: (_: string, signal?: AbortSignal) =>
        new Promise<null>((resolve) => signal?.addEventListener("abort", () => resolve(null), { once: true })),
    };
    expect(await terminalDesk(paper).ask(judgedCall("ask"), Date.now() + 1, NEVER)).toEqual({ kind: "expired" });
  });

  it("shows tool, rule, risk, touches, arguments and digest", async () => {
    const paper = paperTerminal({ answers: ["n"] });
    const call = judgedCall("ask", { input: { text: "one\ntwo", n: [1, "\u202e"], "od\u001bd": "x" } });
    await terminalDesk(paper).ask(call, LATER, NEVER);
    expect(paper.errText()).toBe(
      [
        "question sample  rule r  risk LOW",
        "  text one",
        "    two",
        '  n [1,"\\u{202e}"]',
        "  od\\u{1b}d x",
        "  read `a.txt`",
        `  plan ${call.seal.digest}`,
        "run it? [y/N] ",
      ].join("\n"),
    );
  });

  it("shows the name of a tool as it is, not as it acts", async () => {
    const paper = paperTerminal({ answers: ["n"] });
    const call = judgedCall("ask");
    await terminalDesk(paper).ask({ ...call, plan: { ...call.plan, tool: "x\u001b[2J" } }, LATER, NEVER);
    expect(paper.errText()).toMatch(/^question x\\u\{1b\}\[2J {2}rule r/);
  });

  it("--yes has answered already", async () =>
    expect(await yesDesk.ask(judgedCall("ask"), LATER, NEVER)).toEqual({ kind: "approve", who: "terminal --yes" }));
});

needs("script")("a real terminal", () => {
  const WRITE = ["call", "write_file", '{"path":"b","content":"one\\ntwo\\u202e"}'];

  it.each<[string, string, number, string, boolean]>([
    ["y", "y\r", 0, "completed", true],
    ["n", "n\r", 3, "rejected", false],
    ["return", "\r", 3, "rejected", false],
    ["Ctrl-C", "\u0003", 3, "cancelled", false],
    ["Ctrl-D", "\u0004", 3, "cancelled", false],
  ])("asks, and hears %s", async (_, keys, code, state, isWritten) => {
    using cli = openCli(CONFIG);
    const terminal = openTerminal(cli, WRITE);
    await terminal.shows("run it? [y/N]");
    expect(cli.lastState()).toBe("awaiting_approval");
    terminal.types(keys);
    const ended = await terminal.ended;
    expect({ code: ended.code, state: cli.lastState(), isWritten: cli.has("b") }).toEqual({ code, state, isWritten });
    expect(ended.screen).toContain("two\\u{202e}");
    expect(ended.screen).not.toContain("\u202e");
  });

  it("that is closed while the question is open ends the call", async () => {
    using cli = openCli(CONFIG);
    const terminal = openTerminal(cli, WRITE);
    await terminal.shows("run it? [y/N]");
    terminal.closes();
    await terminal.ended;
    await expect.poll(() => cli.lastState(), { timeout: 20_000 }).toBe("cancelled");
    expect(cli.has("b")).toBe(false);
  });

  it("beside another: two questions on one state, each with its own answer", async () => {
    using cli = openCli(CONFIG);
    const terminals = ["b", "c"].map((path) =>
      openTerminal(cli, ["call", "write_file", JSON.stringify({ path, content: path })]),
    );
    await Promise.all(terminals.map((terminal) => terminal.shows("run it? [y/N]")));
    for (const [i, terminal] of terminals.entries()) terminal.types(i === 0 ? "y\r" : "n\r");
    const codes = await Promise.all(terminals.map(async (terminal) => (await terminal.ended).code));
    expect([codes, cli.has("b"), cli.has("c")]).toEqual([[0, 3], true, false]);
    expect((await cli.run(["ledger", "verify"])).code).toBe(0);
  });

  it("is not asked when only stdout is one", async () => {
    using cli = openCli(CONFIG);
    const ended = await openTerminal(cli, WRITE, { redirect: " </dev/null" }).ended;
    expect([ended.code, ended.screen.includes("APPROVAL_UNAVAILABLE")]).toEqual([3, true]);
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
