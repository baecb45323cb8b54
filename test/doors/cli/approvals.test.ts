import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { approvals } from "../../../src/doors/cli/approvals.ts";
import { openGate } from "../../../src/index.ts";
import { needs } from "../../support/parts.ts";
import { type Cli, openCli } from "../../support/run-cli.ts";
import { openTerminal } from "../../support/typed-terminal.ts";
import { invoked } from "./invoked.ts";

const CONFIG = `rules:
  - { id: read, effect: allow, touch: { read: ["./**"] } }
  - { id: write, effect: ask, otherwise: true, touch: { write: ["./**"] }, because: A person looks at each change. }
  - { id: plain, effect: ask, touch: { delete: ["./**"] } }
`;

interface Listed {
  readonly approvalId: string;
  readonly state: string;
}

const writing = (path: string, content = "new") => ["call", "write_file", JSON.stringify({ path, content })];

/** Makes a call that nobody waits for, and gives back its question's id. */
async function asked(cli: Cli, args: readonly string[] = writing("a.txt")): Promise<string> {
  const { code, out } = await cli.run([...args, "--no-wait", "--json"]);
  expect(code).toBe(4);
  return (JSON.parse(out) as { approval: { id: string } }).approval.id;
}

async function open(cli: Cli): Promise<readonly Listed[]> {
  const { out } = await cli.run(["approvals", "list", "--json"]);
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Listed);
}

describe("a call with --no-wait", () => {
  it("is pending with exit code 4, and runs when it is approved elsewhere", async () => {
    using cli = openCli(CONFIG);
    const pending = await cli.run([...writing("a.txt"), "--no-wait"]);
    expect([pending.code, pending.out, cli.has("a.txt"), cli.lastState()]).toEqual([4, "", false, "awaiting_approval"]);
    expect(pending.err).toContain("toolgate approvals approve approval_");
    const [question] = await open(cli);
    const approved = await cli.run(["approvals", "approve", question?.approvalId ?? ""]);
    expect([approved.code, cli.text("a.txt"), cli.lastState()]).toEqual([0, "new", "completed"]);
    expect(approved.err).toContain("write `a.txt` (a new file)");
    expect(await open(cli)).toEqual([]);
    expect((await cli.run(["ledger", "verify"])).code).toBe(0);
  });

  it("is not run when it is rejected, and the reason is kept", async () => {
    using cli = openCli(CONFIG);
    const id = await asked(cli);
    const rejected = await cli.run(["approvals", "reject", id, "--reason", "not \u001b[2J on Friday"]);
    expect([rejected.code, cli.has("a.txt"), cli.lastState()]).toEqual([0, false, "rejected"]);
    expect(rejected.out).toContain("not \\u{1b}[2J on Friday");
  });

  it("that is answered twice tells the second whose answer counts", async () => {
    using cli = openCli(CONFIG);
    const id = await asked(cli);
    await cli.run(["approvals", "reject", id]);
    const late = await cli.run(["approvals", "approve", id]);
    expect([late.code, cli.has("a.txt")]).toEqual([3, false]);
    expect(late.err).toMatch(/APPROVAL_CONFLICT .*rejected by local:/);
    expect(late.err).toMatch(/`toolgate ledger show --call call_[0-9a-f]{32}` tells what became of the call\n$/);
    expect(await cli.json(["approvals", "approve", id])).toMatchObject({ refusal: { code: "APPROVAL_CONFLICT" } });
  });

  it("that was approved by somebody who was killed before it ran, runs when it is approved once more", async () => {
    using cli = openCli(CONFIG);
    const id = await asked(cli);
    const gate = await openGate({ config: join(cli.workspace, "toolgate.yaml") });
    expect((await gate.approvals.answer(id, { kind: "approve", who: "ann" })).kind).toBe("recorded");
    await gate.close(); // and nobody has gone on with the call
    expect((await invoked(cli, approvals, ["reject", id])).err).toContain("approved by ann");
    expect([cli.lastState(), cli.has("a.txt")]).toEqual(["approved", false]);
    expect([(await invoked(cli, approvals, ["approve", id])).code, cli.text("a.txt")]).toEqual([0, "new"]);
    expect((await invoked(cli, approvals, ["approve", id])).err).toContain("APPROVAL_CONFLICT");
  });

  it("does not run when what it would do has changed meanwhile", async () => {
    using cli = openCli(CONFIG);
    const id = await asked(cli);
    cli.put("a.txt", "somebody else's");
    const approved = await cli.run(["approvals", "approve", id]);
    expect([approved.code, cli.text("a.txt")]).toEqual([3, "somebody else's"]);
    expect(approved.err).toContain("APPROVAL_STALE");
  });

  it("does not run when the rules deny it meanwhile", async () => {
    using cli = openCli(CONFIG);
    const id = await asked(cli);
    cli.put("toolgate.yaml", `${CONFIG}  - { id: no, effect: deny, touch: { write: ["./a.txt"] } }\n`);
    await cli.run(["trust", "--yes"]);
    const approved = await cli.run(["approvals", "approve", id]);
    expect([approved.code, cli.has("a.txt"), cli.lastState()]).toEqual([3, false, "refused"]);
    expect(approved.err).toContain("RULE_DENY");
  });
});

