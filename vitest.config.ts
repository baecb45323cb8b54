import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Half a minute and more, each. */
const LONGEST = ["docs/guide", "redact/leaks", "pipeline/kill-points", "mcp/conformance", "slots/slot-"];

/** So that what is left at the end is short, and all cores have work to the last. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.includes(name));
    const { true: long = [], false: others = [] } = Object.groupBy(await super.sort(files), (one) => `${isLong(one)}`);
    return [...long, ...others];
  }
}

const EVERY_BRANCH = { branches: 100 };

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    // All cores: by default one is left alone, which on a machine of two is half of it.
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    // For what hangs, and not for what is slow: a busy machine takes ten times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000 } },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["lcovonly", "json-summary"],
      thresholds: {
        lines: 80,
        // What decides whether a call may run: each way through it is tried.
        "src/rules/**": EVERY_BRANCH,
        "src/schema/**": EVERY_BRANCH,
        "src/pipeline/judge.ts": EVERY_BRANCH,
      },
    },
  },
});
