import { expect, it } from "vitest";
import type { Outcome } from "../../src/domain/outcome.ts";
import { OutcomeRows } from "../../src/store/outcomes/outcome-rows.ts";
import { keepOutcome } from "../../src/wiring/keep-outcome.ts";
import { openScratch } from "../config/scratch.ts";
import { redaction } from "../support/redaction.ts";
import { rawCall } from "../support/sample-calls.ts";

it("can be found from the moment on that the call has ended", async () => {
  using scratch = openScratch();
  const outcomes = new OutcomeRows(scratch.folder);
  const raw = rawCall({ callId: "call_1" });
  const refusal = { code: "CANCELLED", stage: "judge", message: "m" } as const;
  const outcome: Outcome = { kind: "refused", callId: "call_1", tool: "t", durationMs: 0, refusal };
  const parts = { outcomes, ports: redaction() } as unknown as Parameters<typeof keepOutcome>[2];
  const kept = keepOutcome(raw, outcome, parts);
  expect((await outcomes.find("call_1"))?.outcome).toEqual(outcome);
  await kept;
  outcomes.close();
});
