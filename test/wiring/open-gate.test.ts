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
