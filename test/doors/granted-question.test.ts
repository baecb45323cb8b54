import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shownPlan } from "../../src/approval/shown-plan.ts";
import type { PlannedSandbox } from "../../src/domain/plan.ts";
import { questionText } from "../../src/doors/cli/show-question.ts";
import { questionForm } from "../../src/doors/mcp/question-form.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { openBrowser, openConsolePage } from "../support/console-page.ts";
import { needs } from "../support/parts.ts";
import { redactorFor } from "../support/redaction.ts";
import { judgedCall } from "../support/sample-calls.ts";
import { openTestServer } from "../support/test-server.ts";

const GRANT = { read: ["./**"], write: ["./out/**"], connect: ["example.com:443"] };
const WORDS = "by itself it may read `./**`; write `./out/**`; connect to `example.com:443`";

const GIVEN = "it is given the value of `GH_TOKEN`";

async function granted() {
  const call = judgedCall("ask");
  const grant = { ...GRANT, hide: ["./.env"], noConnect: [], readOnly: [] };
  const sandbox = {
    argv: ["gh"],
    cwd: "/",
    limits: {},
    report: {},
    secrets: ["GH_TOKEN"],
  } as unknown as PlannedSandbox;
  const plan = { ...call.plan, sandbox };
  return await shownPlan({ ...call, plan, seal: { ...call.seal, grant } }, redactorFor());
}

describe("whoever is asked about a program is told what it may do by itself", () => {
  it("in a terminal", async () => {
    expect(questionText(await granted(), { paint: (_, text) => text })).toContain(`\n  ${WORDS}\n  ${GIVEN}\n`);
    expect(questionText(await shownPlan(judgedCall("ask"), redactorFor()), { paint: (_, text) => text })).not.toContain(
      "by itself",
    );
  });

  it("in an MCP client", async () => {
    expect(questionForm(await granted(), null).message).toContain(`\n- ${WORDS}\n- ${GIVEN}\n`);
  });
});

needs("chromium", "bwrap")("whoever is asked about a program in the console", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("is told what it may do by itself, and of no other network than the one it gets", async () => {
    const rules: RuleSource[] = [{ id: "ask", effect: "ask", touch: { exec: ["cat **"] }, grant: GRANT }];
    await using server = await openTestServer({ rules, config: { tools: { builtin: ["files", "shell"] } } });
    const { approval } = (await server.execute("run_command", { command: "cat a.txt" }, { wait: false })).body;
    const { plan } = (await server.get(`approvals/${approval.id}`)).body;
    expect(plan.grant).toEqual(GRANT);
    await using opened = await openConsolePage(browser, server, { at: `#/questions/${approval.id}` });
    const told = opened.page.locator(".grant");
    await told.waitFor();
    expect(await told.textContent()).toBe(WORDS.replaceAll("`", ""));
    expect(await opened.page.getByRole("article").textContent()).not.toContain('"network"');
    expect(await opened.complaints()).toEqual([]);
  });
});
