import { expect, it } from "vitest";
import type { RetryPolicy } from "../../../src/domain/script-tool.ts";
import { delayBefore } from "../../../src/tools/script/backoff.ts";

const POLICY: RetryPolicy = {
  attempts: 9,
  backoff: "exponential",
  firstDelayMs: 1000,
  multiplier: 2,
  maxDelayMs: 30_000,
};

const most = (policy: Partial<RetryPolicy>) =>
  [2, 3, 4, 5, 9].map((attempt) => delayBefore(attempt, { ...POLICY, ...policy }, () => 1));

it.each<[key: string, policy: Partial<RetryPolicy>, delaysMs: readonly number[]]>([
  ["nothing", {}, [1000, 2000, 4000, 8000, 30_000]],
  ["backoff", { backoff: "fixed" }, [1000, 1000, 1000, 1000, 1000]],
  ["backoff_multiplier", { multiplier: 3 }, [1000, 3000, 9000, 27_000, 30_000]],
  ["initial_delay", { firstDelayMs: 10 }, [10, 20, 40, 80, 1280]],
  ["max_delay", { maxDelayMs: 3000 }, [1000, 2000, 3000, 3000, 3000]],
  ["max_delay below the first", { maxDelayMs: 500 }, [500, 500, 500, 500, 500]],
])("waits at most as long as is due, with %s given", (_, policy, delaysMs) => {
  expect(most(policy)).toEqual(delaysMs);
});

it("waits anything from nothing to that, so that many don't come back at once", () => {
  const delays = [0, 0.25, 0.5, 0.999].map((random) => delayBefore(4, POLICY, () => random));
  expect(delays).toEqual([0, 1000, 2000, 3996]);
});
