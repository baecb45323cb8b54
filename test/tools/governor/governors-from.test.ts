import { expect, it } from "vitest";
import { hearGovernors } from "../../../src/approval/hear-governors.ts";
import type { GovernorSpec } from "../../../src/domain/governor-spec.ts";
import type { FunctionGovernor } from "../../../src/tools/governor/function-governor.ts";
import { governorsFrom } from "../../../src/tools/governor/governors-from.ts";
import { needs } from "../../support/parts.ts";
import { NEVER } from "../../support/sample-calls.ts";
import { openGovernorScratch, PATIENT, QUESTION } from "./governor-ports.ts";

const SETTINGS = { stopOnFirstReject: true, autoDecision: "all_approve" } as const;

const script: GovernorSpec = {
  ...{ id: "script", timeoutMs: 5000, requiresManual: true },
  way: { kind: "script", command: ["./check.sh"], grant: { read: [], write: [], connect: [] } },
};
const http: GovernorSpec = {
  ...{ id: "http", timeoutMs: 5000, requiresManual: false },
  way: { kind: "http", url: "http://127.0.0.1:1/", headers: {} },
};
const fn: FunctionGovernor = { id: "fn", ask: () => ({ status: "reject" }) };

it("those of the file come first, then those of the program", () => {
  using scratch = openGovernorScratch();
  const { governors, ...settings } = governorsFrom({ specs: [script, http], settings: SETTINGS }, [fn], scratch.parts);
  expect(governors.map(({ id, requiresManual }) => [id, requiresManual])).toEqual([
    ["script", true],
    ["http", false],
    ["fn", false],
  ]);
  expect(settings).toEqual(SETTINGS);
});

needs("bwrap")("all of them", () => {
  it("are heard, and rules may speak about one by its name", async () => {
    using scratch = openGovernorScratch([
      { id: "closed", effect: "deny", tools: ["governor:script"], touch: { read: ["./a.txt"] } },
      { id: "others", effect: "deny", tools: ["governor:other"], touch: { read: ["./b.txt"] } },
    ]);
    scratch.put("a.txt", "a");
    scratch.put("b.txt", "b");
    scratch.put(
      "check.sh",
      `#!/bin/bash\nprintf '{"status":"approve","messages":["%s"]}' "$(cat a.txt b.txt 2>/dev/null)"\n`,
    );
    const governors = governorsFrom({ specs: [script], settings: SETTINGS }, [fn], scratch.parts);
    expect(await hearGovernors(governors, QUESTION, { clock: PATIENT }, NEVER)).toMatchObject([
      { id: "script", status: "approve", requiresManual: true, messages: ["b"] },
      { id: "fn", status: "reject" },
    ]);
  });
});