describe("a call that waits", () => {
  it("goes on when another process approves it", async () => {
    using cli = openCli(CONFIG);
    const waiting = cli.start(writing("a.txt"));
    const ended = once(waiting, "close");
    await expect.poll(() => open(cli)).toHaveLength(1);
    const [question] = await open(cli);
    const approved = await cli.run(["approvals", "approve", question?.approvalId ?? ""]);
    expect(approved.out).toMatch(/^approved by local:/);
    expect([(await ended)[0], cli.text("a.txt")]).toEqual([0, "new"]);
  });

  it("that is killed is cancelled, and can't be approved any more", async () => {
    using cli = openCli(CONFIG);
    const waiting = cli.start(writing("a.txt"));
    await expect.poll(() => open(cli)).toHaveLength(1);
    const [question] = await open(cli);
    const closed = once(waiting, "close");
    waiting.kill("SIGKILL");
    await closed;
    const approved = await cli.run(["approvals", "approve", question?.approvalId ?? ""]);
    expect([approved.code, cli.has("a.txt"), cli.lastState()]).toEqual([3, false, "cancelled"]);
  });
});

describe("always", () => {
  it("saves the narrowest rule, which then answers by itself, and runs the call", async () => {
    using cli = openCli(CONFIG);
    const approved = await cli.run(["approvals", "approve", await asked(cli), "--always"]);
    expect([approved.code, cli.text("a.txt")]).toEqual([0, "new"]);
    expect(approved.err).toContain("- ./a.txt");
    const [again, other] = [await cli.run(writing("a.txt", "2")), await cli.run([...writing("b.txt"), "--no-wait"])];
    expect([again.code, other.code]).toEqual([0, 4]);
    const told = (await cli.run(["ledger", "show"])).out.split("\n").filter((line) => line.includes("policy.always"));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/call_\w+ .*always-/);
  });

  it("saves a deny for reject", async () => {
    using cli = openCli(CONFIG);
    await cli.run(["approvals", "reject", await asked(cli), "--always"]);
    const again = await cli.run([...writing("a.txt"), "--yes"]);
    expect([again.code, cli.has("a.txt")]).toEqual([3, false]);
    expect(again.err).toContain("RULE_DENY");
  });

  it("says so where a plain ask would go on asking, and answers nothing", async () => {
    using cli = openCli(CONFIG);
    cli.put("a.txt");
    const id = await asked(cli, ["call", "delete_file", '{"path":"a.txt"}']);
    const approved = await cli.run(["approvals", "approve", id, "--always"]);
    expect([approved.code, cli.has("a.txt"), cli.lastState()]).toEqual([3, true, "awaiting_approval"]);
    expect(approved.err).toContain("the rule `plain` asks whatever other rules allow");
  });

  it("is not in force when somebody else wrote the file", async () => {
    using cli = openCli(CONFIG);
    await cli.run(["approvals", "approve", await asked(cli), "--always"]);
    cli.put(".toolgate/always.yaml", `${cli.text(".toolgate/always.yaml")}- { id: all, effect: allow }\n`);
    const refused = await cli.run(writing("b.txt"));
    expect([refused.code, cli.has("b.txt")]).toEqual([3, false]);
    expect(refused.err).toContain("CONFIG_UNTRUSTED");
    expect(
      (await cli.run(["--config", "toolgate.yaml", ...writing("b.txt")].slice(2).concat(["--config", "toolgate.yaml"])))
        .code,
    ).toBe(3);
    await cli.run(["trust", "--yes"]);
    expect((await cli.run(writing("b.txt"))).code).toBe(0);
  });
});

