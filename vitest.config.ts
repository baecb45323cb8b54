import { defineConfig, mergeConfig } from "vitest/config";
import base, { ALL, SLOW } from "./vitest.base.config.ts";

/** Suites in a real browser. */
const BROWSER = "test/console/**/*.test.ts";

/** `npm test`: every suite but the deep ones. */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      // One process for many suites: loading the same modules anew for each takes longer than most of the tests.
      isolate: false,
      projects: [
        { extends: true, test: { name: "slow", include: SLOW, exclude: ["node_modules/**", BROWSER] } },
        // A page that never came was seen once in some hundred, with no cause found: tried again, and told in the report.
        { extends: true, test: { name: "browser", include: [BROWSER], retry: 1 } },
        { extends: true, test: { name: "suites", include: ALL, exclude: ["node_modules/**", ...SLOW, BROWSER] } },
      ],
    },
  }),
);
