import { expect, it } from "vitest";
import type { JudgedCall } from "../../src/domain/call.ts";
import { redactedDesk } from "../../src/pipeline/redacted-desk.ts";
import { redactorFor } from "../support/redaction.ts";
import { judgedCall, NEVER } from "../support/sample-calls.ts";

const SECRET = "hush-hush-4711";

async function shown(call: JudgedCall): Promise<JudgedCall> {
  const seen: JudgedCall[] = [];
  const desk = redactedDesk(
    { ask: async (asked) => ({ kind: "approve", who: String(seen.push(asked)) }) },
    redactorFor({ KEY: SECRET }),
  );
  await desk.ask(call, 0, NEVER);
  return seen[0] as JudgedCall;
}

it("whoever is asked sees known secrets by name, and the digest of what will run", async () => {
  const input = { content: `a ${SECRET} b`, list: [SECRET], [SECRET]: 1 };
  const call = judgedCall("ask", { input, rawInput: input, actor: SECRET });
  const seen = await shown({ ...call, plan: { ...call.plan, input } });
  expect(seen.plan.input).toEqual({ content: "a [REDACTED:KEY] b", list: ["[REDACTED:KEY]"], "[REDACTED:KEY]": 1 });
  const { tool, seal, ...rest } = seen;
  expect(JSON.stringify(rest)).not.toContain(SECRET);
  expect(seal).toBe(call.seal);
  expect(tool).toBe(call.tool);
  // What will run is untouched.
  expect(call.input).toBe(input);
});

it("A26: what only looks like a secret is shown, or something could be approved unseen", async () => {
  const input = { command: `password='x1; rm -rf ~' ghp_${"aB3dE6gH9".repeat(4)}`, token: "abcDEF0123456789abcDEF" };
  const call = judgedCall("ask", { input });
  expect((await shown({ ...call, plan: { ...call.plan, input } })).plan.input).toEqual(input);
});