describe("approvals", () => {
  it.each<[readonly string[], number, string]>([
    [["approvals"], 0, "nothing waits for an answer"],
    [["approvals", "nonsense"], 2, "does not exist"],
    [["approvals", "show"], 2, "no question is named"],
    [["approvals", "show", "approval_x"], 3, "APPROVAL_UNKNOWN"],
    [["approvals", "approve", "approval_x"], 3, "APPROVAL_UNKNOWN"],
    [["approvals", "approve", "a", "b"], 2, "too many"],
    [["approvals", "list", "a"], 2, "too many"],
  ])("%j exits with %i", async (args, code, part) => {
    using cli = openCli(CONFIG);
    const ended = await cli.run(args);
    expect(ended.code).toBe(code);
    expect(ended.err).toContain(part);
  });

  it("shows all of the plan, and never the call as it is kept", async () => {
    using cli = openCli(CONFIG);
    cli.put("a.txt", "one\ntwo\n");
    const edits = [{ type: "replace", oldText: "two", newText: "three" }];
    const id = await asked(cli, ["call", "edit_file", JSON.stringify({ path: "a.txt", edits })]);
    const { out } = await cli.run(["approvals", "show", id]);
    for (const part of ["edit_file", "-two", "+three", "write `a.txt` (which is there already)", "A person looks"])
      expect(out).toContain(part);
    const shown = await cli.json(["approvals", "show", id]);
    expect(shown).toMatchObject({ deadline: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) });
    for (const inner of ["kept", "deadlineMs"]) expect(shown).not.toHaveProperty(inner);
  });

  it("watch prints each question once as JSON, until it is interrupted", async () => {
    using cli = openCli(CONFIG);
    const watching = cli.start(["approvals", "watch", "--json"]);
    let seen = "";
    watching.stdout.setEncoding("utf8").on("data", (text: string) => {
      seen += text;
    });
    const ids = [await asked(cli), await asked(cli, writing("b.txt"))];
    await expect.poll(() => seen.split("\n").length).toBe(3);
    const closed = once(watching, "close");
    watching.kill("SIGINT");
    expect((await closed)[0]).toBe(0);
    expect(
      seen
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as Listed).approvalId),
    ).toEqual(ids);
  });
});

needs("script")("approvals watch in a real terminal", () => {
  it("asks, runs what is approved, and goes on", async () => {
    using cli = openCli(CONFIG);
    const terminal = openTerminal(cli, ["approvals", "watch"]);
    await terminal.shows("waiting for questions");
    await asked(cli);
    await terminal.shows("run it?");
    terminal.types("y\r");
    await expect.poll(() => cli.has("a.txt")).toBe(true);
    await asked(cli, writing("b.txt"));
    await terminal.shows("b.txt");
    // What is typed before the question stands there answers nothing.
    await expect.poll(() => terminal.screen().split("run it?").length).toBe(3);
    terminal.types("always\r");
    await terminal.shows("save this rule?");
    terminal.types("y\r");
    await expect.poll(() => cli.has("b.txt")).toBe(true);
    terminal.types("\u0003");
    expect((await terminal.ended).code).toBe(0);
    expect((await cli.run(writing("b.txt", "2"))).code).toBe(0);
  });
});
