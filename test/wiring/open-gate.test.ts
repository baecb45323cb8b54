import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError, openGate } from "../../src/index.ts";
import { NO } from "../support/open-approver.ts";
import { approves, codeOf, openScratchGate } from "../support/scratch-gate.ts";

describe("openGate", () => {
  it("opens what a config says", async () => {
    await using scratch = openScratchGate();
    scratch.put("a", "hello");
    const gate = await openGate({ config: join(scratch.folder, "toolgate.yaml") });
    expect(await gate.call({ tool: "read_file", input: { path: "a" } })).toMatchObject({
      content: [{ text: "hello" }],
    });
    await gate.close();
  });

  it("on another workspace, with tools and an approver of its own", async () => {
    await using scratch = openScratchGate();
    const workspace = join(scratch.folder, "other");
    mkdirSync(workspace);
    writeFileSync(join(workspace, "a"), "other");
    const gate = await openGate({ config: join(scratch.folder, "toolgate.yaml"), workspace, approver: approves });
    expect(await gate.call({ tool: "read_file", input: { path: "a" } })).toMatchObject({
      content: [{ text: "other" }],
    });
    await gate.close();
  });

  it("opens what a program says", async () => {
    await using scratch = openScratchGate();
    scratch.put("a", "hello");
    const { workspace, stateDir: state } = scratch;
    const gate = await openGate({
      workspace,
      state,
      rules: [{ id: "read", effect: "allow", touch: { read: ["./**"] } }],
      approver: approves,
    });
    expect(await gate.call({ tool: "read_file", input: { path: "a" } })).toMatchObject({
      content: [{ text: "hello" }],
    });
    expect(codeOf(await gate.call({ tool: "read_file", input: { path: "/etc/hostname" } }))).toBe("DEFAULT_DENY");
    await gate.close();
  });

  it("has described programs that a program names", async () => {
    await using scratch = openScratchGate();
    const file = join(scratch.folder, "true.json");
    writeFileSync(
      file,
      JSON.stringify({ atip: "0.6", name: "true", version: "1", description: "Does nothing at all" }),
    );
    const gate = await openGate({
      workspace: scratch.workspace,
      state: scratch.stateDir,
      tools: { atip: [file] },
      rules: [{ id: "run", effect: "allow", tools: ["true"] }],
    });
    expect(gate.tools("anthropic").map(({ name }) => name)).toContain("true");
    const { decision, ruleId } = await gate.explain({ tool: "true", input: {} });
    expect([decision, ruleId]).toEqual(["deny", "builtin:atip:true:unsafe"]);
    await gate.close();
  });

  it("takes the file of governors that a program names, or functions", async () => {
    await using scratch = openScratchGate();
    const { workspace, stateDir: state } = scratch;
    await expect(openGate({ workspace, state, governors: "none.yaml" })).rejects.toThrow(
      "the governors in `none.yaml`: there is no such file",
    );
    const gate = await openGate({ workspace, state, governors: [{ id: "a", ask: () => ({ status: "approve" }) }] });
    await gate.close();
  });

  it("throws for what a program says wrong", async () => {
    await expect(openGate({ rulez: [] } as never)).rejects.toThrow(/^\(config\):1:1: .*rulez/);
    await expect(openGate({ tools: { atip: ["none.json"] } })).rejects.toThrow("there is no such file");
  });

  it.each<[string, string, RegExp]>([
    ["that is not there", "none.yaml", /none\.yaml:1:1: there is no such file$/],
    ["that is wrong in two places", "bad.yaml", /bad\.yaml:1:1: .*\n.*bad\.yaml:2:1: /],
  ])("throws for a config %s, with every place", async (_, name, message) => {
    await using scratch = openScratchGate();
    writeFileSync(join(scratch.folder, "bad.yaml"), "rulez: []\nstat: x\n");
    const opened = openGate({ config: join(scratch.folder, name) });
    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.toSatisfy((error) => error instanceof ConfigError && error.code === "CONFIG_INVALID");
  });

  it("asks nobody unless it is given somebody: the question waits for other doors", async () => {
    await using scratch = openScratchGate({ rules: [{ id: "ask", effect: "ask" }] });
    const gate = await openGate({ config: join(scratch.folder, "toolgate.yaml") });
    const made = gate.call({ tool: "read_file", input: { path: "a" } });
    await expect.poll(async () => (await gate.approvals.list()).length).toBe(1);
    const [question] = await gate.approvals.list();
    await scratch.gate.approvals.answer(question?.approvalId ?? "", NO);
    expect(codeOf(await made)).toBe("APPROVAL_REJECTED");
    await gate.close();
  });
});
