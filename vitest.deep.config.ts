import { defineConfig } from "vitest/config";
import { ENVIRONMENT, TEMPORARY } from "./vitest.base.config.ts";

const DEEP_TIMEOUT_MS = 20 * 60_000;

/** Long searches (`npm run test:deep`): many random cases, whole corpora, crash points. */
export default defineConfig({
  test: {
    include: ["test/**/*.deep.ts"],
    pool: "forks",
    env: ENVIRONMENT,
    ...TEMPORARY,
    passWithNoTests: true,
    testTimeout: DEEP_TIMEOUT_MS,
    hookTimeout: DEEP_TIMEOUT_MS,
    expect: { poll: { timeout: 120_000 } },
  },
});
